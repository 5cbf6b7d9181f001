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
  type ReceiptTick,
  type Transfer,
} from '@fairlot/core'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { Queries } from '../platform/database/open.ts'
import {
  TWO_OPERATORS,
  simulateDay,
  UNTRADED,
  ONE_OPERATOR,
  openTermsSimulation,
} from '../testing/terms-simulation.ts'
import { onEveryDatabase } from '../testing/on-every-database.ts'
import { differenceWith, forgeEntry, type EntryEdit } from './test-kit.ts'

/** Each forgery is verified separately. */
const TIMEOUT_MS = 120_000

onEveryDatabase('verify of forged circumstances', (databases) => {
  it(
    'finds wrong authors, changes beyond the terms and events at the wrong time',
    { timeout: TIMEOUT_MS },
    async () => {
      const database = await databases.open()
      const simulation = await openTermsSimulation(database, 3)
      await simulateDay(simulation, 0)
      await simulation.resetRestrictions()
      await simulation.stop()
      expect(await differenceWith(database, () => Promise.resolve())).toBeNull()
      const missed: string[] = []
      for (const [name, [edit, pattern, tables]] of Object.entries(FORGERIES)) {
        const forge = async (queries: Queries) => {
          await forgeEntry(queries, edit)
          if (tables) await sql.raw(tables).execute(queries)
        }
        const difference = await differenceWith(database, forge).catch(String)
        if (!pattern.test(difference ?? '')) missed.push(`${name}: ${difference}`)
      }
      expect(missed).toEqual([])
      const edited = await differenceWith(database, (queries) =>
        sql.raw("update money_case set ended_reason = 'another' where id = 1").execute(queries),
      )
      expect(edited).toMatch(/^case 1: ended_reason/)
    },
  )
})

const later = (tick: ReceiptTick): ReceiptTick => ({ ...tick, receivedAt: tick.receivedAt + 86_400_000 })

type Type = Event['type']
type EventOf<Name extends Type> = Extract<Event, { type: Name }>
/** `tables` forges the tables too, where the difference would otherwise show there first. */
type Forgery = readonly [edit: EntryEdit, difference: RegExp, tables?: string]

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

/** Changes the first event of the type, at any place of its entry. */
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
  'an action of an operator by a user': [
    onEntry('accountStatusSet', (entry, { accountId }) => ({
      ...entry,
      author: { type: 'user', accountId },
    })),
    /accountStatusSet: author is "user", it should be "operator or clock"/,
  ],
  'terms set by the clock': [
    onEntry('termsSet', (entry) => (entry.author.type === 'operator' ? { ...entry, author: CLOCK } : null)),
    /termsSet: author is "clock", it should be "operator or deployment"/,
  ],
  'a close by an operator in place of its owner': [
    onEntry('positionClosed', (entry, { reason }) =>
      reason === 'user' ? { ...entry, author: ONE_OPERATOR } : null,
    ),
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
  'a payment without a second operator': [
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
  'a deposit at another rate than its prices give': [
    onEvent('depositEnded', (event, entry) =>
      event.arrived?.at === entry.at
        ? { ...event, arrived: { ...event.arrived, rate: event.arrived.rate + 1n } }
        : null,
    ),
    /depositEnded: arrived rate is "\d+", it should be "\d+"/,
  ],
  'more credited than the money that arrived is worth at its rate': [
    onEvent('depositEnded', (event, entry) =>
      event.arrived && event.arrived.at < entry.at
        ? { ...event, arrived: { ...event.arrived, rate: event.arrived.rate - 10_000n } }
        : null,
    ),
    /depositEnded: amount is "\d+", it should be "\d+"/,
  ],
  'a deposit reported at another value than its prices give': [
    onEvent('depositOpened', (event) => (event.sent ? { ...event, amount: money(event.amount + 1n) } : null)),
    /depositOpened: amount is "\d+", it should be "\d+"/,
  ],
  'a deposit arrived before it was reported': [
    onEvent('depositEnded', (event) =>
      event.arrived ? { ...event, arrived: { ...event.arrived, at: event.arrived.at - 86_400_000 } } : null,
    ),
    /depositEnded: decision is "refused: arrivalInvalid"/,
  ],
  'a deposit by a price of another time': [
    onEvent('depositEnded', (event) =>
      event.arrived
        ? { ...event, arrived: { ...event.arrived, quotes: event.arrived.quotes.map(later) } }
        : null,
    ),
    /depositEnded: (?:price from the future|tick \d+)/,
  ],
  'a withdrawal paid beyond what was held': [
    onEvent('withdrawalEnded', (event) =>
      event.outcome === 'paid' ? { ...event, transfers: raised(event.transfers) } : null,
    ),
    /withdrawalEnded: transfers 0 amount is "\d+", it should be "\d+"/,
  ],
  'more withdrawn than the balance, with open positions': [
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
  'an adjustment approved by its requester': [
    onEntry('adjustmentEnded', (entry, event) =>
      event.transfers.some(({ amount }) => amount > 1_000_000_000n)
        ? byOperator(entry, { id: ONE_OPERATOR.id })
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

/** Terms with other values for one instrument. */
const instrumentSet = (id: number, given: object): EntryEdit =>
  onEvent('termsSet', (event, { author }) =>
    author.type === 'operator' && event.change.kind === 'instrument' && event.change.instrument.id === id
      ? { ...event, change: { ...event.change, instrument: { ...event.change.instrument, ...given } } }
      : null,
  )

/** An announcement, followed by an event of the clock about it. */
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
      // By two operators, so that it does not lapse.
      at: entry.at,
      author: TWO_OPERATORS,
      request: null,
      events: [
        {
          type: 'accountStatusSet',
          accountId,
          status,
          reason: TWO_OPERATORS.reason,
          ...(status === 'frozen' && { recentFreeze: { since: entry.at, endedAt: null } }),
        },
      ],
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
  'a mark-up beyond what anybody may set': [
    instrumentSet(1, { markUp: 10_001 }),
    /termsSet: decision is "refused: termsInvalid", it should be "accepted"/,
  ],
  'terms by superseded rules': [
    onEvent('termsSet', ({ rules, ...event }, { author }) =>
      author.type === 'operator' && rules === 3 ? event : null,
    ),
    /termsSet: rules of terms is 1, it should be 3/,
  ],
  'a withdrawal by superseded rules': [
    onEvent('termsWithdrawn', ({ rules, ...event }, { author }) =>
      author.type === 'operator' && rules === 3 ? event : null,
    ),
    /termsWithdrawn: rules of terms is 2, it should be 3/,
  ],
  'a change that leaves out what it withdraws': [
    onEntry('termsSet', (entry, event) =>
      entry.events.some(({ type }) => type === 'termsWithdrawn') ? { ...entry, events: [event] } : null,
    ),
    /termsSet: withdrawn changes 0 is missing, it should be/,
  ],
  'a change that withdraws what holds before it': [
    onEntry('termsSet', (entry, event) =>
      entry.author.type === 'operator'
        ? { ...entry, events: [event, { type: 'termsWithdrawn', changeId: event.changeId - 1, rules: 3 }] }
        : null,
    ),
    /termsSet: withdrawn changes 0 is .*, it should be missing/,
  ],
  'terms in effect before their time': [
    afterAnnouncement('termsTookEffect'),
    /termsTookEffect: moment of the terms is "yet to come", it should be "passed"/,
  ],
  'terms withdrawn by the clock before their time': [
    afterAnnouncement('termsWithdrawn'),
    /termsWithdrawn: moment of the terms is "yet to come", it should be "passed"/,
  ],
  'a missing price snapshot': [
    onEntry('pricesMarked', () => []),
    /moments that have passed is "missing", it should be "journaled"/,
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
  'lots below the minimum': [
    instrumentSet(1, { lotMin: 40_000 }),
    /of order \d+: decision is "refused: lotsBelowMinimum", it should be "accepted"/,
  ],
  'stops nearer than the minimum distance': [
    instrumentSet(1, { minStopDistance: 500 }),
    /of order \d+: decision is "refused: (takeProfit|stopLoss)WrongSide", it should be "accepted"/,
  ],
  'more open orders than allowed': [
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
  'a halt that had not ended': [
    onEvent('instrumentHalted', (event) =>
      event.instrumentId === UNTRADED ? { ...event, reason: 'no quotes' } : null,
    ),
    /instrumentHalted: aloneFrom is \d+/,
  ],
  'a pause that had not ended': [
    onEvent('tradingModeSet', (event) => ({ ...event, mode: 'cancelOnly' })),
    /tradingModeSet: mode is "cancelOnly", it should be "reduceOnly"/,
  ],
  'a halt without an end by one operator': [
    onEntry('instrumentHalted', (entry, event) =>
      entry.author.type === 'operator' && event.endsAt === null
        ? { ...entry, author: { ...entry.author, second: null } }
        : null,
    ),
    /instrumentHalted: endsAt is null, it should be \d+|refused: secondOperatorNeeded/,
  ],
  'a halt in the form of the first rules': [
    onEvent('instrumentHalted', ({ type, instrumentId, reason }) => ({ type, instrumentId, reason })),
    /instrumentHalted: (endsAt|aloneFrom) is missing/,
  ],
  'a position closed by one operator alone': [
    onEntry('positionClosed', (entry, event) =>
      event.reason === 'operator' && entry.author.type === 'operator'
        ? { ...entry, author: { ...entry.author, second: null } }
        : null,
    ),
    /decision is "refused: secondOperatorNeeded", it should be "accepted"/,
  ],
  'a return to earlier rules': [
    onEvent('rulesSet', (event) => ({ ...event, rules: 1 })),
    /rulesSet: decision is "refused: termsFixed", it should be "accepted"/,
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
            change: { ...event.change, settings: { ...event.change.settings, stopOutLevel: 10 } },
          }
        : null,
    ),
    /of order \d+: stop-out is "not due at an equity of -?\d+", it should be "due"/,
  ],
}

const PRICES: Record<string, Forgery> = {
  'snapshot prices of a rollover': [
    onEvent('pricesMarked', (event) =>
      event.night?.length
        ? { ...event, prices: event.prices.map((tick) => ({ ...tick, bid: price(tick.bid - 1) })) }
        : null,
    ),
    /tick \d+ bid is \d+, it should be \d+|swapBooked of order \d+: tick bid is \d+/,
    `update price_mark set bid = bid - 1
      where moment = (select min(rollover) from night where rates <> '[]')`,
  ],
  'the rate of a rollover': [
    onEvent('pricesMarked', (event) =>
      event.night?.length
        ? { ...event, night: event.night.map((rate) => ({ ...rate, buy: rate.buy + 1 })) }
        : null,
    ),
    /pricesMarked: night 0 buy is -?\d+, it should be -?\d+/,
  ],
  'a swap from prices outside the snapshot': [
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
      // The last tick of its instrument: an earlier one would be overwritten by later moves.
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
  'stops that trail a price that moves none of them': [
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
