import { CallError, type Failure } from '@fairlot/contract'
import { expect, test } from 'vitest'
import { countUnreadNotices, readNotices } from '@fairlot/contract'
import { checkBeforeChanges, failureText, rejectionText, request } from './request.ts'

const failure = (reason: Failure['reason'], message: string) =>
  failureText(
    { ok: false, code: 0, reason, message, details: {} } as Failure,
    (key, { code }) => `${key} ${code}`,
  )

test('a rejection is shown by the server’s message', () => {
  expect(failure('marketClosed', 'The market is closed.')).toBe('The market is closed.')
})

test('the technical code of a missing response is shown in a sentence', () => {
  expect(failure('network', 'ERR_NETWORK')).toBe('networkError ERR_NETWORK')
  expect(failure('unreadable', 'HTTP 502')).toBe('networkError HTTP 502')
})

test('nothing is shown for a cancelled call', () => {
  expect(failure('cancelled', 'cancelled')).toBe(null)
})

test('a list shows the reason of a rejection, but no technical code', () => {
  const failed = (reason: Failure['reason']) => new CallError({ reason, message: 'Wait.' } as Failure)
  expect(rejectionText(failed('tooManyRequests'))).toBe('Wait.')
  for (const error of [failed('network'), failed('unsent'), failed('unreadable'), new Error('Wait.'), null])
    expect(rejectionText(error)).toBeUndefined()
})

test.each(['notConnected', 'outdated'] as const)(
  'when %s, a change is stopped before anything is sent, and nothing of it is sent later',
  async (obstacle) => {
    let current: typeof obstacle | null = obstacle
    checkBeforeChanges(async () => current)
    const sent: string[] = []
    const sendBy = async (url: string) => {
      sent.push(url)
      return { status: 200, text: async () => '{"code":1,"msg":"","data":{"count":0}}' }
    }
    const change = () => request(readNotices, { upTo: 1 }, { isSilent: true, sendBy })
    for (const _ of [1, 2])
      await expect(change()).rejects.toMatchObject({ failure: { reason: 'unsent', message: obstacle } })
    expect(sent).toEqual([])
    await request(countUnreadNotices, null, { sendBy })
    expect(sent).toHaveLength(1)
    current = null
    await change()
    expect(sent).toHaveLength(2)
    expect(failure('unsent', obstacle)).toContain(obstacle)
  },
)
