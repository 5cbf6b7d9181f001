import { expect, it } from 'vitest'
import { demoHarness, type Harness } from '../../scenarios/harness.ts'
import { instrumentOf, usd } from '../../scenarios/market.ts'
import { livedThrough, wildMarket } from '../../scenarios/wild-market.ts'
import { openProfit } from './account-figures.ts'
import { addToBook, bookValue, type Book } from './broker-book.ts'

function bookOf({ state }: Pick<Harness, 'state'>): Book {
  const book: Book = new Map()
  for (const account of state.accounts.values()) addToBook(book, state, account)
  return book
}

const on = (harness: Harness, code: string) => {
  const sum = bookOf(harness).get(instrumentOf(code).id)
  if (!sum) throw new Error(`nobody holds ${code}`)
  return { sum, value: bookValue(harness.state, instrumentOf(code), sum) }
}

it('sums what accounts hold, long and short, in the account currency', () => {
  const harness = demoHarness()
  harness.openAccount()
  harness.tick('USDCHF', '0.80000', '0.80000')
  harness.buy('USDCHF', { lots: '0.3' })
  harness.sell('USDCHF', { lots: '0.5', accountId: 2 })
  harness.sell('USDCHF', { lots: '0.1', accountId: 2 })
  harness.tick('USDCHF', '0.79990', '0.80010')
  const { sum, value } = on(harness, 'USDCHF')
  expect(sum).toMatchObject({ longLots: 3_000n, shortLots: 6_000n, count: 3, accounts: 2 })
  // A dollar is a dollar: 30,000 against 60,000 of them at the mid.
  expect(value).toEqual({ long: usd('30000'), short: usd('60000'), net: usd('-30000') })
  // 0.0001 francs on 90,000 dollars, at 0.8 francs a dollar.
  expect(sum.profit).toBe(usd('-11.25'))
})

it('in fixed margin mode counts what positions move', () => {
  const harness = demoHarness()
  harness.tick('FIXED', '100.00', '100.00')
  harness.buy('FIXED', { lots: '1', leverage: 30 })
  harness.sell('FIXED', { lots: '2', leverage: 10 })
  expect(on(harness, 'FIXED').value).toEqual({ long: usd('30000'), short: usd('20000'), net: usd('10000') })
})

it('has no value without a price', () => {
  const harness = demoHarness()
  harness.tick('EURUSD', '1.00000', '1.00000')
  harness.buy('EURUSD')
  harness.state.quotes.clear()
  expect(on(harness, 'EURUSD').value).toBeNull()
})

it("the clients' profit is the sum of their accounts' open profits", () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const { state } = livedThrough(wildMarket(seed), 200)
    const sum = [...bookOf({ state }).values()].reduce((total, { profit }) => total + profit, 0n)
    const accounts = [...state.accounts.values()].reduce((total, one) => total + openProfit(state, one), 0n)
    expect(sum).toBe(accounts)
  }
})
