import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { riskyHarness, type Harness } from '../../scenarios/harness.ts'
import { instrumentOf, usd } from '../../scenarios/market.ts'
import { livedThrough, wildMarket } from '../../scenarios/wild-market.ts'
import { figuresOf, isStoppedOut, openProfit } from './account-figures.ts'
import { AWAITED, type StopOutPriceBands } from '../state/margin-watch.ts'
import { money, price } from '../model/number.ts'
import type { Quote } from '../model/quote.ts'
import { stopOutPriceBands } from './stop-out-price-band.ts'
import type { Account, State } from '../state/state.ts'

const accountOne = (harness: Pick<Harness, 'state'>): Account => {
  const account = harness.state.accounts.get(1)
  if (!account) throw new Error('no account')
  return account
}

const rangesOf = (harness: Harness) => stopOutPriceBands(harness.state, accountOne(harness))

/** The range on one instrument as prices. */
function range(harness: Harness, code: string) {
  const found = rangesOf(harness).get(instrumentOf(code).id)
  const { priceDecimals } = instrumentOf(code)
  const written = (ticks: number) => (ticks / 10 ** priceDecimals).toFixed(priceDecimals)
  return found && [written(found.bidFloor), written(found.askCeiling)]
}

describe('an account', () => {
  it('without a position has no bands', () => {
    const harness = riskyHarness('10000')
    harness.tick('EURUSD', '1.38500', '1.38510')
    harness.buy('EURUSD', { lots: '0.01', target: '1.38000' })
    expect(rangesOf(harness)).toEqual(new Map())
  })

  it('has a band as wide as its money allows', () => {
    const harness = riskyHarness('10000')
    harness.tick('EURUSD', '1.00000', '1.00000')
    harness.buy('EURUSD', { leverage: 20 })
    // Margin 5,000, fee 5: 9,995 less 2,500 can be lost, 7,495 = 0.07495 x 100,000. A hundredth less is safe.
    expect(range(harness, 'EURUSD')).toEqual(['0.92578', '1.07422'])
  })

  it('with small positions has the widest band', () => {
    const harness = riskyHarness('1000000')
    harness.tick('EURUSD', '1.00000', '1.00000')
    harness.buy('EURUSD', { leverage: 20 })
    expect(range(harness, 'EURUSD')).toEqual(['0.50000', '1.50000'])
  })

  it('depends on the pairs that convert its profits', () => {
    const harness = riskyHarness('100000')
    harness.tick('GBPUSD', '1.68500', '1.68510')
    harness.tick('EURGBP', '0.82200', '0.82210')
    harness.buy('EURGBP')
    expect(new Set(rangesOf(harness).keys())).toEqual(
      new Set([instrumentOf('GBPUSD').id, instrumentOf('EURGBP').id]),
    )
  })

  it('at its stop-out level has no safe price', () => {
    const harness = riskyHarness('10000')
    harness.tick('EURUSD', '1.00000', '1.00000')
    harness.buy('EURUSD', { leverage: 20 })
    harness.halt('EURUSD', 'a storm')
    harness.tick('EURUSD', '0.92505', '0.92505')
    expect(rangesOf(harness)).toEqual(new Map([[instrumentOf('EURUSD').id, null]]))
  })

  it('waits only for missing prices', () => {
    const harness = riskyHarness('100000')
    harness.tick('EURUSD', '1.00000', '1.00000')
    harness.tick('GBPUSD', '1.60000', '1.60000')
    harness.buy('EURUSD')
    harness.buy('GBPUSD')
    harness.state.quotes.delete(instrumentOf('GBPUSD').id)
    expect(rangesOf(harness)).toEqual(new Map([[instrumentOf('GBPUSD').id, AWAITED]]))
  })

  it('has no safe price where a narrower spread around the mid could stop it out', () => {
    const harness = riskyHarness('100000')
    harness.tick('EURUSD', '1.00000', '1.02000')
    harness.tick('GER40', '10000.0', '10000.0')
    harness.buy('GER40', { lots: '10', leverage: 10 })
    harness.tick('GER40', '6000.0', '6000.0')
    const account = accountOne(harness)
    const least = account.margin / 2n
    // 40,000 EUR are lost at the mid of 1.01; at the ask of 1.02, with the bid risen to it, 400 USD more.
    account.available.balance = money(least + usd('40400') + usd('399'))
    expect(figuresOf(harness.state, account).equity).toBe(least + usd('399'))
    expect([...rangesOf(harness).values()]).toEqual([null, null])
    account.available.balance = money(least + usd('40400') + usd('450'))
    expect([...rangesOf(harness).values()]).not.toContain(null)
  })
})

/** A quote within a range, at its edges more often than not. */
function within(quote: Quote, range: { bidFloor: number; askCeiling: number }, place: number): Quote {
  const { bidFloor: low, askCeiling: high } = range
  const middle = Math.round(low + ((high - low) * (place % 97)) / 97)
  const corners = [
    [low, low],
    [low, high],
    [high, high],
    [low, middle],
    [middle, high],
    [middle, middle],
  ] as const
  const [bid, ask] = corners[place % corners.length] ?? [low, high]
  return { ...quote, bid: price(bid), ask: price(ask) }
}

/** The equity of an account with every price somewhere in its range. */
function equityWithin(
  state: State,
  account: Account,
  ranges: StopOutPriceBands,
  places: readonly number[],
): bigint {
  const quotes = new Map(state.quotes)
  for (const [index, [id, range]] of [...ranges].entries()) {
    const quote = quotes.get(id)
    if (quote && range) quotes.set(id, within(quote, range, places[index % places.length] ?? 0))
  }
  return account.available.balance + openProfit({ ...state, quotes }, account)
}

describe('whatever an account holds, and however near it is to its level,', () => {
  const places = fc.array(fc.nat(1_000), { minLength: 6, maxLength: 6 })
  const slack = fc.constantFrom(null, 0n, 1n, 1_000n, usd('1'), usd('100'))

  it('no prices within the bands stop it out', () => {
    let [checked, wasUnsafe] = [0, 0]
    fc.assert(
      fc.property(
        fc.integer(),
        fc.array(places, { minLength: 30, maxLength: 30 }),
        slack,
        (seed, all, spare) => {
          const { state } = livedThrough(wildMarket(seed), 200)
          for (const account of state.accounts.values()) {
            if (spare !== null) leave(state, account, spare)
            const ranges = stopOutPriceBands(state, account)
            if ([...ranges.values()].includes(null)) wasUnsafe += 1
            else checked += ranges.size
            for (const places of all) {
              const equity = equityWithin(state, account, ranges, places)
              if (![...ranges.values()].includes(null))
                expect(isStoppedOut(state, equity, account.margin)).toBe(false)
            }
          }
        },
      ),
      { numRuns: 60 },
    )
    expect(checked).toBeGreaterThan(100)
    expect(wasUnsafe).toBeLessThan(checked)
  })

  /** Sets the balance so that `spare` is left above the lowest equity without a stop-out. */
  function leave(state: State, account: Account, spare: bigint): void {
    const least = (BigInt(state.settings.stopOutLevel) * account.margin) / 100n + 1n
    account.available.balance = money(least + spare - openProfit(state, account))
  }

  it('prices at twice the distance of the band stop it out', () => {
    let checked = 0
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const { state } = livedThrough(wildMarket(seed, { settings: { accountCurrency: 'USD' } }), 200)
        for (const account of state.accounts.values()) {
          const [[id, range] = [], ...others] = [...stopOutPriceBands(state, account)]
          const quote = state.quotes.get(id ?? 0)
          const decimals = state.instruments.get(id ?? 0)?.quoteCurrency === 'USD'
          if (!range || !quote || !decimals || others.length > 0) continue
          if (range.bidFloor <= quote.bid - Math.floor(Math.abs(quote.bid) / 2)) continue
          // And three ticks, for the smallest distances.
          const further = (distance: number) => distance * 2 + 3 + Math.abs(quote.bid) / 100_000
          const quotes = new Map(state.quotes)
          quotes.set(quote.instrumentId, {
            ...quote,
            bid: price(Math.floor(quote.bid - further(quote.bid - range.bidFloor))),
            ask: price(Math.ceil(quote.ask + further(range.askCeiling - quote.ask))),
          })
          const equity = account.available.balance + openProfit({ ...state, quotes }, account)
          expect(isStoppedOut(state, equity, account.margin)).toBe(true)
          checked += 1
        }
      }),
      { numRuns: 60 },
    )
    expect(checked).toBeGreaterThan(20)
  })
})

it('in a usual market accounts are hardly ever checked', () => {
  const harness = riskyHarness('10000')
  harness.tick('EURUSD', '1.38500', '1.38510')
  for (let id = 2; id <= 50; id += 1) harness.openAccount()
  // From 0.05 to 2.5 lots: margin levels from 4,300 % down to 87 %.
  for (let id = 1; id <= 50; id += 1)
    harness[id % 2 === 0 ? 'buy' : 'sell']('EURUSD', {
      accountId: id,
      leverage: 30,
      lots: `${(id * 4) / 100}`,
    })
  let checks = 0
  const ticks = 2_000
  for (let count = 0; count < ticks; count += 1) {
    // A slow swing of 40 pips with a jitter of 3 ticks.
    const bid = Math.round(138_500 + 200 * Math.sin(count / 150) + 3 * Math.sin(count * 7))
    const quote = { instrumentId: 1, bid: price(bid), ask: price(bid + 10) }
    checks += harness.core.marginWatch.due(quote).length
    harness.state.quotes.set(1, { ...quote, time: 0, receivedAt: 0, seq: count, source: '' })
    for (const id of harness.core.marginWatch.due(quote)) {
      const account = harness.state.accounts.get(id)
      if (account) harness.core.marginWatch.watch(id, stopOutPriceBands(harness.state, account))
    }
  }
  expect(checks / (ticks * 50)).toBeLessThan(0.002)
})
