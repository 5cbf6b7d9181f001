import { expect, test, vi } from 'vitest'
import { copyHarness, eventsOf } from '../../scenarios/copying.ts'
import { instrumentOf, priceOf } from '../../scenarios/market.ts'
import { noteEquities } from './equity-range.ts'
import { figuresOf } from '../margin/account-figures.ts'
import { DEPLOYMENT } from '../model/author.ts'
import type { EquityRangeNoted } from '../model/event.ts'
import { RULES } from '../model/rules.ts'
import type { TradingSettings } from '../model/terms.ts'
import { transact } from '../engine/transact.ts'
import { watchDirtyAccounts } from '../engine/transaction.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** Account 1 publishes; two markets have prices. Each price comes a minute after the last. */
function published(settings: Partial<TradingSettings> = {}) {
  const harness = copyHarness({ settings: { freshnessMs: 24 * HOUR, ...settings } })
  const tick = (code: string, bid: number) => {
    harness.wait(MINUTE)
    const decimals = code === 'USDJPY' ? 3 : 5
    harness.tick(code, bid.toFixed(decimals), (bid + 10 / 10 ** decimals).toFixed(decimals))
  }
  tick('EURUSD', 1.385)
  tick('USDJPY', 102.3)
  harness.publish()
  const equity = (id = 1) => {
    const account = harness.state.accounts.get(id)
    if (!account) throw new Error(`no account ${id}`)
    return figuresOf(harness.state, account).equity
  }
  /** The equities that a price leads to, one after the other. */
  const equitiesAt = (code: string, ...bids: number[]) =>
    bids.map((bid) => {
      tick(code, bid)
      return equity()
    })
  /** The next full hour, and what it notes. */
  const hour = () => {
    harness.wait(HOUR - (harness.now() % HOUR))
    const before = harness.journal.length
    harness.clock()
    return harness.journal
      .slice(before)
      .flatMap(({ events }) => events)
      .filter((event): event is EquityRangeNoted => event.type === 'equityRangeNoted')
  }
  return { ...harness, tick, equity, equitiesAt, hour }
}

/** Equities in order, without those in between. */
const bounds = (equities: readonly bigint[]) => {
  const sorted = equities.toSorted((a, b) => (a < b ? -1 : 1))
  return { lowest: sorted[0], highest: sorted.at(-1) }
}

test('a fall of minutes between two hours is noted just before the prices of the hour', () => {
  const { buy, equity, equitiesAt, hour, journal, now } = published()
  buy('EURUSD', { lots: '10', leverage: 30 })
  const passed = equitiesAt('EURUSD', 1.384, 1.375, 1.387, 1.385)
  const [noted, ...others] = hour()
  expect(noted).toEqual({
    type: 'equityRangeNoted',
    accountId: 1,
    moment: now(),
    ...bounds(passed),
    equity: equity(),
  })
  expect(others).toEqual([])
  expect(journal.at(-1)).toMatchObject({
    author: { type: 'clock' },
    events: [{ type: 'equityRangeNoted' }, { type: 'pricesMarked', moment: now() }],
  })
})

test('each hour begins anew, and one without prices notes nothing', () => {
  const { buy, equity, equitiesAt, hour } = published()
  buy('EURUSD', { lots: '10', leverage: 30 })
  equitiesAt('EURUSD', 1.375, 1.385)
  hour()
  expect(hour()).toEqual([])
  const passed = equitiesAt('EURUSD', 1.383, 1.384)
  expect(hour()).toMatchObject([{ ...bounds(passed), equity: equity() }])
})

test('an hour that ends at its only equity notes nothing', () => {
  const { buy, equitiesAt, hour } = published()
  buy('EURUSD', { lots: '10', leverage: 30 })
  equitiesAt('EURUSD', 1.383, 1.383)
  expect(hour()).toEqual([])
})

test('positions on two instruments fall together', () => {
  const { buy, sell, equitiesAt, hour } = published()
  buy('EURUSD', { lots: '5', leverage: 30 })
  sell('USDJPY', { lots: '5', leverage: 30 })
  const passed = [
    ...equitiesAt('EURUSD', 1.375),
    ...equitiesAt('USDJPY', 103.3, 102.3),
    ...equitiesAt('EURUSD', 1.386),
  ]
  expect(hour()).toMatchObject([bounds(passed)])
})

test('the range goes on over fills, and is noted once everything is closed', () => {
  const { buy, close, equity, equitiesAt, hour } = published()
  buy('EURUSD', { lots: '5', leverage: 30 })
  const passed = equitiesAt('EURUSD', 1.375)
  buy('EURUSD', { lots: '5', leverage: 30 })
  passed.push(...equitiesAt('EURUSD', 1.38, 1.389))
  close(1)
  close(2)
  expect(hour()).toEqual([expect.objectContaining({ ...bounds(passed), equity: equity() })])
})

test('money that comes or goes scales what was lowest and highest before', () => {
  const { buy, publish, copy, equity, equitiesAt, hour } = published()
  buy('EURUSD', { lots: '2', leverage: 30 })
  const [lowest = 0n, before = 0n] = equitiesAt('EURUSD', 1.375, 1.385)
  // Half of the balance goes into a copy.
  publish(0, 2)
  copy('50000', { ownerId: 1 })
  const [noted] = hour()
  expect(noted?.equity).toBe(equity())
  expect(noted?.highest).toBe(equity())
  const exact = Number(lowest) / Number(before)
  expect(Number(noted?.lowest) / Number(equity())).toBeCloseTo(exact, 9)
  expect(exact).toBeLessThan(0.99)
})

test('a flow that leaves nothing does not hide the fall before it', () => {
  const { buy, close, publish, copy, order, balance, equity, equitiesAt, hour } = published()
  buy('EURUSD', { lots: '10', leverage: 30 })
  const [lowest = 0n] = equitiesAt('EURUSD', 1.375)
  equitiesAt('EURUSD', 1.384)
  close(1)
  const before = equity()
  publish(0, 2)
  const copyId = copy((Number(balance(1)) / 1e6).toFixed(6), { ownerId: 1 })
  expect(balance(1)).toBe(0n)
  const [noted] = hour()
  expect(noted).toMatchObject({ lowest, highest: before, equity: before })
  order({ type: 'stopCopy', copyId }, 1)
  expect(balance(1)).toBeGreaterThan(0n)
})

test('a flow that leaves nothing, and the next one, keep the proportion', () => {
  const { buy, close, publish, copy, order, balance, equity, equitiesAt, hour } = published()
  buy('EURUSD', { lots: '10', leverage: 30 })
  const [lowest] = equitiesAt('EURUSD', 1.375)
  equitiesAt('EURUSD', 1.384)
  close(1)
  const before = equity()
  publish(0, 2)
  order({ type: 'stopCopy', copyId: copy((Number(balance(1)) / 1e6).toFixed(6), { ownerId: 1 }) }, 1)
  expect(hour()).toMatchObject([{ lowest, highest: before, equity: before }])
})

test('an account without a strategy, and one whose strategy has ended, has no range', () => {
  const { buy, send, equitiesAt, hour, now } = published()
  buy('EURUSD', { lots: '1', leverage: 30, accountId: 2 })
  buy('EURUSD', { lots: '1', leverage: 30 })
  equitiesAt('EURUSD', 1.375)
  eventsOf(send({ type: 'endStrategy', accountId: 1, at: now() }))
  equitiesAt('EURUSD', 1.385)
  expect(hour()).toEqual([])
})

test('positions from before the publication are watched from then on', () => {
  const { buy, publish, equity, equitiesAt, tick, hour } = published()
  buy('EURUSD', { lots: '1', leverage: 30, accountId: 2 })
  equitiesAt('EURUSD', 1.37)
  publish(0, 2)
  tick('EURUSD', 1.375)
  const lowest = equity(2)
  tick('EURUSD', 1.385)
  expect(hour()).toMatchObject([{ accountId: 2, lowest, highest: equity(2) }])
})

test('earlier versions of the rules note nothing', () => {
  const { state, buy, equitiesAt, hour } = published()
  state.rulesVersion = 4
  buy('EURUSD', { lots: '1', leverage: 30 })
  equitiesAt('EURUSD', 1.375, 1.385)
  expect(hour()).toEqual([])
})

test('rules that begin while somebody publishes note no hour that began before the end of the notice', () => {
  const { state, buy, send, equitiesAt, hour, now } = published({ noticeMs: 2 * HOUR })
  state.rulesVersion = 4
  const from = now() + 2 * HOUR
  const [set] = eventsOf(send({ type: 'setRules', rules: RULES, by: DEPLOYMENT, at: now() }))
  expect(set).toEqual({ type: 'rulesSet', rules: RULES, rangesFrom: from })
  buy('EURUSD', { lots: '1', leverage: 30 })
  const noted = [0, 0, 0, 0].map(() => {
    equitiesAt('EURUSD', 1.375, 1.385)
    return hour().length
  })
  expect(noted).toEqual([0, 0, 0, 1])
})

test('after a start the range begins with the first price', () => {
  const { core, buy, equitiesAt, replayed } = published()
  buy('EURUSD', { lots: '1', leverage: 30 })
  equitiesAt('EURUSD', 1.375, 1.385)
  const restarted = replayed()
  watchDirtyAccounts(restarted)
  for (const [id, quote] of core.state.quotes) restarted.state.quotes.set(id, quote)
  expect(restarted.providerEquities.ranges.size).toBe(0)
  const [quote] = core.state.quotes.values()
  if (!quote) throw new Error('no price')
  restarted.state.quotes.set(quote.instrumentId, { ...quote, bid: priceOf('EURUSD', '1.38000') })
  noteEquities(restarted, quote.instrumentId)
  const account = restarted.state.accounts.get(1)
  const equity = account && figuresOf(restarted.state, account).equity
  expect([...restarted.providerEquities.ranges]).toEqual([
    [1, { lowest: equity, highest: equity, emptied: null }],
  ])
})

test('a tick looks at no account that holds other instruments only', () => {
  const { core, state, buy, openAccount, publish, tick, now } = published()
  buy('EURUSD', { lots: '1', leverage: 30 })
  /** How many accounts a quiet tick looks up. */
  const looksOf = (code: string): number => {
    // Whatever has changed is watched from the first tick on.
    tick('EURUSD', 1.385)
    const quote = state.quotes.get(instrumentOf(code).id)
    if (!quote) throw new Error(`no price of ${code}`)
    const looks = vi.spyOn(state.accounts, 'get')
    transact(core, { type: 'tick', at: now(), quote })
    const count = looks.mock.calls.length
    looks.mockRestore()
    return count
  }
  expect([looksOf('EURUSD'), looksOf('USDJPY')]).toEqual([1, 0])
  for (let id = 3; id < 13; id += 1) {
    openAccount()
    publish(0, id)
    buy('USDJPY', { lots: '0.1', leverage: 30, accountId: id })
  }
  expect([looksOf('EURUSD'), looksOf('USDJPY')]).toEqual([1, 10])
})
