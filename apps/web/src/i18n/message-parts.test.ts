import labels from '@fairlot/contract/labels/en.json' with { type: 'json' }
import { expect, test } from 'vitest'
import en from './messages/en.json' with { type: 'json' }
import { MESSAGE_PARTS } from './message-parts.ts'

const SHARED = ['picture', 'alert', 'basics', 'factor', 'factor']

test('every text is in exactly one part, except those that several parts need', () => {
  const texts = [...Object.keys(en), ...Object.keys(labels), ...SHARED]
  expect(Object.values(MESSAGE_PARTS).flat().toSorted()).toEqual(texts.toSorted())
})
