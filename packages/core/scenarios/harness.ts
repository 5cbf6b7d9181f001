import assert from 'node:assert/strict'
import {
  evolve,
  figuresOf,
  followOn,
  hasDueWork,
  isRejection,
  mayDecideMeanwhile,
  transact,
  violations,
  type Budget,
  type Command,
  type Core,
  type Entry,
  type Event,
  type Instrument,
  type LedgerKind,
  type OperatorCommand,
  type Outcome,
  type PendingKind,
  type PlaceOrder,
  type Posting,
  type Quote,
  type Rejection,
  type Request,
  type SetAlert,
  type Side,
  type TradingMode,
  type Money,
  type TradingSettings,
} from '../src/index.ts'
import {
  DEALER,
  INSTRUMENTS,
  instrumentOf,
  lotsOf,
  PLAIN_SETTINGS,
  priceOf,
  coreOf,
  TWO,
  usd,
} from './market.ts'

/** 2014-05-02 12:30:00 UTC, the minute of the payrolls: every harness starts there. */
export const START = Date.UTC(2014, 4, 2, 12, 30)

const SETTINGS: TradingSettings = {
  ...PLAIN_SETTINGS,
  // Far below any level: stories about something else are not ended by a stop-out.
  stopOutLevel: -1_000_000,
}

/** An order in words: prices and lots as decimals. */
export type Wish = {
  lots?: string
  leverage?: number
  target?: string
  kind?: PendingKind
  takeProfit?: string | undefined
  stopLoss?: string | undefined
  expiresAt?: number
  request?: Request
  accountId?: number
}

/** What a test may look at: everything but the functions. Lists keep their order, for it decides too. */
export const snapshotOf = ({ state, triggers }: Pick<Core, 'state' | 'triggers'>) =>
  structuredClone({
    accounts: [...state.accounts],
    orders: [...state.orders],
    ledger: [...state.ledger.balances],
    requests: [...state.requests],
    triggers: [...triggers.all()].toSorted((a, b) => a.orderId - b.orderId || (a.kind < b.kind ? -1 : 1)),
    cases: [...state.cases],
    halts: [...state.halts],
    haltEnds: [...state.haltEnds],
    singleOperatorHaltAllowedFrom: [...state.singleOperatorHaltAllowedFrom],
    mode: [state.mode, state.modeReason, state.modeAfterHalt],
    freezes: [...state.freezes],
    recentFreezes: [...state.recentFreezes],
    rulesVersion: state.rulesVersion,
    alerts: [...state.alerts],
    dayPrices: state.dayPrices,
    lastAlertId: state.lastAlertId,
    terms: [
      state.settings,
      state.instruments,
      state.sources,
      state.calendar,
      state.listings,
      state.announced,
    ],
    counts: [state.termsVersion, state.lastChangeId, state.lastCaseId],
    nights: [...state.rollovers],
    lastRollover: state.lastRollover,
    lastPriceSnapshot: state.lastPriceSnapshot,
    lastOrderId: state.lastOrderId,
    lastAccountId: state.lastAccountId,
    copying: [
      state.strategies,
      state.lastStrategyId,
      state.frozenProviders,
      state.carriedLosses,
      state.monthEnds,
      [...state.copies],
    ],
  })

const fullSnapshotOf = (core: Core) => ({
  ...snapshotOf(core),
  quotes: structuredClone([...core.state.quotes]),
})

const stopsOf = (code: string, wish: Pick<Wish, 'takeProfit' | 'stopLoss'>) => ({
  takeProfit: wish.takeProfit === undefined ? null : priceOf(code, wish.takeProfit),
  stopLoss: wish.stopLoss === undefined ? null : priceOf(code, wish.stopLoss),
})

function orderOf(side: Side, code: string, wish: Wish, at: number): PlaceOrder {
  return {
    type: 'placeOrder',
    at,
    accountId: wish.accountId ?? 1,
    instrumentId: instrumentOf(code).id,
    side,
    lots: lotsOf(wish.lots ?? '1'),
    leverage: wish.leverage ?? 10,
    targetPrice: wish.target === undefined ? null : priceOf(code, wish.target),
    ...stopsOf(code, wish),
    expiresAt: wish.expiresAt ?? null,
    kind: wish.kind,
    request: wish.request,
  }
}

/** Numbers the ticks of each instrument from 1. */
function quoteSource() {
  const sequences = new Map<string, number>()
  return (code: string, prices: { bid: string; ask: string }, time: number): Quote => {
    const seq = (sequences.get(code) ?? 0) + 1
    sequences.set(code, seq)
    return {
      instrumentId: instrumentOf(code).id,
      bid: priceOf(code, prices.bid),
      ask: priceOf(code, prices.ask),
      time,
      receivedAt: time,
      seq,
      source: 'recorded',
    }
  }
}

/** What moments lead to, no matter which command comes first after them. */
const OF_MOMENTS: ReadonlySet<Event['type']> = new Set([
  'equityRangeNoted',
  'pricesMarked',
  'swapBooked',
  'rolledOver',
])

/** Recorded prices are in the journal; a story tells of a rollover only where the clock was asked. */
const isPublished = (event: Event, command: Command): boolean =>
  command.type === 'clock'
    ? event.type !== 'pricesMarked' && event.type !== 'equityRangeNoted'
    : !OF_MOMENTS.has(event.type)

/** A command of another account while a journal row is open; null for none. */
type Meanwhile = (at: number) => Command | null

function decideMeanwhile(core: Core, journal: Entry[], meanwhile: Meanwhile | undefined): void {
  const { unfinished } = core
  const command = unfinished?.isRowOpen ? meanwhile?.(unfinished.at) : null
  if (!command) return
  assert.ok(mayDecideMeanwhile(core, command))
  const outcome = transact(core, command)
  if (!isRejection(outcome)) journal.push(outcome.entry)
}

/** What a command causes in copies, slice by slice; a tick comes back for its own. */
function* follow(
  core: Core,
  journal: Entry[],
  { budget, meanwhile, isChecked = true }: SenderOptions,
  command: Command,
) {
  while (command.type !== 'tick' && core.unfinished) {
    decideMeanwhile(core, journal, meanwhile)
    const outcome = followOn(core, budget)
    if (outcome.entry.events.length > 0) journal.push(outcome.entry)
    if (isChecked) assert.deepEqual(violations(core), [])
    yield outcome
  }
}

/**
 * Sends a command, again and again while there is more to do, and keeps its journal. After every turn it checks that a
 * refusal has changed nothing and that no invariant is broken. The answer is all that came of it; what moments led to is shown
 * to the clock alone.
 */
function sender(core: Core, journal: Entry[], options: SenderOptions) {
  const { budget, meanwhile, isChecked = true } = options
  const turn = (command: Command): Outcome | Rejection => {
    const before = isChecked && fullSnapshotOf(core)
    decideMeanwhile(core, journal, meanwhile)
    core.journalRow = journal.length + 1
    const outcome = transact(core, command, budget)
    if (!isRejection(outcome)) {
      if (outcome.repeatOf === null && outcome.entry.events.length > 0) journal.push(outcome.entry)
    } else if (before) assert.deepEqual(fullSnapshotOf(core), before, 'a refusal changed the state')
    if (isChecked) assert.deepEqual(violations(core), [])
    return outcome
  }
  return (command: Command): Outcome | Rejection => {
    const events: Event[] = []
    const postings: Posting[] = []
    for (;;) {
      const outcome = turn(command)
      if (isRejection(outcome)) return outcome
      const repeated = outcome.repeatOf === null ? null : journal[outcome.repeatOf - 1]
      if (repeated) return { ...outcome, entry: repeated }
      events.push(...outcome.entry.events.filter((event) => isPublished(event, command)))
      postings.push(...outcome.postings)
      for (const caused of follow(core, journal, options, command)) {
        events.push(...caused.entry.events)
        postings.push(...caused.postings)
      }
      if (outcome.hasMore || (command.type === 'clock' && hasDueWork(core, command.at))) continue
      return { ...outcome, entry: { ...outcome.entry, events }, postings }
    }
  }
}

type Requesting = Pick<Wish, 'request' | 'accountId'>

/** What an account may request; account 1 unless another is named. */
const usersAt = (send: (command: Command) => Outcome | Rejection, now: () => number) => ({
  buy: (code: string, wish: Wish = {}) => send(orderOf('buy', code, wish, now())),
  sell: (code: string, wish: Wish = {}) => send(orderOf('sell', code, wish, now())),
  close: (orderId: number, { lots, ...requesting }: Requesting & { lots?: string } = {}) =>
    send({
      type: 'closePosition',
      at: now(),
      accountId: 1,
      orderId,
      ...(lots === undefined ? {} : { lots: lotsOf(lots) }),
      ...requesting,
    }),
  closeAll: (requesting: Requesting = {}) =>
    send({ type: 'closeAll', at: now(), accountId: 1, ...requesting }),
  reverse: (orderId: number, requesting: Requesting = {}) =>
    send({ type: 'reversePosition', at: now(), accountId: 1, orderId, ...requesting }),
  /** The distance in the instrument's price ("0.00100"); null ends it. */
  trail: (orderId: number, code: string, distance: string | null, requesting: Requesting = {}) =>
    send({
      type: 'setTrailing',
      at: now(),
      accountId: 1,
      orderId,
      distance: distance === null ? null : priceOf(code, distance),
      ...requesting,
    }),
  cancel: (orderId: number, requesting: Requesting = {}) =>
    send({ type: 'cancelOrder', at: now(), accountId: 1, orderId, ...requesting }),
  setStops: (orderId: number, code: string, { takeProfit, stopLoss, ...requesting }: Wish = {}) =>
    send({
      type: 'setStops',
      at: now(),
      accountId: 1,
      orderId,
      ...stopsOf(code, { takeProfit, stopLoss }),
      ...requesting,
    }),
  setAlert: (
    condition: SetAlert['condition'],
    {
      pauseMs = null,
      expiresAt = null,
      ...requesting
    }: Requesting & { pauseMs?: number | null; expiresAt?: number | null } = {},
  ) => send({ type: 'setAlert', at: now(), accountId: 1, condition, pauseMs, expiresAt, ...requesting }),
  removeAlert: (alertId: number, requesting: Requesting = {}) =>
    send({ type: 'removeAlert', at: now(), accountId: 1, alertId, ...requesting }),
  reset: (requesting: Requesting & { start?: Money } = {}) =>
    send({ type: 'resetDemo', at: now(), accountId: 1, ...requesting }),
})

type Options = {
  settings?: Partial<TradingSettings>
  instruments?: readonly Instrument[]
  freshSince?: number
  budget?: Budget
  meanwhile?: Meanwhile
  /** False with so many accounts that looking at all of them after every turn takes too long. */
  isChecked?: boolean
}

type SenderOptions = Pick<Options, 'budget' | 'meanwhile' | 'isChecked'>

/** A test harness: one core with its clock, its journal and its opening hours. */
export function createHarness(options: Options = {}) {
  const closed = new Set<string>()
  const world = {
    settings: { ...SETTINGS, ...options.settings },
    instruments: options.instruments ?? INSTRUMENTS,
    isOpen: (instrument: Instrument) => !closed.has(instrument.code),
    freshSince: options.freshSince ?? 0,
  }
  const core = coreOf(world)
  const journal: Entry[] = []
  const send = sender(core, journal, options)
  const quote = quoteSource()
  let now = START
  return {
    core,
    state: core.state,
    journal,
    send,
    now: () => now,
    wait: (ms: number) => void (now += ms),
    openAccount: (ledger: LedgerKind = 'demo') => send({ type: 'openAccount', ledger, at: now }),
    /** A tick that arrives now and is taken `delayMs` later. */
    tick: (code: string, bid: string, ask: string, delayMs = 0) =>
      send({ type: 'tick', at: now + delayMs, quote: quote(code, { bid, ask }, now) }),
    clock: () => send({ type: 'clock', at: now }),
    ...usersAt(send, () => now),
    /** By two operators, so that it stands until it is lifted. */
    halt: (code: string, reason: string | null, by = TWO) =>
      send({ type: 'haltInstrument', at: now, instrumentId: instrumentOf(code).id, reason, by }),
    mode: (mode: TradingMode, by = TWO) => send({ type: 'setTradingMode', at: now, mode, by }),
    /** Lets an operator act: whatever is left out is the same on every harness. */
    operate: <C extends OperatorCommand>(command: Omit<C, 'at' | 'by'> & { by?: C['by'] }) =>
      send({ by: DEALER, ...command, at: now } as unknown as Command),
    closeMarket: (code: string) => void closed.add(code),
    openMarket: (code: string) => void closed.delete(code),
    /** A second core, made from the journal alone. */
    replayed: () => {
      const copy = coreOf(world)
      for (const [index, entry] of journal.entries()) {
        copy.journalRow = index + 1
        evolve(copy, entry)
      }
      return copy
    },
  }
}

export type Harness = ReturnType<typeof createHarness>

/** A harness with one demo account, id 1. */
export function demoHarness(options?: Parameters<typeof createHarness>[0]): Harness {
  const harness = createHarness(options)
  harness.openAccount()
  return harness
}

/** A harness with one demo account that is stopped out at 50 %. */
export const riskyHarness = (demoBalance: string, settings: Partial<TradingSettings> = {}): Harness =>
  demoHarness({ settings: { stopOutLevel: 50, demoBalance: usd(demoBalance), ...settings } })

/** The only event of a command that had to take effect. */
export function onlyEvent<Type extends Event['type']>(
  outcome: Outcome | Rejection,
  type: Type,
): Extract<Event, { type: Type }> {
  assert.ok(!isRejection(outcome), `refused: ${JSON.stringify('rejected' in outcome && outcome.rejected)}`)
  const [event, ...others] = outcome.entry.events
  assert.equal(others.length, 0, 'more than one event')
  assert.equal(event?.type, type)
  return event as Extract<Event, { type: Type }>
}

/** Which orders a command touched and how, in order: "1 positionClosed". */
export function effects(outcome: Outcome | Rejection): string[] {
  if (isRejection(outcome)) return [`refused ${outcome.rejected}`]
  return outcome.entry.events.map((event) =>
    'orderId' in event ? `${event.orderId} ${event.type}` : event.type,
  )
}

/** The figures of account 1, or of another. */
export function figures(harness: Pick<Harness, 'state'>, accountId = 1) {
  const account = harness.state.accounts.get(accountId)
  assert.ok(account)
  return figuresOf(harness.state, account)
}
