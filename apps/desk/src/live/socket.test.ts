import { describe, expect, test } from 'vitest'
import { readDeskMessage } from './socket-message.ts'
import { retryPauseMs } from './socket.ts'

describe('a frame of the socket', () => {
  test('names topics that have changed', () => {
    const changed = { type: 'changed', topics: ['waiting', 'acts'] }
    expect(readDeskMessage(JSON.stringify(changed))).toEqual(changed)
  })

  test('names who looks at a case', () => {
    const viewing = { type: 'viewing', caseKey: 'approval:3', operators: ['R. Finance'] }
    expect(readDeskMessage(JSON.stringify(viewing))).toEqual(viewing)
  })

  test.each(['', 'null', '[]', '{"type":"changed","topics":[1]}', '{"type":"viewing","caseKey":1}', '{}'])(
    'is not heard when it is %j',
    (frame) => expect(readDeskMessage(frame)).toBe(null),
  )
})

test('each failed connection waits longer, up to a quarter of a minute, and not all at the same moment', () => {
  expect([0, 1, 2, 10].map((failures) => retryPauseMs(failures, 1))).toEqual([500, 1000, 2000, 15_000])
  expect(retryPauseMs(1, 0)).toBe(500)
})
