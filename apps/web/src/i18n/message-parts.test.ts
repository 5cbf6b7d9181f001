import { expect, test } from 'vitest'
import en from './messages/en.json' with { type: 'json' }
import { MESSAGE_PARTS } from './message-parts.ts'

test('every text is in exactly one part', () => {
  expect(Object.values(MESSAGE_PARTS).flat().toSorted()).toEqual(Object.keys(en).toSorted())
})
