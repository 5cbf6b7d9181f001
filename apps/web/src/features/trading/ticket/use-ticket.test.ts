import type { Failure, OrderTicket, TakenOrder } from '@fairlot/contract'
import { expect, it } from 'vitest'
import { orderTicketOf } from './ticket-model.ts'
import { createOrderSender, improvement, type SendResult } from './use-ticket.ts'
import { eurusd, ticket } from './ticket.fixture.ts'
import { price } from '@fairlot/core'

const order = (): OrderTicket => {
  const made = orderTicketOf(ticket({ lots: '0.10' }), 'buy', eurusd)
  if (!made) throw new Error('the fixture has lots')
  return made
}
const rejected: SendResult = { ok: false, failure: { reason: 'stalePrice' } as Failure }
const placedOrder: SendResult = { ok: true, order: {} as TakenOrder }

/** A server that holds each response until `answer` is called. */
function server() {
  const answers: ((placed: SendResult) => void)[] = []
  let count = 0
  const place = createOrderSender(() => {
    count += 1
    return new Promise((resolve) => answers.push(resolve))
  })
  return { place, sent: () => count, answer: (placed: SendResult) => answers.shift()?.(placed) }
}

it('sends a double tap once', async () => {
  const { place, sent, answer } = server()
  const first = place(order())
  expect(await place(order())).toBeNull()
  answer(placedOrder)
  expect(await first).toBe(placedOrder)
  expect(sent()).toBe(1)
})

it('sends the next order after the response to the last one, whatever it is', async () => {
  const { place, sent, answer } = server()
  for (const placed of [rejected, placedOrder]) {
    const first = place(order())
    answer(placed)
    expect(await first).toBe(placed)
  }
  expect(sent()).toBe(2)
})

it('counts a buy below and a sell above the shown price as better', () => {
  expect(improvement({ side: 'buy' }, price(108_475), price(108_473))).toBe(2)
  expect(improvement({ side: 'sell' }, price(108_469), price(108_473))).toBe(4)
})

it('counts a buy above and a sell below the shown price as worse', () => {
  expect(improvement({ side: 'buy' }, price(108_475), price(108_480))).toBe(-5)
  expect(improvement({ side: 'sell' }, price(108_469), price(108_460))).toBe(-9)
})
