import { CallError, closeOrder, submitOrder, type Failure } from '@fairlot/contract'
import type { Lots } from '@fairlot/core'
import { expect, test } from 'vitest'
import { createChange } from './change.ts'
import { createIntentions } from './intentions.ts'
import type { request } from './request.ts'

/** A server that fails until it is told to answer, and what it was sent. */
function server() {
  const names: (string | undefined)[] = []
  let failure: string | null = null
  const send = (_endpoint: unknown, _input: unknown, { requestId }: { requestId?: string }) => {
    names.push(requestId)
    return failure === null
      ? Promise.resolve({})
      : Promise.reject(new CallError({ reason: failure, message: '' } as Failure))
  }
  let count = 0
  const change = createChange(
    send as typeof request,
    createIntentions(() => `name ${(count += 1)}`),
  )
  const close = (lots: number | null, orderId = 9) =>
    change(closeOrder, { orderId, lots: lots as Lots | null }).catch(() => null)
  return { names, change, close, failWith: (reason: string | null) => (failure = reason) }
}

test.each(['engineUnavailable', 'network', 'unreadable', 'tooManyRequests'])(
  'half of a position is closed once, however often it is tapped after %s',
  async (reason) => {
    const { names, close, failWith } = server()
    failWith(reason)
    await close(500)
    await close(500)
    failWith(null)
    await close(500)
    expect(names).toEqual(['name 1', 'name 1', 'name 1'])
  },
)

test('after it has succeeded the same lots are another half', async () => {
  const { names, close } = server()
  await close(500)
  await close(500)
  expect(names).toEqual(['name 1', 'name 2'])
})

test('other lots, another position and another call each have a name of their own', async () => {
  const { names, change, close, failWith } = server()
  failWith('engineUnavailable')
  await close(500)
  await close(null)
  await close(null, 8)
  const ticket = {
    side: 'buy',
    entry: 'market',
    targetPrice: null,
    stopLoss: null,
    takeProfit: null,
  } as const
  const order = { ...ticket, lots: 500 as Lots, instrumentId: 9, leverage: 30, expiresAt: null }
  await change(submitOrder, order).catch(() => null)
  expect(names).toEqual(['name 1', 'name 2', 'name 3', 'name 4'])
})
