import { TRADER_WORDS } from '@fairlot/contract/words'
import { expect, test } from 'vitest'
import en from './messages/en.json' with { type: 'json' }
import { MESSAGE_PARTS } from './message-parts.ts'

const SHARED = ['picture']

test('every text is in exactly one part, but for those that screens of two need', () => {
  const texts = [...Object.keys(en), ...Object.keys(TRADER_WORDS.en), ...SHARED]
  expect(Object.values(MESSAGE_PARTS).flat().toSorted()).toEqual(texts.toSorted())
})
