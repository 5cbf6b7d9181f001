import { CallError, closeOrder, type Failure, submitOrder } from '@fairlot/contract'
import type { Lots } from '@fairlot/core'
import { expect, test } from 'vitest'
import { createChange, createRequestIds } from './change.ts'
import type { request } from './request.ts'

/** A server that fails while a failure is set, with the request ids it received. */
function server() {
  const ids: (string | undefined)[] = []
  let failure: string | null = null
  const send = (_endpoint: unknown, _input: unknown, { requestId }: { requestId?: string }) => {
    ids.push(requestId)
    return failure === null
      ? Promise.resolve({})
      : Promise.reject(new CallError({ reason: failure, message: '' } as Failure))
  }
  let count = 0
  const change = createChange(
    send as typeof request,
    createRequestIds(() => `id ${(count += 1)}`),
  )
  const close = (lots: number | null, orderId = 9) =>
    change(closeOrder, { orderId, lots: lots as Lots | null }).catch(() => null)
  return { ids, change, close, failWith: (reason: string | null) => (failure = reason) }
}

test.each(['engineUnavailable', 'network', 'unreadable', 'tooManyRequests'])(
  'half of a position is closed once, however often it is tapped after %s',
  async (reason) => {
    const { ids, close, failWith } = server()
    failWith(reason)
    await close(500)
    await close(500)
    failWith(null)
    await close(500)
    expect(ids).toEqual(['id 1', 'id 1', 'id 1'])
  },
)

test('after a success the same request is a new change', async () => {
  const { ids, close } = server()
  await close(500)
  await close(500)
  expect(ids).toEqual(['id 1', 'id 2'])
})

test('other lots, another position and another call each have their own id', async () => {
  const { ids, change, close, failWith } = server()
  failWith('engineUnavailable')
  await close(500)
  await close(null)
  await close(null, 8)
  const ticket = {
    side: 'buy',
    orderType: 'market',
    targetPrice: null,
    stopLoss: null,
    takeProfit: null,
  } as const
  const order = { ...ticket, lots: 500 as Lots, instrumentId: 9, leverage: 30, expiresAt: null, kind: null }
  await change(submitOrder, order).catch(() => null)
  expect(ids).toEqual(['id 1', 'id 2', 'id 3', 'id 4'])
})

function createIds() {
  let count = 0
  return createRequestIds(() => `id ${(count += 1)}`)
}

test('a second tap with the same payload sends the same id', () => {
  const requestIds = createIds()
  expect(requestIds.idOf('close 9', '{"lots":500}')).toBe('id 1')
  expect(requestIds.idOf('close 9', '{"lots":500}')).toBe('id 1')
})

test('the same payload after a success is another change', () => {
  const requestIds = createIds()
  requestIds.idOf('close 9', '{"lots":500}')
  requestIds.done('close 9')
  expect(requestIds.idOf('close 9', '{"lots":500}')).toBe('id 2')
})

test('a changed form is another change, and so is going back to the first', () => {
  const requestIds = createIds()
  const ids = ['{"lots":500}', '{"lots":300}', '{"lots":500}'].map((payload) =>
    requestIds.idOf('close 9', payload),
  )
  expect(ids).toEqual(['id 1', 'id 2', 'id 3'])
})

test('changes of two orders are independent', () => {
  const requestIds = createIds()
  const ids = ['close 9', 'close 8', 'close 9'].map((subject) => requestIds.idOf(subject, '{}'))
  expect(ids).toEqual(['id 1', 'id 2', 'id 1'])
})

test('the ids of the last user are not used again', () => {
  const requestIds = createIds()
  requestIds.idOf('close 9', '{}')
  requestIds.forget()
  expect(requestIds.idOf('close 9', '{}')).toBe('id 2')
})

test('forgets the oldest of very many changes', () => {
  const requestIds = createIds()
  for (let id = 0; id <= 200; id += 1) requestIds.idOf(`close ${id}`, '{}')
  expect(requestIds.idOf('close 1', '{}')).toBe('id 2')
  expect(requestIds.idOf('close 0', '{}')).toBe('id 202')
})
