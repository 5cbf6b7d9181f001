import { describe, expect, test } from 'vitest'
import { copyHarness, eventsOf, lotsOf, type CopyHarness } from '../../scenarios/copying.ts'
import { effects, figures, snapshotOf } from '../../scenarios/harness.ts'
import { usd, lotsOf as units, priceOf, TWO, instrumentOf } from '../../scenarios/market.ts'
import type { SetAccountStatus, SetTerms } from '../model/command.ts'
import { DEPLOYMENT } from '../model/author.ts'
import type { Event } from '../model/event.ts'
import { checkVolume } from '../copying/decide-strategy.ts'
import { openingsPerMinute, positionsClosedAtOnce } from '../model/copying.ts'
import { ratio } from '../model/number.ts'
import type { Order } from '../model/order.ts'
import { isRejection } from '../model/rejection.ts'
import { followOn, mayDecideMeanwhile, transact } from './transact.ts'

/** A provider whose strategy is copied by copies of these amounts, at a first price. */
function copied(...amounts: string[]) {
  const harness = copyHarness({ settings: { stopOutLevel: 50 } })
  harness.tick('EURUSD', '1.38500', '1.38510')
  harness.publish()
  const ids = amounts.map((amount) => {
    harness.openAccount()
    return harness.copy(amount, { ownerId: harness.state.lastAccountId })
  })
  return { ...harness, ids }
}

/** The same with many copies of 1,000, without the checks of the harness after each of their commands. */
function crowd(copies: number) {
  const harness = copied()
  const { core, journal, state, now } = harness
  const keep = (outcome: ReturnType<typeof transact>) => {
    if (isRejection(outcome)) throw new Error(outcome.rejected)
    journal.push(outcome.entry)
  }
  const terms = { multiplier: ratio(1_000_000), exposureLimit: 30, stopLoss: 5 }
  const start = {
    type: 'startCopy',
    strategyId: 1,
    amount: usd('1000'),
    terms,
    isWithOpenOrders: false,
  } as const
  const ids = Array.from({ length: copies }, () => {
    keep(transact(core, { type: 'openAccount', ledger: 'demo', at: now() }))
    keep(transact(core, { ...start, at: now(), accountId: state.lastAccountId }))
    return state.lastAccountId
  })
  return { ...harness, ids }
}

const typesOf = (events: readonly Event[]): string[] => events.map(({ type }) => type)

/** A journal replayed on its own leads to the same state. */
const expectReplayed = (harness: Pick<CopyHarness, 'core' | 'replayed'>) =>
  expect(snapshotOf(harness.replayed())).toEqual(snapshotOf(harness.core))

describe('an opening of a provider', () => {
  test('opens in every copy at the same price, in proportion to the equities', () => {
    const { ids, buy, state, ...harness } = copied('1000', '5000')
    const [opened, ...followed] = eventsOf(buy('EURUSD', { lots: '10', leverage: 30 }))
    expect(typesOf(followed)).toEqual(['positionOpened', 'positionOpened'])
    expect(ids.map((id) => lotsOf({ state }, id))).toEqual([['0.10'], ['0.50']])
    for (const event of [opened, ...followed])
      expect(event).toMatchObject({ openPrice: priceOf('EURUSD', '1.38510') })
    expect(opened).toMatchObject({ strategyEquity: usd('100000') })
    expect(followed[0]).toMatchObject({
      receipt: { trigger: 'copy', copied: { accountId: 1, orderId: 1 } },
      copied: { equity: usd('1000'), providerLots: units('10') },
    })
    expectReplayed(harness)
  })

  test('is an entry of its own, and the copies have another that names it', () => {
    const { journal, buy, ...harness } = copied('1000')
    const before = journal.length
    buy('EURUSD', { lots: '10', leverage: 30 })
    expect(journal.slice(before).map(({ author }) => author)).toEqual([
      { type: 'user', accountId: 1 },
      { type: 'copy', accountId: 1, orderId: 1 },
    ])
    expectReplayed(harness)
  })

  test('records its equity from the publication on, also without copies', () => {
    const harness = copyHarness()
    harness.tick('EURUSD', '1.38500', '1.38510')
    expect(eventsOf(harness.buy('EURUSD'))[0]).not.toHaveProperty('strategyEquity')
    harness.publish()
    expect(eventsOf(harness.buy('EURUSD'))[0]).toHaveProperty('strategyEquity')
  })

  test('is skipped where the lots are below the minimum, with the reason and the equity', () => {
    const { buy } = copied('1000')
    expect(eventsOf(buy('EURUSD', { lots: '0.5' })).at(-1)).toMatchObject({
      type: 'copySkipped',
      reason: 'belowMinimumLot',
      equity: usd('1000'),
      source: { accountId: 1, orderId: 1 },
    })
  })

  test('is skipped for the first reason in the order of the rules', () => {
    const { ids, buy, order, operate } = copied('5000')
    const [copyId = 0] = ids
    order({ type: 'pauseCopy', copyId }, 3)
    // Paused, too small and restricted.
    expect(eventsOf(buy('EURUSD', { lots: '0.01' })).at(-1)).toMatchObject({ reason: 'copyPaused' })
    operate<SetAccountStatus>({ type: 'setAccountStatus', accountId: 3, status: 'closeOnly', by: TWO })
    expect(eventsOf(buy('EURUSD', { lots: '0.01' })).at(-1)).toMatchObject({ reason: 'accountRestricted' })
  })

  test('is skipped by a paused copy, which still closes', () => {
    const { ids, buy, close, order, state } = copied('5000')
    const [copyId = 0] = ids
    buy('EURUSD', { lots: '1' })
    order({ type: 'pauseCopy', copyId }, 3)
    expect(eventsOf(buy('EURUSD', { lots: '1' })).at(-1)).toMatchObject({ reason: 'copyPaused' })
    close(1)
    expect(lotsOf({ state }, copyId)).toEqual([])
  })

  test('is skipped beyond the exposure limit, and where the margin does not suffice', () => {
    const harness = copied()
    harness.openAccount()
    const terms = { multiplier: ratio(10_000_000), exposureLimit: 2, stopLoss: 5 }
    harness.copy('1000', { ownerId: 3, terms })
    expect(eventsOf(harness.buy('EURUSD', { lots: '1' })).at(-1)).toMatchObject({ reason: 'exposureLimit' })
    harness.copy('1000', { ownerId: 2, terms: { ...terms, exposureLimit: 30 } })
    expect(eventsOf(harness.buy('EURUSD', { lots: '1' })).at(-1)).toMatchObject({ reason: 'notEnoughMargin' })
  })

  test('is skipped by a copy that has as many orders as an account may have', () => {
    const { buy, tick, wait, clock, operate, state, now, ids } = copied('5000')
    buy('EURUSD', { lots: '1' })
    buy('EURUSD', { lots: '1' })
    buy('EURUSD', { lots: '1', target: '1.38400' })
    operate<SetTerms>({
      type: 'setTerms',
      change: { kind: 'settings', settings: { ...state.settings, maxLivingOrders: 2 } },
      effectiveAt: now() + 86_400_000,
      by: DEPLOYMENT,
    })
    wait(86_400_000)
    clock()
    expect(state.settings.maxLivingOrders).toBe(2)
    expect(eventsOf(tick('EURUSD', '1.38390', '1.38400'))).toMatchObject([
      { type: 'positionOpened', accountId: 1 },
      { type: 'copySkipped', accountId: ids[0], reason: 'tooManyOrders' },
    ])
  })

  test('counts positions at the present price for the exposure, not as they opened', () => {
    const harness = copied()
    harness.openAccount()
    const terms = { multiplier: ratio(1_000_000), exposureLimit: 2, stopLoss: 5 }
    const copyId = harness.copy('10000', { ownerId: 3, terms })
    harness.buy('EURUSD', { lots: '0.7' })
    harness.tick('EURUSD', '1.90000', '1.90010')
    // 0.07 lots were 9,696 at their opening and are 13,300 now; 0.07 more would make 26,600 at an equity of 13,600.
    harness.buy('EURUSD', { lots: '0.7' })
    expect(lotsOf(harness, copyId)).toEqual(['0.07', '0.07'])
    harness.buy('EURUSD', { lots: '0.1' })
    expect(lotsOf(harness, copyId)).toEqual(['0.07', '0.07'])
  })

  test('of a pending order follows on the tick that triggers it', () => {
    const { ids, buy, tick, state, ...harness } = copied('5000')
    buy('EURUSD', { lots: '1', target: '1.38400' })
    expect(ids.map((id) => lotsOf({ state }, id))).toEqual([[]])
    const outcome = tick('EURUSD', '1.38390', '1.38400')
    expect(effects(outcome)).toEqual(['1 positionOpened', '2 positionOpened'])
    expectReplayed(harness)
  })
})

test('a limit of the provider that is filled at once is copied at the same price', () => {
  const harness = copied('5000')
  const { ids, buy, state } = harness
  const outcome = buy('EURUSD', { lots: '1', target: '1.38600', kind: 'limit' })
  expect(effects(outcome)).toEqual(['1 positionOpened', '2 positionOpened'])
  expect(ids.map((id) => lotsOf({ state }, id).length)).toEqual([1])
  expectReplayed(harness)
})

describe('the volume of a provider', () => {
  const small = { lots: '0.01', leverage: 30 }

  test('is limited to 60,000 openings of copies a minute, and never below 20', () => {
    expect([0, 1, 60, 2_000, 6_000].map(openingsPerMinute)).toEqual([Infinity, 60_000, 1_000, 30, 20])
    const { state, now } = copied('1000')
    const published = state.accounts.get(1)
    if (!published?.strategy) throw new Error('nothing is published')
    const { strategy } = published
    const check = (copies: number, recent: number, orders: number, later = 0) =>
      checkVolume(
        {
          ...published,
          copiers: Array.from({ length: copies }, (_, index) => index),
          strategy: { ...strategy, recentOpenings: Array.from({ length: recent }, now) },
          orders: new Map(Array.from({ length: orders }, (_, id) => [id, {} as Order])),
        },
        now() + later,
      )
    expect(check(2_000, 29, 0)).toBeNull()
    expect(check(2_000, 30, 0)).toMatchObject({ rejected: 'tooManyOpenings', details: { most: 30 } })
    expect(check(2_000, 30, 0, 60_000)).toBeNull()
    expect(check(2_000, 0, 48)).toBeNull()
    expect(check(2_000, 0, 49)).toMatchObject({ rejected: 'tooManyOrders', details: { most: 49 } })
  })

  test('above the limit refuses the own order; a pending order that fills is copied all the same', () => {
    const harness = copied('5000')
    const { buy, close, tick, state, now, ids } = harness
    buy('EURUSD', { lots: '1' })
    buy('EURUSD', { lots: '1', target: '1.38400' })
    const strategy = state.accounts.get(1)?.strategy
    if (!strategy) throw new Error('nothing is published')
    strategy.recentOpenings = Array.from({ length: openingsPerMinute(1) }, now)
    expect(effects(buy('EURUSD', { lots: '1' }))).toEqual(['refused tooManyOpenings'])
    expect(effects(harness.reverse(1))).toEqual(['refused tooManyOpenings'])
    expect(effects(tick('EURUSD', '1.38390', '1.38400'))).toEqual(['3 positionOpened', '4 positionOpened'])
    expect(effects(close(1))).toEqual(['1 positionClosed', '2 positionClosed'])
    expect(lotsOf({ state }, ids[0] ?? 0)).toHaveLength(1)
  })

  test('leaves closing as it is: closing all closes some at a time', () => {
    const harness = copied('1000')
    for (let count = 0; count < 3; count += 1) harness.buy('EURUSD', small)
    expect([0, 1, 500, 2_000, 5_000].map(positionsClosedAtOnce)).toEqual([Infinity, 2_000, 4, 1, 1])
    // One copy of 1,000 is too small for them: each close has a row in it all the same.
    expect(typesOf(eventsOf(harness.closeAll()))).toEqual([
      'positionClosed',
      'positionClosed',
      'positionClosed',
      'copySkipped',
      'copySkipped',
      'copySkipped',
    ])
  })
})

describe('a reduction of a provider', () => {
  test('leaves 0.02 of 0.05 after six closes of 10 %', () => {
    const { ids, buy, close, state, ...harness } = copied('5000')
    buy('EURUSD', { lots: '1' })
    const [copyId = 0] = ids
    expect(lotsOf({ state }, copyId)).toEqual(['0.05'])
    const left = Array.from({ length: 6 }, () => {
      close(1, { lots: '0.1' })
      return lotsOf({ state }, copyId)[0]
    })
    expect(left).toEqual(['0.04', '0.04', '0.03', '0.03', '0.02', '0.02'])
    expectReplayed(harness)
  })

  test('to nothing closes the copy', () => {
    const { ids, buy, close, state } = copied('1000')
    buy('EURUSD', { lots: '1' })
    close(1, { lots: '0.5' })
    expect(ids.map((id) => lotsOf({ state }, id))).toEqual([[]])
  })
})

describe('the end of a provider’s position', () => {
  test('by its stop loss closes the copies on the same tick, at its price', () => {
    const { buy, tick, ...harness } = copied('5000')
    buy('EURUSD', { lots: '1', stopLoss: '1.38000' })
    const events = eventsOf(tick('EURUSD', '1.37990', '1.38000'))
    expect(events).toMatchObject([
      { reason: 'stopLoss', closePrice: priceOf('EURUSD', '1.37990') },
      { reason: 'providerClosed', closePrice: priceOf('EURUSD', '1.37990'), receipt: { trigger: 'copy' } },
    ])
    expectReplayed(harness)
  })

  test('by a stop-out closes the copies before the next position', () => {
    const { buy, tick, core, ...harness } = copied('50000')
    buy('EURUSD', { lots: '10', leverage: 30 })
    buy('EURUSD', { lots: '10', leverage: 30 })
    const events = eventsOf(tick('EURUSD', '1.34000', '1.34010'))
    const reasons = events.flatMap((event) => (event.type === 'positionClosed' ? event.reason : []))
    expect(reasons).toEqual(['stopOut', 'providerClosed', 'stopOut', 'providerClosed'])
    expectReplayed({ core, ...harness })
  })

  test('by a reversal closes and opens in the copies', () => {
    const { ids, buy, reverse, state } = copied('5000')
    buy('EURUSD', { lots: '1' })
    const events = eventsOf(reverse(1))
    expect(typesOf(events)).toEqual(['positionClosed', 'positionOpened', 'positionClosed', 'positionOpened'])
    const [order] = [...(state.accounts.get(ids[0] ?? 0)?.orders.values() ?? [])]
    expect(order).toMatchObject({ side: 'sell', lots: units('0.05') })
  })
})

describe('a copy', () => {
  test('is stopped out by its own margin level, whatever its provider does', () => {
    const harness = copied()
    harness.openAccount()
    const terms = { multiplier: ratio(10_000_000), exposureLimit: 30, stopLoss: 5 }
    const copyId = harness.copy('1000', { ownerId: 3, terms })
    harness.buy('EURUSD', { lots: '1.5', leverage: 30 })
    expect(lotsOf(harness, copyId)).toEqual(['0.15'])
    const events = eventsOf(harness.tick('EURUSD', '1.33900', '1.33910'))
    expect(events.filter((event) => 'accountId' in event && event.accountId === copyId)).toMatchObject([
      { type: 'positionClosed', reason: 'stopOut', receipt: { copied: { accountId: 1, orderId: 1 } } },
    ])
    expect(lotsOf(harness, 1)).toEqual(['1.50'])
    expectReplayed(harness)
  })

  test('ends at its copy stop loss, with its money back', () => {
    const harness = copied()
    harness.openAccount()
    const terms = { multiplier: ratio(1_000_000), exposureLimit: 30, stopLoss: 90 }
    const copyId = harness.copy('10000', { ownerId: 3, terms })
    harness.buy('EURUSD', { lots: '10', leverage: 30 })
    const events = eventsOf(harness.tick('EURUSD', '1.37000', '1.37010'))
    expect(typesOf(events)).toEqual(['copyStopped', 'positionClosed', 'copyEnded'])
    expect(harness.state.accounts.get(copyId)).toMatchObject({ status: 'closed', copy: null })
    expect(harness.balance(copyId)).toBe(0n)
    expect(harness.balance(3)).toBeLessThan(usd('100000'))
    expectReplayed(harness)
  })

  test('ends when the close of its last position leaves it at its copy stop loss, without another price', () => {
    const harness = copied()
    harness.openAccount()
    const terms = { multiplier: ratio(10_000_000), exposureLimit: 30, stopLoss: 95 }
    harness.copy('1000', { ownerId: 3, terms })
    // The spread alone costs a fifth of it.
    harness.tick('EURUSD', '1.38500', '1.39500')
    harness.buy('EURUSD', { lots: '2', leverage: 30 })
    expect(typesOf(eventsOf(harness.close(1)))).toEqual([
      'positionClosed',
      'positionClosed',
      'copyStopped',
      'copyEnded',
    ])
    expectReplayed(harness)
  })

  test('never costs more than was put in, whatever the gap', () => {
    const harness = copied()
    harness.openAccount()
    const terms = { multiplier: ratio(10_000_000), exposureLimit: 30, stopLoss: 5 }
    const copyId = harness.copy('1000', { ownerId: 3, terms })
    harness.buy('EURUSD', { lots: '1.5', leverage: 30 })
    harness.tick('EURUSD', '1.00000', '1.00010')
    expect(harness.balance(3)).toBe(usd('99000'))
    expect(harness.state.accounts.get(copyId)?.status).toBe('closed')
    expectReplayed(harness)
  })

  test('that ends while a market is closed closes at its first fresh tick', () => {
    const { ids, buy, tick, closeMarket, openMarket, order, wait, ...harness } = copied('5000')
    const [copyId = 0] = ids
    tick('GBPUSD', '1.68000', '1.68010')
    buy('EURUSD', { lots: '1' })
    buy('GBPUSD', { lots: '1' })
    closeMarket('GBPUSD')
    expect(typesOf(eventsOf(order({ type: 'stopCopy', copyId }, 3)))).toEqual([
      'copyStopped',
      'positionClosed',
    ])
    expect(lotsOf(harness, copyId)).toEqual(['0.05'])
    expect(eventsOf(tick('EURUSD', '1.38500', '1.38510'))).toEqual([])
    openMarket('GBPUSD')
    wait(60_000)
    expect(typesOf(eventsOf(tick('GBPUSD', '1.67000', '1.67010')))).toEqual(['positionClosed', 'copyEnded'])
    expectReplayed(harness)
  })

  test('that starts with the open orders sizes all of them on what was put in', () => {
    const harness = copied()
    for (let count = 0; count < 3; count += 1) harness.buy('EURUSD', { lots: '1', leverage: 30 })
    harness.tick('EURUSD', '1.38520', '1.38530')
    // The provider's equity is just such that 10,000 gives three tenths of a lot; the fee of the first would cost a step.
    const equity = figures(harness, 1).equity
    harness.openAccount()
    const terms = { multiplier: ratio(1_000_000), exposureLimit: 30, stopLoss: 5 }
    const amount = (Number(equity) / 1e7).toFixed(6)
    const events = eventsOf(harness.start(amount, { ownerId: 3, isWithOpenOrders: true, terms }))
    const opened = events.filter((event) => event.type === 'positionOpened')
    expect(opened.map(({ lots }) => lots)).toEqual([1_000, 1_000, 1_000])
    expect(new Set(opened.map(({ copied: fill }) => fill?.equity))).toEqual(new Set([usd(amount)]))
    expectReplayed(harness)
  })

  test('may start with the open orders, at the present price', () => {
    const harness = copied()
    harness.buy('EURUSD', { lots: '1' })
    harness.openAccount()
    const events = eventsOf(harness.start('5000', { ownerId: 3, isWithOpenOrders: true }))
    expect(typesOf(events)).toEqual(['copyStarted', 'positionOpened'])
    harness.close(1)
    expect(lotsOf(harness, harness.state.lastAccountId)).toEqual([])
    expectReplayed(harness)
  })

  test('only closes whole positions, for its owner', () => {
    const { ids, buy, close } = copied('5000')
    const [copyId = 0] = ids
    buy('EURUSD', { lots: '1' })
    expect(effects(buy('EURUSD', { accountId: copyId }))).toEqual(['refused copyClosesOnly'])
    expect(effects(close(2, { lots: '0.01', accountId: copyId }))).toEqual(['refused copyClosesOnly'])
    expect(effects(close(2, { accountId: copyId }))).toEqual(['2 positionClosed'])
    // Nothing is left to close when the provider closes, and the log of the copy says so.
    const [, row] = eventsOf(close(1))
    expect(row).toMatchObject({
      type: 'copySkipped',
      accountId: copyId,
      reason: 'notHeld',
      source: { orderId: 1 },
    })
  })

  test('has a row for a reduction that is too small to follow', () => {
    const { ids, buy, close, state, ...harness } = copied('1000')
    buy('EURUSD', { lots: '1' })
    const [, row] = eventsOf(close(1, { lots: '0.2' }))
    expect(row).toMatchObject({
      type: 'copySkipped',
      reason: 'belowStep',
      source: { accountId: 1, orderId: 1 },
    })
    expect(ids.map((id) => lotsOf({ state }, id))).toEqual([['0.01']])
    expectReplayed(harness)
  })

  test('has no such rows once it ends', () => {
    const { buy, tick, close, closeMarket, order, ids } = copied('5000')
    const [copyId = 0] = ids
    tick('GBPUSD', '1.68000', '1.68010')
    buy('GBPUSD', { lots: '1' })
    buy('EURUSD', { lots: '0.1' })
    closeMarket('GBPUSD')
    order({ type: 'stopCopy', copyId }, 3)
    expect(typesOf(eventsOf(close(3)))).toEqual(['positionClosed'])
  })

  test('that ends and waits for a market ends too when its provider closes there first', () => {
    const { buy, tick, close, closeMarket, openMarket, order, ids, ...harness } = copied('5000')
    const [copyId = 0] = ids
    tick('GBPUSD', '1.68000', '1.68010')
    buy('GBPUSD', { lots: '1' })
    closeMarket('GBPUSD')
    order({ type: 'stopCopy', copyId }, 3)
    harness.clock()
    expect(harness.state.copies.size).toBe(1)
    openMarket('GBPUSD')
    expect(typesOf(eventsOf(close(1)))).toEqual(['positionClosed', 'positionClosed'])
    expect(typesOf(eventsOf(harness.clock()))).toEqual(['copyEnded'])
    expect(harness.state.copies.size).toBe(0)
    expectReplayed(harness)
  })
})

describe('the end of a strategy', () => {
  const clockUntilQuiet = (harness: Pick<CopyHarness, 'clock'>) => typesOf(eventsOf(harness.clock()))

  test('ends its copies as due work', () => {
    const { buy, send, now, ids, ...harness } = copied('5000', '6000')
    buy('EURUSD', { lots: '1' })
    expect(effects(send({ type: 'endStrategy', at: now(), accountId: 1 }))).toEqual(['strategyEnded'])
    expect(clockUntilQuiet(harness)).toEqual([
      'copyStopped',
      'positionClosed',
      'copyEnded',
      'copyStopped',
      'positionClosed',
      'copyEnded',
    ])
    expect(harness.state.copies.size).toBe(0)
    expectReplayed(harness)
  })

  test('comes with a demo reset of the provider; the copies close at the market', () => {
    const { buy, reset, ids, ...harness } = copied('5000')
    buy('EURUSD', { lots: '1' })
    reset()
    expect(harness.state.strategies.size).toBe(0)
    expect(clockUntilQuiet(harness)).toEqual(['copyStopped', 'positionClosed', 'copyEnded'])
    expectReplayed(harness)
  })

  test('comes 30 days after a provider was frozen', () => {
    const { operate, wait, ...harness } = copied('5000')
    operate<SetAccountStatus>({ type: 'setAccountStatus', accountId: 1, status: 'frozen', by: TWO })
    wait(30 * 86_400_000 - 1)
    expect(clockUntilQuiet(harness)).not.toContain('strategyEnded')
    wait(1)
    expect(clockUntilQuiet(harness)).toContain('strategyEnded')
    expect(harness.state.copies.size).toBe(0)
    expectReplayed(harness)
  })

  const frozenDays = (steps: readonly (readonly [status: 'frozen' | 'active', days: number])[]) => {
    const { operate, wait, ...harness } = copied('5000')
    for (const [status, days] of steps) {
      operate<SetAccountStatus>({ type: 'setAccountStatus', accountId: 1, status, by: TWO })
      wait(days * 86_400_000)
      clockUntilQuiet(harness)
    }
    return { ...harness, operate, wait }
  }

  test.each([
    ['frozen again without a pause', [['frozen', 29]], 1],
    [
      'free for less than 7 days in between',
      [
        ['frozen', 20],
        ['active', 6.99],
      ],
      3.01,
    ],
    [
      'free for 7 days in between',
      [
        ['frozen', 20],
        ['active', 7],
      ],
      30,
    ],
  ] as const)('comes 30 days after the first freeze that counts: %s', (_name, steps, left) => {
    const { operate, wait, ...harness } = frozenDays(steps)
    operate<SetAccountStatus>({ type: 'setAccountStatus', accountId: 1, status: 'frozen', by: TWO })
    wait(Math.round(left * 86_400_000) - 1)
    expect(clockUntilQuiet(harness)).not.toContain('strategyEnded')
    wait(1)
    expect(clockUntilQuiet(harness)).toContain('strategyEnded')
    expectReplayed(harness)
  })

  test('of a frozen provider began with every freeze by the rules before version 6', () => {
    const { operate, wait, ...harness } = copied('5000')
    harness.state.rulesVersion = 5
    for (const days of [29, 29]) {
      operate<SetAccountStatus>({ type: 'setAccountStatus', accountId: 1, status: 'frozen', by: TWO })
      wait(days * 86_400_000)
      expect(clockUntilQuiet(harness)).not.toContain('strategyEnded')
    }
  })

  test.each([
    ['resets the demo', (harness: CopyHarness) => harness.reset()],
    [
      'closes the account',
      ({ send, now }: CopyHarness) =>
        send({ type: 'closeAccount', at: now(), accountId: 1, leftMax: usd('0') }),
    ],
  ])('comes when the provider %s while 500 copy: each closes, ends and returns its money', (_, end) => {
    const { buy, close, ids, ...harness } = crowd(500)
    buy('EURUSD', { lots: '10' })
    // A closed account has no position; those of its copies wait for a price.
    if (_ === 'closes the account') close(1)
    eventsOf(end(harness as CopyHarness) as Parameters<typeof eventsOf>[0])
    while (harness.state.copies.size > 0) expect(clockUntilQuiet(harness)).toContain('copyEnded')
    for (const id of ids) {
      expect(harness.balance(id)).toBe(0n)
      expect(harness.state.accounts.get(id)?.orders.size).toBe(0)
    }
    expect(harness.state.accounts.get(1)?.copiers).toEqual([])
    expectReplayed(harness)
  })

  test('of a user who copies comes first in a demo reset: without a fill, and one transfer restores the balance', () => {
    const { reset, buy, tick, ids, ...harness } = copied('5000')
    const [copyId = 0] = ids
    buy('EURUSD', { lots: '10', leverage: 30 })
    tick('EURUSD', '1.38000', '1.38010')
    const left = harness.balance(copyId)
    const events = eventsOf(reset({ accountId: 3 }))
    expect(typesOf(events)).toEqual(['copyStopped', 'positionClosed', 'copyEnded', 'demoReset'])
    expect(events[1]).toMatchObject({ reason: 'demoReset', closePrice: null, profit: 0n })
    expect(events[2]).toMatchObject({ reason: 'ownerReset', fee: 0n, carriedLoss: 0n })
    expect(events[3]).toMatchObject({ transfers: [{ amount: usd('5000') - left }] })
    expect(harness.balance(copyId)).toBe(0n)
    expect(harness.balance(3)).toBe(usd('100000'))
    expect(harness.state.copies.size).toBe(0)
    expectReplayed(harness)
  })

  test('of a user who copies comes with a demo reset, also where it waits for a price and is charged for a night', () => {
    const { reset, order, buy, wait, clock, ids, ...harness } = copied('5000')
    buy('EURUSD', { lots: '10', leverage: 30 })
    wait(2 * 86_400_000)
    order({ type: 'stopCopy', copyId: ids[0] ?? 0 }, 3)
    expect(harness.state.copies.size).toBe(1)
    const events = eventsOf(reset({ accountId: 3 }))
    expect(events.at(-2)).toMatchObject({ type: 'copyEnded', reason: 'ownerReset' })
    expect(harness.state.copies.size).toBe(0)
    expect(harness.balance(3)).toBe(usd('100000'))
    expectReplayed(harness)
  })
})

describe('the fee of a month', () => {
  test('is written for each copy at the last 17:00 New York, even where there is none', () => {
    const { wait, clock, buy, tick, close, ...harness } = copied()
    harness.openAccount()
    harness.send({ type: 'endStrategy', at: harness.now(), accountId: 1 })
    harness.publish(200_000, 2)
    const winner = harness.copy('10000', { ownerId: 3 })
    buy('EURUSD', { lots: '10', accountId: 2 })
    tick('EURUSD', '1.39500', '1.39510')
    close(1, { accountId: 2 })
    const before = harness.balance(winner)
    const late = harness.copy('10000', { ownerId: 1 })
    // 31 May 2014, 21:00 UTC.
    wait(Date.UTC(2014, 4, 31, 21) - harness.now())
    const charged = eventsOf(clock()).filter((event) => event.type === 'performanceFeeCharged')
    expect(charged.map((event) => 'accountId' in event && event.accountId)).toEqual([winner, late])
    const gain = before - usd('10000')
    expect(charged[0]).toMatchObject({ fee: (gain * 2n + 5n) / 10n })
    expect(harness.balance(winner)).toBe(before - (gain * 2n + 5n) / 10n)
    expect(charged[1]).toMatchObject({ fee: 0n })
    expectReplayed(harness)
  })
})

test('the fee of a month is left out, and the mark stays, where its money is used as margin', () => {
  const harness = copied()
  harness.publish()
  harness.openAccount()
  harness.send({ type: 'endStrategy', at: harness.now(), accountId: 1 })
  harness.publish(300_000, 2)
  const terms = { multiplier: ratio(10_000_000), exposureLimit: 30, stopLoss: 5 }
  const copyId = harness.copy('1000', { ownerId: 3, terms })
  harness.buy('EURUSD', { lots: '2', leverage: 30, accountId: 2 })
  harness.tick('EURUSD', '1.39500', '1.39510')
  harness.close(1, { accountId: 2 })
  // 1,190 now; a position takes nearly all of it as margin.
  harness.buy('EURUSD', { lots: '2.2', leverage: 30, accountId: 2 })
  harness.wait(Date.UTC(2014, 4, 31, 21) - harness.now())
  const charged = eventsOf(harness.clock()).filter((event) => event.type === 'performanceFeeCharged')
  expect(charged).toMatchObject([{ accountId: copyId, fee: 0n, mark: usd('1000'), transfers: [] }])
  expectReplayed(harness)
})

describe('one row in several turns', () => {
  const many = () => copied(...Array.from({ length: 30 }, (_, index) => String(1_000 + 100 * index)))

  test('stays open until the last copy has followed', () => {
    const { core, now } = many()
    const at = now()
    const command = { type: 'placeOrder', at, accountId: 1, instrumentId: instrumentOf('EURUSD').id } as const
    const terms = { side: 'buy', lots: units('10'), leverage: 30, targetPrice: null } as const
    const none = { takeProfit: null, stopLoss: null, expiresAt: null }
    const outcome = transact(core, { ...command, ...terms, ...none })
    expect(outcome).toMatchObject({ isRowOpen: true, entry: { events: [{ type: 'positionOpened' }] } })
    expect(() => transact(core, { type: 'clock', at })).toThrow()
    const counts: number[] = []
    while (core.unfinished) counts.push(followOn(core, { events: 8, checks: 1_000 }).entry.events.length)
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(30)
    expect(Math.max(...counts)).toBe(8)
  })

  test('lets other accounts decide in between, with the same outcome as after it', () => {
    const run = (isMeanwhile: boolean) => {
      const harness = many()
      const { core, now, journal } = harness
      const order = (accountId: number) => ({
        type: 'placeOrder' as const,
        at: now(),
        accountId,
        instrumentId: instrumentOf('EURUSD').id,
        side: 'buy' as const,
        lots: units('10'),
        leverage: 30,
        targetPrice: null,
        takeProfit: null,
        stopLoss: null,
        expiresAt: null,
      })
      const keep = (outcome: ReturnType<typeof transact>) => {
        if (isRejection(outcome)) throw new Error(outcome.rejected)
        journal.push(outcome.entry)
      }
      keep(transact(core, order(1)))
      keep(followOn(core, { events: 8, checks: 1_000 }))
      expect(mayDecideMeanwhile(core, order(1))).toBe(false)
      expect(mayDecideMeanwhile(core, order(harness.ids[0] ?? 0))).toBe(false)
      expect(mayDecideMeanwhile(core, order(2))).toBe(true)
      if (isMeanwhile) keep(transact(core, order(2)))
      while (core.unfinished) keep(followOn(core, { events: 8, checks: 1_000 }))
      if (!isMeanwhile) keep(transact(core, order(2)))
      expectReplayed(harness)
      return [1, 2, ...harness.ids].map((id) => [figures(harness, id).equity, lotsOf(harness, id)])
    }
    expect(run(true)).toEqual(run(false))
  })
})
