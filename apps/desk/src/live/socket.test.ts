import { describe, expect, test } from 'vitest'
import { readDeskMessage } from './socket.ts'

describe('a socket message', () => {
  test('names the topics that have changed', () => {
    const changed = { type: 'changed', topics: ['waiting', 'acts'] }
    expect(readDeskMessage(changed)).toEqual(changed)
  })

  test('names the operators who view a case', () => {
    const viewing = { type: 'viewing', caseKey: 'approval:3', operators: ['R. Finance'] }
    expect(readDeskMessage(viewing)).toEqual(viewing)
  })

  test.each([
    null,
    'changed',
    [],
    {},
    { type: 'changed', topics: [1] },
    { type: 'viewing', caseKey: 1 },
    { type: 'viewing', caseKey: 'approval:3', operators: 'R. Finance' },
  ])('is ignored when it is %j', (frame) => expect(readDeskMessage(frame)).toBe(null))
})
