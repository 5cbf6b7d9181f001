import {
  CLOCK,
  MARKET,
  money,
  price,
  ratio,
  type OpenStatus,
  type Entry,
  type Event,
  type Operator,
  type Transfer,
} from '@fairlot/core'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { Queries } from '../database/open.ts'
import { liveThrough } from '../testing/changing-days.ts'
import { LONER, ONE, openChangingLife } from '../testing/changing-life.ts'
import { onEveryDatabase } from '../testing/on-every-database.ts'
import { differenceWith, forgeEntry, type EntryEdit } from './test-kit.ts'

/** Each forgery is verified by itself. */
const PATIENCE_MS = 120_000

onEveryDatabase('verify of forged circumstances', (databases) => {
  it(
    'finds who may not have done it, what its terms forbade and what was not its time',
    { timeout: PATIENCE_MS },
    async () => {
      const database = await databases.open()
      const life = await openChangingLife(database, 3)
      await liveThrough(life, 0)
      await life.calm()
      await life.stop()
      expect(await differenceWith(database, () => Promise.resolve())).toBeNull()
      const missed: string[] = []
      for (const [name, [edit, told, alike]] of Object.entries(FORGERIES)) {
        const forge = async (queries: Queries) => {
          await forgeEntry(queries, edit)
          if (alike) await sql.raw(alike).execute(queries)
        }
        const difference = await differenceWith(database, forge).catch(String)
        if (!told.test(difference ?? '')) missed.push(`${name}: ${difference}`)
      }
      expect(missed).toEqual([])
      const edited = await differenceWith(database, (queries) =>
        sql.raw("update money_case set ended_reason = 'another' where id = 1").execute(queries),
      )
      expect(edited).toMatch(/^case 1: ended_reason/)
    },
  )
})

type Type = Event['type']
type EventOf<Name extends Type> = Extract<Event, { type: Name }>
/** `alike` forges the tables too, where they would tell it first. */
type Forgery = readonly [edit: EntryEdit, told: RegExp, alike?: string]

/** Changes the first entry that begins with an event of the type; null from `forge` leaves it. */
const onEntry =
  <Name extends Type>(
    type: Name,
    forge: (entry: Entry, event: EventOf<Name>) => ReturnType<EntryEdit>,
  ): EntryEdit =>
  (entry) => {
    const [event] = entry.events
    return event?.type === type ? forge(entry, event as EventOf<Name>) : null
  }

/** Changes the first event of the type, wherever it stands. */
const onEvent =
  <Name extends Type>(
    type: Name,
    forge: (event: EventOf<Name>, entry: Entry) => Event | readonly Event[] | null,
  ): EntryEdit =>
  (entry) => {
    for (const [index, event] of entry.events.entries()) {
      const forged = event.type === type ? forge(event as EventOf<Name>, entry) : null
      if (forged) return { ...entry, events: entry.events.toSpliced(index, 1, ...[forged].flat()) }
    }
    return null
  }

const byOperator = (entry: Entry, given: Partial<Operator>): Entry | null =>
  entry.author.type === 'operator' ? { ...entry, author: { ...entry.author, ...given } } : null

const raised = (transfers: readonly Transfer[]): Transfer[] =>
  transfers.map((transfer) => ({ ...transfer, amount: money(transfer.amount + 1n) }))

const AUTHORS: Record<string, Forgery> = {
  'the market in place of a user': [
    onEntry('positionOpened', (entry, { kind }) => (kind === 'market' ? { ...entry, author: MARKET } : null)),
    /positionOpened of order \d+: author is "market", it should be "user"/,
  ],
  'an act of an operator by a user': [
    onEntry('accountStatusSet', (entry, { accountId }) => ({
      ...entry,
      author: { type: 'user', accountId },
    })),
    /accountStatusSet: author is "user", it should be "operator"/,
  ],
  'terms set by the clock': [
    onEntry('termsSet', (entry) => (entry.author.type === 'operator' ? { ...entry, author: CLOCK } : null)),
    /termsSet: author is "clock", it should be "operator or deployment"/,
  ],
  'a close by an operator in place of its owner': [
    onEntry('positionClosed', (entry, { reason }) => (reason === 'user' ? { ...entry, author: ONE } : null)),
    /positionClosed of order \d+: author is "operator", it should be "user"/,
  ],
  'a close by an operator under the name of its owner': [
    onEntry('positionClosed', (entry, { reason, accountId }) =>
      reason === 'operator' ? { ...entry, author: { type: 'user', accountId } } : null,
    ),
    /positionClosed of order \d+: author is "user", it should be "operator"/,
  ],
  'a close by an operator beside the price': [
    onEvent('positionClosed', (event) =>
      event.reason === 'operator' && event.closePrice !== null
        ? { ...event, closePrice: price(event.closePrice - 1) }
        : null,
    ),
    /positionClosed of order \d+: .*[pP]rice is \d+, it should be \d+/,
  ],
  'an order on the account of somebody else': [
    onEntry('positionOpened', (entry, { accountId }) => ({
      ...entry,
      author: { type: 'user', accountId: accountId - 1 },
    })),
    /positionOpened of order \d+: account of the author is \d+, it should be \d+/,
  ],
  'a second operator who is the first': [
    onEntry('termsSet', (entry) =>
      entry.author.type === 'operator' && entry.author.second
        ? byOperator(entry, { second: { ...entry.author.second, id: entry.author.id } })
        : null,
    ),
    /termsSet: decision is "refused: sameOperator", it should be "accepted"/,
  ],
  'nobody beside the one who pays': [
    onEntry('withdrawalEnded', (entry, { outcome }) =>
      outcome === 'paid' ? byOperator(entry, { second: null }) : null,
    ),
    /withdrawalEnded: decision is "refused: secondOperatorNeeded"/,
  ],
}

const CASES: Record<string, Forgery> = {
  'a deposit credited twice': [
    onEvent('depositEnded', (event) => (event.outcome === 'finished' ? [event, event] : null)),
    /depositEnded: decision is "refused: caseEnded", it should be "accepted"/,
  ],
  'a deposit of another amount than its transfer': [
    onEvent('depositEnded', (event) =>
      event.outcome === 'finished' ? { ...event, amount: money(event.amount + 1n) } : null,
    ),
    /depositEnded: transfers 0 amount is "\d+", it should be "\d+"/,
  ],
  'a withdrawal paid beyond what was held': [
    onEvent('withdrawalEnded', (event) =>
      event.outcome === 'paid' ? { ...event, transfers: raised(event.transfers) } : null,
    ),
    /withdrawalEnded: transfers 0 amount is "\d+", it should be "\d+"/,
  ],
  'more withdrawn than there is, while positions stand': [
    onEvent('withdrawalHeld', (event) => {
      const amount = money(event.amount * 1_000n)
      return { ...event, amount, transfers: event.transfers.map((transfer) => ({ ...transfer, amount })) }
    }),
    /withdrawalHeld: decision is "refused: notEnoughMoney"/,
  ],
  'a withdrawal that ends twice': [
    onEvent('withdrawalEnded', (event) => (event.outcome === 'rejected' ? [event, event] : null)),
    /withdrawalEnded: decision is "refused: caseEnded"/,
  ],
  'an adjustment approved by who asked for it': [
    onEntry('adjustmentEnded', (entry, event) =>
      event.transfers.some(({ amount }) => amount > 1_000_000_000n)
        ? byOperator(entry, { id: ONE.id })
        : null,
    ),
    /adjustmentEnded: decision is "refused: sameOperator"/,
  ],
  'an adjustment refused and booked': [
    onEvent('adjustmentEnded', (event) =>
      event.outcome === 'approved' ? { ...event, outcome: 'refused' } : null,
    ),
    /adjustmentEnded: transfers 0 is/,
  ],
}

/** Terms as they were set, but for something of one instrument. */
const instrumentSet = (id: number, given: object): EntryEdit =>
  onEvent('termsSet', (event, { author }) =>
    author.type === 'operator' && event.change.kind === 'instrument' && event.change.instrument.id === id
      ? { ...event, change: { ...event.change, instrument: { ...event.change.instrument, ...given } } }
      : null,
  )

/** What is announced, followed by an event of the clock about it. */
const afterAnnouncement = (type: 'termsTookEffect' | 'termsWithdrawn'): EntryEdit =>
  onEntry('termsSet', (entry, { changeId, effectiveAt }) =>
    effectiveAt > entry.at
      ? [entry, { at: entry.at, author: CLOCK, request: null, events: [{ type, changeId }] }]
      : null,
  )

/** An account that an operator restricts at once. */
const restricted = (status: OpenStatus): EntryEdit =>
  onEntry('accountOpened', (entry, { accountId }) => [
    entry,
    {
      ...{ at: entry.at, author: ONE, request: null },
      events: [{ type: 'accountStatusSet', accountId, status, reason: ONE.reason }],
    },
  ])

const TERMS: Record<string, Forgery> = {
  'terms for the worse on short notice': [
    onEvent('termsSet', (event, { at, author }) =>
      author.type === 'operator' &&
      event.effectiveAt > at &&
      event.change.kind === 'instrument' &&
      event.change.instrument.feeRate === ratio(9_000)
        ? { ...event, effectiveAt: at + 60_000 }
        : null,
    ),
    /termsSet: decision is "refused: noticeTooShort"/,
  ],
  'terms in force before their time': [
    afterAnnouncement('termsTookEffect'),
    /termsTookEffect: moment of the terms is "yet to come", it should be "passed"/,
  ],
  'terms taken back by the clock before their time': [
    afterAnnouncement('termsWithdrawn'),
    /termsWithdrawn: moment of the terms is "yet to come", it should be "passed"/,
  ],
  'a moment that was not told': [
    onEntry('pricesMarked', () => []),
    /moments that have passed is "untold", it should be "told"/,
  ],
  'terms of another version': [
    onEvent('swapBooked', (event) => ({
      ...event,
      receipt: { ...event.receipt, terms: event.receipt.terms - 1 },
    })),
    /swapBooked of order \d+: terms is \d+, it should be \d+/,
  ],
  'an instrument that was off': [
    instrumentSet(1, { isEnabled: false }),
    /of order \d+: EURUSD is "off", it should be "on"/,
  ],
  'a market that the calendar closed': [
    onEvent('termsSet', (event, { at }) => {
      if (event.change.kind !== 'calendar' || event.effectiveAt <= at) return null
      const holidays = [{ date: new Date(at).toISOString().slice(0, 10), closesAt: null }]
      return { ...event, change: { ...event.change, session: { ...event.change.session, holidays } } }
    }),
    /of order \d+: market of AUDUSD is "closed", it should be "open"/,
  ],
  'a leverage that was not offered': [
    instrumentSet(1, { leverages: [10, 50] }),
    /of order \d+: decision is "refused: leverageNotOffered", it should be "accepted"/,
  ],
  'less lots than the least': [
    instrumentSet(1, { lotMin: 40_000 }),
    /of order \d+: decision is "refused: lotsBelowMinimum", it should be "accepted"/,
  ],
  'stops nearer than they may be': [
    instrumentSet(1, { minStopDistance: 500 }),
    /of order \d+: decision is "refused: (takeProfit|stopLoss)WrongSide", it should be "accepted"/,
  ],
  'more living orders than there may be': [
    onEvent('termsSet', (event, { author }) =>
      author.type === 'operator' && event.change.kind === 'settings'
        ? {
            ...event,
            change: { ...event.change, settings: { ...event.change.settings, maxLivingOrders: 2 } },
          }
        : null,
    ),
    /of order \d+: decision is "refused: tooManyOrders", it should be "accepted"/,
  ],
  'a halt that was not over': [
    onEvent('instrumentHalted', (event) =>
      event.instrumentId === LONER ? { ...event, reason: 'no quotes' } : null,
    ),
    /of order \d+: halt of AUDUSD is "no quotes", it should be null/,
  ],
  'a pause that was not over': [
    onEvent('tradingModeSet', (event) => ({ ...event, mode: 'cancelOnly' })),
    /of order \d+: trading is "cancelOnly", it should be "normal"/,
  ],
  'an opening on a frozen account': [
    restricted('frozen'),
    /positionOpened of order \d+: account status is "frozen", it should be "active"/,
  ],
  'an opening on an account that may only close': [
    restricted('closeOnly'),
    /positionOpened of order \d+: account status is "closeOnly", it should be "active"/,
  ],
  'a stop-out above the level': [
    onEvent('termsSet', (event, { author }) =>
      author.type === 'operator' && event.change.kind === 'settings'
        ? {
            ...event,
            change: { ...event.change, settings: { ...event.change.settings, stopOutLevel: 1 } },
          }
        : null,
    ),
    /of order \d+: stop-out is "not due at an equity of -?\d+", it should be "due"/,
  ],
}

const PRICES: Record<string, Forgery> = {
  'marked prices of a night': [
    onEvent('pricesMarked', (event) =>
      event.night?.length
        ? { ...event, prices: event.prices.map((tick) => ({ ...tick, bid: price(tick.bid - 1) })) }
        : null,
    ),
    /tick \d+ bid is \d+, it should be \d+|swapBooked of order \d+: tick bid is \d+/,
    `update price_mark set bid = bid - 1
      where moment = (select min(rollover) from night where rates <> '[]')`,
  ],
  'the rate of a night': [
    onEvent('pricesMarked', (event) =>
      event.night?.length
        ? { ...event, night: event.night.map((rate) => ({ ...rate, buy: rate.buy + 1 })) }
        : null,
    ),
    /pricesMarked: night 0 buy is -?\d+, it should be -?\d+/,
  ],
  'a swap from other prices than were marked': [
    onEvent('swapBooked', (event) => {
      const { tick } = event.receipt
      return tick && { ...event, receipt: { ...event.receipt, tick: { ...tick, bid: price(tick.bid - 1) } } }
    }),
    /swapBooked of order \d+: tick bid is \d+, it should be \d+/,
  ],
  'stops that trail a price that never was': [
    trailed((tick) => ({ ...tick, ask: price(tick.bid - 1) })),
    /trailingMoved: tick is "crossed", it should be "accepted"/,
  ],
  'stops that trail a better price than there was': [
    onEvent('trailingMoved', (event) => {
      // The last of its instrument: what a later one overtakes leaves no trace.
      if (event.tick.bid !== 130_400) return null
      const tick = { ...event.tick, bid: price(130_440), ask: price(130_443) }
      return { ...event, tick }
    }),
    /requested price is \d+, it should be \d+|order \d+: stop_loss is|tick \d+ bid is/,
  ],
  'stops that trail an old price': [
    trailed((tick) => ({ ...tick, time: tick.time - 400_000, receivedAt: tick.receivedAt - 400_000 })),
    /trailingMoved: age of the tick, 0 to \d+ ms is \d+, it should be \d+/,
  ],
  'stops that trail a price that none follows': [
    trailed((tick) => ({ ...tick, bid: price(tick.bid - 9_000), ask: price(tick.ask - 9_000) })),
    /trailingMoved: stops that follow is "none", it should be "some"/,
  ],
}

function trailed(
  forge: (tick: EventOf<'trailingMoved'>['tick']) => EventOf<'trailingMoved'>['tick'],
): EntryEdit {
  return onEvent('trailingMoved', (event) => ({ ...event, tick: forge(event.tick) }))
}

const FORGERIES: Record<string, Forgery> = { ...AUTHORS, ...CASES, ...TERMS, ...PRICES }
