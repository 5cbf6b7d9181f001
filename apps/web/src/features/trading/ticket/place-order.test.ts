import type { Failure, OrderTicket, TakenOrder } from '@fairlot/contract'
import { expect, it } from 'vitest'
import { orderTicketOf } from './order-ticket.ts'
import { createPlacer, type Placed } from './place-order.ts'
import { eurusd, ticket } from './ticket.fixture.ts'

const order = (lots = '0.10'): OrderTicket => {
  const made = orderTicketOf(ticket({ lots }), 'buy', eurusd)
  if (!made) throw new Error('the fixture has lots')
  return made
}
const failure = (reason: string): Placed => ({ ok: false, failure: { reason } as Failure })
const taken: Placed = { ok: true, order: {} as TakenOrder }

/** A server that keeps each call open until it is answered. */
function server() {
  const names: string[] = []
  const answers: ((placed: Placed) => void)[] = []
  let count = 0
  const place = createPlacer(
    (_, name) => {
      names.push(name)
      return new Promise((resolve) => answers.push(resolve))
    },
    () => `name ${++count}`,
  )
  return { place, names, answer: (placed: Placed) => answers.shift()?.(placed) }
}

it('sends a double tap once', async () => {
  const { place, names, answer } = server()
  const first = place(order())
  expect(await place(order())).toBeNull()
  answer(taken)
  expect(await first).toBe(taken)
  expect(names).toEqual(['name 1'])
})

it('gives every order a name of its own', async () => {
  const { place, names, answer } = server()
  for (const placed of [taken, failure('stalePrice'), taken]) {
    const sent = place(order())
    answer(placed)
    await sent
  }
  expect(names).toEqual(['name 1', 'name 2', 'name 3'])
})

it('keeps the name of an order whose answer was lost', async () => {
  const { place, names, answer } = server()
  for (const placed of [failure('network'), failure('unreadable'), taken, taken]) {
    const sent = place(order())
    answer(placed)
    await sent
  }
  expect(names).toEqual(['name 1', 'name 1', 'name 1', 'name 2'])
})

it('gives another order another name, also after a lost answer', async () => {
  const { place, names, answer } = server()
  const lost = place(order())
  answer(failure('network'))
  await lost
  void place(order('0.20'))
  expect(names).toEqual(['name 1', 'name 2'])
})
