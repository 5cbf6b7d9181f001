import {
  DEPLOYMENT,
  lots,
  money,
  opposite,
  price,
  ratio,
  RULES,
  ruleVersionOf,
  type Event,
  type PositionTerms,
  type Price,
  type Receipt,
  type ReceiptTick,
  type Transfer,
} from '@fairlot/core'
import { expect, it } from 'vitest'
import { onEveryDatabase } from '../testing/on-every-database.ts'
import { entryOf, EURUSD, marketOrder } from '../../../../testing/test-world.ts'
import { createHarness } from '../testing/engine-harness.ts'
import { differenceWith, forgeEvent, tradedDatabase, type EventEdit } from './test-kit.ts'

onEveryDatabase('verify of a forged journal', (databases) => {
  it(
    'finds every figure that does not follow from its tick, even with recomputed hashes',
    {
      timeout: TIMEOUT_MS,
    },
    async () => {
      const database = await databases.open()
      await tradedDatabase(database)
      const missed: string[] = []
      for (const [name, { edit, difference: pattern }] of Object.entries(FORGERIES)) {
        const difference = await differenceWith(database, (queries) => forgeEvent(queries, edit))
        if (!pattern.test(difference ?? '')) missed.push(`${name}: ${difference}`)
      }
      expect(missed).toEqual([])
    },
  )

  it('finds a skipped rollover', async () => {
    const database = await databases.open()
    const { engine, clock, tick, openAccount } = await createHarness(database)
    const accountId = await openAccount()
    await tick(108_000)
    await engine.execute(marketOrder(accountId))
    clock.at += 2 * DAY_MS
    await tick(108_001)
    await tick(108_002)
    await engine.caughtUp()
    expect(await differenceWith(database, () => Promise.resolve())).toBeNull()
    const skip = (event: Event) => (event.type === 'swapBooked' ? moved(event, DAY_MS) : null)
    expect(await differenceWith(database, (queries) => forgeEvent(queries, skip))).toMatch(
      /swapBooked of order 1: rollover is \d+, it should be (\d+|"a journaled one")/,
    )
  })

  it('finds a price with another mark-up than its terms name', async () => {
    const database = await databases.open()
    const { engine, clock, tick, openAccount } = await createHarness(database)
    const accountId = await openAccount()
    await tick(108_000)
    const setMarkUp = async (markUp: number) => {
      const change = {
        kind: 'instrument' as const,
        instrument: { ...EURUSD, markUp: ratio(markUp) },
        listing: null,
      }
      entryOf(await engine.execute({ type: 'setTerms', by: DEPLOYMENT, effectiveAt: null, change }))
    }
    const trade = async () => void entryOf(await engine.execute(marketOrder(accountId)))
    await setMarkUp(100)
    // At the price before the change, and in the same millisecond as the change.
    await trade()
    await tick(108_000)
    await trade()
    clock.at += 1_000
    await tick(108_000)
    await trade()
    await setMarkUp(40)
    await trade()
    clock.at += 1_000
    await tick(108_001)
    await trade()
    await engine.caughtUp()
    expect(await differenceWith(database, () => Promise.resolve())).toBeNull()
    /** A fill, with another mark-up in its receipt. */
    const forged = (orderId: number, other: Partial<ReceiptTick>) =>
      differenceWith(database, (queries) =>
        forgeEvent(queries, (event) => {
          if (event.type !== 'positionOpened' || event.orderId !== orderId || !event.receipt.tick) return null
          const { markUp: _, ...tick } = event.receipt.tick
          return { ...event, receipt: { ...event.receipt, tick: { ...tick, ...other } } }
        }),
      )
    expect(await forged(3, {})).toMatch(/positionOpened of order 3: mark-up is 0, it should be 11/)
    expect(await forged(4, { markUp: 3 })).toMatch(/positionOpened of order 4: mark-up is 3, it should be 11/)
    expect(await forged(5, { markUp: 11 })).toMatch(
      /positionOpened of order 5: mark-up is 11, it should be 4/,
    )
  })
})

/** Each forgery is verified separately. */
const TIMEOUT_MS = 90_000

type Forgery = { edit: EventEdit; difference: RegExp }

/** The position named by a closed part. */
const PARTS: Record<string, Forgery> = Object.fromEntries(
  Object.entries({
    side: (position) => ({ side: opposite(position.side) }),
    kind: () => ({ kind: 'limit' }),
    leverage: ({ leverage }) => ({ leverage: leverage + 1 }),
    createdAt: ({ createdAt }) => ({ createdAt: createdAt - 1 }),
    openedAt: ({ openedAt }) => ({ openedAt: openedAt - 1 }),
    openPrice: ({ openPrice }) => ({ openPrice: price(openPrice - 1) }),
    takeProfit: () => ({ takeProfit: price(1) }),
  } satisfies Record<string, (position: PositionTerms) => Partial<PositionTerms>>).map(([name, forged]) => [
    `${name} of the position behind a part`,
    {
      edit: (event: Event) =>
        event.type === 'positionReduced'
          ? { ...event, position: { ...event.position, ...forged(event.position) } }
          : null,
      difference: new RegExp(`positionReduced of order \\d+: position ${name} is`),
    },
  ]),
)

/** Terms, prices and times of events. */
const CIRCUMSTANCES: Record<string, Forgery> = {
  'terms of another version': {
    edit: (event) =>
      'receipt' in event ? ({ ...event, receipt: { ...event.receipt, terms: 99 } } as Event) : null,
    difference: /terms is 99, it should be \d+/,
  },
  'higher fees than in the terms in effect': {
    edit: (event) =>
      event.type === 'termsSet' && event.change.kind === 'instrument'
        ? {
            ...event,
            change: {
              ...event.change,
              instrument: { ...event.change.instrument, feeRate: ratio(2_000) },
            },
          }
        : null,
    difference: /fee is "?\d+"?, it should be "?\d+/,
  },
  'a stop-out that was not due': {
    edit: (event) => {
      if (event.type !== 'positionClosed' || event.reason !== 'stopOut') return null
      const prices = (event.receipt.prices ?? []).map((tick) => ({
        ...tick,
        bid: price(tick.bid + 20_000),
        ask: price(tick.ask + 20_000),
      }))
      return { ...event, receipt: { ...event.receipt, prices } }
    },
    difference: /stop-out is "not due at an equity of|prices of the stop-out|tick \d+ (bid|ask)/,
  },
  'a mark-up that no terms name': {
    edit: (event) =>
      'receipt' in event && event.receipt.tick
        ? ({ ...event, receipt: { ...event.receipt, tick: { ...event.receipt.tick, markUp: 1 } } } as Event)
        : null,
    difference: /mark-up is 1, it should be 0/,
  },
  'snapshot prices of another moment': {
    edit: (event) => (event.type === 'pricesMarked' ? { ...event, moment: event.moment + HOUR_MS } : null),
    difference: /pricesMarked: moment is \d+, it should be \d+/,
  },
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Each rollover once, at its own 17:00 New York. */
const ROLLOVERS: Record<string, Forgery> = {
  'a rollover an hour early': {
    edit: (event) => (event.type === 'swapBooked' ? [moved(event, -HOUR_MS), event] : null),
    difference: /swapBooked of order \d+: rollover is \d+, it should be "a journaled one"/,
  },
  'the same rollover again': {
    edit: (event) => (event.type === 'swapBooked' ? [event, event] : null),
    difference:
      /swapBooked of order \d+: (order is \d+, it should be \d+|rollover is \d+, it should be "a due one")/,
  },
  'a rollover before the position': {
    edit: (event) => (event.type === 'swapBooked' ? moved(event, -DAY_MS) : null),
    difference: /swapBooked of order \d+: rollover is \d+, it should be "a journaled one"/,
  },
  'a rollover in the future': {
    edit: (event) => (event.type === 'swapBooked' ? [event, moved(event, DAY_MS)] : null),
    difference: /swapBooked of order \d+: rollover is \d+, it should be "a journaled one"/,
  },
  'postponed rollovers': {
    edit: (event) => (event.type === 'rolledOver' ? moved(event, 30 * DAY_MS) : null),
    difference: /^journal row \d+: rolledOver: rollover is \d+, it should be "a journaled one"/,
  },
}

/** Action, trigger and rules of receipts. */
const OCCASIONS: Record<string, Forgery> = {
  'another trigger': {
    edit: (event) => withReceipt(event, 'positionOpened', { trigger: 'operator' }),
    difference: /positionOpened of order \d+: trigger is "operator", it should be "/,
  },
  'another action': {
    edit: (event) => withReceipt(event, 'positionClosed', { action: 'open' }),
    difference: /positionClosed of order \d+: action is "open", it should be "close"/,
  },
  'rules of another version': {
    edit: (event) => withReceipt(event, 'orderPlaced', { ruleVersion: ruleVersionOf(RULES) + 1 }),
    difference: /orderPlaced of order \d+: rule version is \d+, it should be \d+/,
  },
  'a cancelled order with another requested price': {
    edit: (event) => withReceipt(event, 'orderCancelled', { requestedPrice: price(1) }),
    difference: /orderCancelled of order \d+: requested price is 1, it should be/,
  },
  'an end without a reason': {
    edit: (event) => (event.type === 'positionClosed' ? { ...event, reason: 'none' } : null),
    difference: /positionClosed of order \d+: trigger is "\w+", it should be missing/,
  },
}

const FORGERIES: Record<string, Forgery> = {
  ...CIRCUMSTANCES,
  'open price': {
    edit: (event) =>
      event.type === 'positionOpened' ? { ...event, openPrice: price(event.openPrice - 1) } : null,
    difference: /^journal row \d+: positionOpened of order \d+: open price is \d+, it should be \d+$/,
  },
  margin: {
    edit: (event) =>
      event.type === 'positionOpened' ? { ...event, margin: money(event.margin - 1n) } : null,
    difference: /positionOpened of order \d+: margin/,
  },
  'fee without its transfer': {
    edit: (event) => (event.type === 'positionOpened' ? { ...event, transfers: [] } : null),
    difference: /positionOpened of order \d+: transfers/,
  },
  fee: {
    edit: (event) => (event.type === 'positionOpened' ? { ...event, fee: money(event.fee + 1n) } : null),
    difference: /positionOpened of order \d+: fee/,
  },
  reserve: {
    edit: (event) => (event.type === 'orderPlaced' ? { ...event, margin: money(event.margin + 1n) } : null),
    difference: /orderPlaced of order \d+: margin/,
  },
  profit: {
    edit: (event) =>
      event.type === 'positionClosed' ? { ...event, profit: money(event.profit + 1n) } : null,
    difference: /positionClosed of order \d+: profit/,
  },
  'close price': {
    edit: (event) =>
      event.type === 'positionClosed' && event.closePrice !== null
        ? { ...event, closePrice: price(event.closePrice + 1) }
        : null,
    difference: /positionClosed of order \d+: close price/,
  },
  slippage: {
    edit: (event) =>
      event.type === 'positionClosed' ? { ...event, receipt: { ...event.receipt, slippage: 7 } } : null,
    difference: /positionClosed of order \d+: slippage/,
  },
  'side of the quote': {
    edit: (event) =>
      event.type === 'positionOpened' && event.side === 'buy'
        ? { ...event, receipt: { ...event.receipt, quoteSide: 'bid' } }
        : null,
    difference: /positionOpened of order \d+: side of the quote/,
  },
  delay: {
    edit: (event) =>
      event.type === 'positionClosed' ? { ...event, receipt: { ...event.receipt, delayMs: -1 } } : null,
    difference: /positionClosed of order \d+: delay/,
  },
  'margin of a part': {
    edit: (event) =>
      event.type === 'positionReduced' ? { ...event, margin: money(event.margin + 1n) } : null,
    difference: /positionReduced of order \d+: margin/,
  },
  swap: {
    edit: (event) => (event.type === 'swapBooked' ? { ...event, amount: money(event.amount + 1n) } : null),
    difference: /swapBooked of order \d+: swap/,
  },
  'a swap booked twice': {
    edit: (event) => (event.type === 'swapBooked' ? { ...event, nights: event.nights * 2 } : null),
    difference: /swapBooked of order \d+: nights/,
  },
  'missing negative balance protection': {
    edit: (event) => {
      if (event.type !== 'positionClosed') return null
      const transfers = event.transfers.filter(({ kind }) => kind !== 'protection')
      return transfers.length < event.transfers.length ? { ...event, transfers } : null
    },
    difference: /positionClosed of order \d+: transfers/,
  },
  'demo issue': {
    edit: (event) =>
      event.type === 'accountOpened' ? { ...event, transfers: raised(event.transfers) } : null,
    difference: /^journal row \d+: accountOpened: transfers 0 amount/,
  },
  'demo reset': {
    edit: (event) =>
      event.type === 'demoReset' && event.transfers.length > 0
        ? { ...event, transfers: raised(event.transfers) }
        : null,
    difference: /^journal row \d+: demoReset: transfers 0 amount/,
  },
  'a demo reset to more than was chosen': {
    edit: (event) =>
      event.type === 'demoReset' && event.start !== undefined
        ? { ...event, start: money(event.start + 1n) }
        : null,
    difference: /^journal row \d+: demoReset: transfers 0 amount/,
  },
  'a demo reset to nothing': {
    edit: (event) => (event.type === 'demoReset' ? { ...event, start: money(0n) } : null),
    difference: /demoReset: whether its balance is above zero is false, it should be true/,
  },
  'money that moves without a reset': {
    edit: (event) =>
      event.type === 'demoReset' ? { ...event, accountId: event.accountId === 1 ? 2 : 1 } : null,
    difference: /demoReset: (active orders|transfers)|without a demo reset|alertRemoved .* is "with others"/,
  },
  'a loss forgiven as if by a reset': {
    edit: (event) => {
      if (event.type !== 'positionClosed' || event.reason !== 'user') return null
      const receipt = {
        ...event.receipt,
        quoteSide: null,
        requestedPrice: null,
        filledPrice: null,
        slippage: 0,
      }
      const free = { closePrice: null, profit: money(0n), transfers: [] }
      return { ...event, ...free, reason: 'demoReset', receipt }
    },
    difference: /positionClosed of order \d+: ended without a fill and without a demo reset/,
  },
  'a fill at a stale price': {
    edit: (event) => (event.type === 'positionOpened' ? withTick(event, { ageMs: 60_001 }) : null),
    difference: /positionOpened of order \d+: age of the tick, up to 60000 ms is 60000, it should be \d+/,
  },
  'a fill before its tick': {
    edit: (event) => (event.type === 'positionOpened' ? withTick(event, { ageMs: -1 }) : null),
    difference: /positionOpened of order \d+: delay is not negative/,
  },
  'a tick that no guard would accept': {
    edit: (event) =>
      event.type === 'positionClosed' && event.receipt.tick
        ? withTick(event, { ask: price(event.receipt.tick.bid - 1) })
        : null,
    difference: /positionClosed of order \d+: tick is "crossed", it should be "accepted"/,
  },
  'a spread wider than any accepted': {
    edit: (event) =>
      event.type === 'positionOpened' && event.side === 'sell'
        ? withTick(event, { ask: price(event.openPrice + 5_000) })
        : null,
    difference: /positionOpened of order \d+: tick is "wideSpread"/,
  },
  'another conversion': {
    edit: (event) => {
      if (event.type !== 'positionOpened' || !event.receipt.tick) return null
      return { ...event, receipt: { ...event.receipt, conversion: [event.receipt.tick] } }
    },
    difference: /positionOpened of order \d+: conversion 0 is 1, it should be missing/,
  },
  'a limit filled before its price': {
    edit: (event) =>
      event.type === 'positionOpened' && event.kind === 'limit' && event.side === 'buy'
        ? withTick(event, { ask: price((event.targetPrice ?? 0) + 1) })
        : null,
    difference: /positionOpened of order \d+: price reached/,
  },
  'a stop loss before its price': {
    edit: (event) =>
      event.type === 'positionClosed' && event.reason === 'stopLoss' && event.receipt.quoteSide === 'ask'
        ? withTick(event, { ask: price((event.receipt.requestedPrice ?? 0) - 1) })
        : null,
    difference: /positionClosed of order \d+: (price reached|tick is "crossed")/,
  },
  'more lots than were placed': {
    edit: (event) =>
      event.type === 'positionOpened' && event.kind !== 'market'
        ? { ...event, lots: lots(event.lots + 100) }
        : null,
    difference: /positionOpened of order \d+: lots is \d+, it should be \d+/,
  },
  ...PARTS,
  ...OCCASIONS,
  ...ROLLOVERS,
  'a market order of another time': {
    edit: (event) =>
      event.type === 'positionOpened' && event.kind === 'market'
        ? { ...event, createdAt: event.createdAt - 1 }
        : null,
    difference: /positionOpened of order \d+: created at is \d+, it should be \d+/,
  },
  'a pending order of another time': {
    edit: (event) =>
      event.type === 'positionOpened' && event.kind !== 'market'
        ? { ...event, createdAt: event.createdAt - 1 }
        : null,
    difference: /positionOpened of order \d+: createdAt is \d+, it should be \d+/,
  },
  'a take profit that nobody set': {
    edit: (event) => {
      if (event.type !== 'positionClosed' || event.reason !== 'stopOut') return null
      const receipt = { ...event.receipt, trigger: 'takeProfit' as const, requestedPrice: null }
      return { ...event, reason: 'takeProfit', receipt }
    },
    difference: /positionClosed of order \d+: requested price is null, it should be "that of a stop"/,
  },
  "a swap on somebody else's account": {
    edit: (event) =>
      event.type === 'swapBooked' ? { ...event, accountId: event.accountId === 1 ? 2 : 1 } : null,
    difference: /swapBooked of order \d+: account is \d+, it should be \d+/,
  },
  'a limit that was a stop': {
    edit: (event) =>
      event.type === 'orderPlaced' && event.kind === 'stop' ? { ...event, kind: 'limit' } : null,
    difference: /orderPlaced of order \d+: kind is "limit", it should be "stop"/,
  },
  'a missing end': {
    edit: (event) => (event.type === 'orderCancelled' ? [] : null),
    difference: /^(receipt|order|journal row) /,
  },
}

/** A rollover at another moment. */
const moved = <Moment extends { readonly rollover: number }>(moment: Moment, byMs: number): Moment => ({
  ...moment,
  rollover: moment.rollover + byMs,
})

/** The event with another receipt, when it is of the type; null otherwise. */
const withReceipt = (event: Event, type: Event['type'], forged: Partial<Receipt>): Event | null =>
  'receipt' in event && event.type === type ? { ...event, receipt: { ...event.receipt, ...forged } } : null

const raised = (transfers: readonly Transfer[]): Transfer[] =>
  transfers.map((transfer) => ({ ...transfer, amount: money(transfer.amount + 1n) }))

/** The event with another tick; its age becomes `ageMs`, and so does its delay. */
function withTick<Proven extends Extract<Event, { receipt: unknown }>>(
  event: Proven,
  { ageMs, ...prices }: { ageMs?: number; ask?: Price },
): Proven {
  const { tick, delayMs } = event.receipt
  if (!tick) throw new Error(`${event.type} names no tick`)
  const moved = ageMs === undefined ? 0 : ageMs - delayMs
  const forged = { ...tick, ...prices, time: tick.time - moved, receivedAt: tick.receivedAt - moved }
  return { ...event, receipt: { ...event.receipt, tick: forged, delayMs: delayMs + moved } }
}
