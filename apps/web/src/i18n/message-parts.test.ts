import { TRADER_WORDS } from '@fairlot/contract/words'
import { expect, test } from 'vitest'
import en from './messages/en.json' with { type: 'json' }
import { MESSAGE_PARTS } from './message-parts.ts'

test('every text is in exactly one part', () => {
  const parts = Object.values(MESSAGE_PARTS).flat().toSorted()
  expect(parts).toEqual([...Object.keys(en), ...Object.keys(TRADER_WORDS.en)].toSorted())
})
