import type { Failure, OrderTicket, TakenOrder } from '@fairlot/contract'
import { expect, it } from 'vitest'
import { orderTicketOf } from './order-ticket.ts'
import { createPlacer, type Placed } from './place-order.ts'
import { eurusd, ticket } from './ticket.fixture.ts'

const order = (): OrderTicket => {
  const made = orderTicketOf(ticket({ lots: '0.10' }), 'buy', eurusd)
  if (!made) throw new Error('the fixture has lots')
  return made
}
const refused: Placed = { ok: false, failure: { reason: 'stalePrice' } as Failure }
const taken: Placed = { ok: true, order: {} as TakenOrder }

/** A server that keeps each call open until it is answered. */
function server() {
  const answers: ((placed: Placed) => void)[] = []
  let count = 0
  const place = createPlacer(() => {
    count += 1
    return new Promise((resolve) => answers.push(resolve))
  })
  return { place, sent: () => count, answer: (placed: Placed) => answers.shift()?.(placed) }
}

it('sends a double tap once', async () => {
  const { place, sent, answer } = server()
  const first = place(order())
  expect(await place(order())).toBeNull()
  answer(taken)
  expect(await first).toBe(taken)
  expect(sent()).toBe(1)
})

it('sends the next order once the last one is answered, whatever the answer', async () => {
  const { place, sent, answer } = server()
  for (const placed of [refused, taken]) {
    const first = place(order())
    answer(placed)
    expect(await first).toBe(placed)
  }
  expect(sent()).toBe(2)
})
