import { CallError, closeOrder, type Failure, submitOrder } from '@fairlot/contract'
import type { Lots } from '@fairlot/core'
import { expect, test } from 'vitest'
import { createChange, createRequestIds } from './change.ts'
import type { request } from './request.ts'

/** A server that fails until it is switched to answer, with the requests it got. */
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
    createRequestIds(() => `name ${(count += 1)}`),
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

function named() {
  let count = 0
  return createRequestIds(() => `name ${(count += 1)}`)
}

test('a second tap with the same intention sends the same name', () => {
  const intentions = named()
  expect(intentions.nameOf('close 9', '{"lots":500}')).toBe('name 1')
  expect(intentions.nameOf('close 9', '{"lots":500}')).toBe('name 1')
})

test('what is done is done: the same again is another change', () => {
  const intentions = named()
  intentions.nameOf('close 9', '{"lots":500}')
  intentions.done('close 9')
  expect(intentions.nameOf('close 9', '{"lots":500}')).toBe('name 2')
})

test('a changed form is another change, and so is going back to the first', () => {
  const intentions = named()
  const names = ['{"lots":500}', '{"lots":300}', '{"lots":500}'].map((payload) =>
    intentions.nameOf('close 9', payload),
  )
  expect(names).toEqual(['name 1', 'name 2', 'name 3'])
})

test('changes of two orders do not disturb each other', () => {
  const intentions = named()
  const names = ['close 9', 'close 8', 'close 9'].map((subject) => intentions.nameOf(subject, '{}'))
  expect(names).toEqual(['name 1', 'name 2', 'name 1'])
})

test('a new user means nothing of what the last one meant', () => {
  const intentions = named()
  intentions.nameOf('close 9', '{}')
  intentions.forget()
  expect(intentions.nameOf('close 9', '{}')).toBe('name 2')
})

test('the oldest is forgotten when there are very many', () => {
  const intentions = named()
  for (let id = 0; id <= 200; id += 1) intentions.nameOf(`close ${id}`, '{}')
  expect(intentions.nameOf('close 1', '{}')).toBe('name 2')
  expect(intentions.nameOf('close 0', '{}')).toBe('name 202')
})
