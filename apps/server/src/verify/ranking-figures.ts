/**
 * The figures of the ranking once more, by a plain second implementation: from the journal alone, every point of a
 * strategy's record computed by itself, every window by adding up its points.
 */
import {
  addAccount,
  availableOf,
  copyingOf,
  createCore,
  divideRounded,
  evolveEvent,
  floatingProfit,
  indexOrder,
  isPriced,
  openProfit,
  unindexOrder,
  type Core,
  type Entry,
  type EquityRangeNoted,
  type Event,
  type Order,
  type Quote,
  type ReceiptTick,
  type TermsChange,
  type Transfer,
} from '@fairlot/core'
import { readJournal } from '../engine/journal/journal.ts'
import type { StrategyFiguresTable, StrategyTable } from '../platform/database/copying-schema.ts'
import type { Queries } from '../platform/database/open.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const UNIT = 1_000_000_000_000n
const WINDOW_DAYS: Readonly<Record<string, number>> = {
  threeWeeks: 21,
  threeMonths: 91,
  year: 365,
  all: Infinity,
}
/** Flags are judged by the latest so many closed orders. */
const JUDGED_ORDERS = 1_000
const HIGH_LEVERAGE = 20_000_000n
/** What is booked for trading; all else is money that came or went. */
const OF_TRADING = ['result', 'fee', 'swap']

type Held = Omit<Order, 'openedAt' | 'status'> & {
  openedAt: number
  endedAt: number
  isWhole: boolean
  readonly openedLots: number
}

/** All that the journal says about the account of a strategy. */
type Facts = {
  readonly moved: { at: number; amount: bigint; isFlow: boolean }[]
  readonly held: Map<number, Held>
  readonly ticks: { at: number; tick: ReceiptTick }[]
  /** What was booked for each order and its parts. */
  readonly results: Map<number, bigint>
  /** The lowest and highest equity of the hours that end after these moments. */
  readonly ranges: Map<number, EquityRangeNoted>
  /** The rows of the journal that say so, and for when. */
  readonly rows: { seq: number; at: number }[]
}

/** All that the journal says about a copy. */
type CopyFacts = {
  readonly strategyId: number
  readonly ownerId: number
  readonly startedAt: number
  /** Infinity while it runs. */
  endedAt: number
  putIn: bigint
  takenOut: bigint
  balance: bigint
  /** Open positions. */
  positions: number
  /** The last row of the journal that says something about it. */
  lastSeq: number
}

type Journal = {
  readonly accounts: ReadonlyMap<number, Facts>
  readonly copies: ReadonlyMap<number, CopyFacts>
  readonly snapshots: { seq: number; moment: number; prices: readonly ReceiptTick[] }[]
  /** An empty core with the terms of a moment. */
  readonly coreAt: (at: number) => Core
}

type Terms = { readonly at: number; readonly changeId: number; readonly change: TermsChange }

/**
 * The first difference between the table of the ranking and the journal, as a sentence; null where there is none. Of
 * many strategies some are checked, of one account all.
 */
export async function findRankingDifference(
  queries: Queries,
  accountId: number | null = null,
): Promise<string | null> {
  const all = await queries.selectFrom('strategy').selectAll().orderBy('id').execute()
  const strategies = chosenOf(
    accountId === null ? all : all.filter((one) => Number(one.account_id) === accountId),
  )
  if (strategies.length === 0) return null
  const figures = await queries
    .selectFrom('strategy_figures')
    .selectAll()
    .orderBy('strategy_id')
    .orderBy('span')
    .execute()
  const journal = await readFacts(queries, strategies)
  for (const strategy of strategies) {
    const rows = figures.filter(({ strategy_id }) => strategy_id === strategy.id)
    const facts = journal.accounts.get(Number(strategy.account_id))
    const [first] = rows
    if (!first || !facts || isBehind(journal, facts, first)) continue
    const record = recordOf(journal, facts, strategy, Number(first.up_to))
    for (const row of rows) {
      const days = WINDOW_DAYS[row.span] ?? 0
      const found = differenceOf(row, { ...windowOf(record, days), ...copiersOf(journal, row, first, days) })
      if (found) return `strategy ${strategy.id}, ${row.span}: ${found}`
    }
  }
  return null
}

/** Every strategy, or so many evenly spread over all: computing them plainly takes time. */
const MOST_CHECKED = 50

const chosenOf = (strategies: readonly StrategyTable[]): StrategyTable[] => {
  const step = Math.ceil(strategies.length / MOST_CHECKED)
  return strategies.filter((_, index) => index % step === 0)
}

/** True while something of before `up_to` has not been computed yet: it will be, soon after the next start. */
function isBehind(
  { snapshots }: Journal,
  { rows }: Facts,
  { up_to, journal_seq }: StrategyFiguresTable,
): boolean {
  const isLater = (seq: number, at: number) => seq > Number(journal_seq) && at <= Number(up_to)
  return (
    rows.some(({ seq, at }) => isLater(seq, at)) || snapshots.some(({ seq, moment }) => isLater(seq, moment))
  )
}

function differenceOf(row: StrategyFiguresTable, plain: Partial<StrategyFiguresTable>): string | null {
  for (const [name, value] of Object.entries(plain)) {
    const stored = row[name as keyof StrategyFiguresTable]
    if (stored !== value) return `${name} is ${stored}, but the journal gives ${value}`
  }
  return null
}

async function readFacts(queries: Queries, strategies: readonly StrategyTable[]): Promise<Journal> {
  const accounts = new Map(
    strategies.map(({ account_id }): [number, Facts] => [
      Number(account_id),
      { moved: [], held: new Map(), ticks: [], results: new Map(), ranges: new Map(), rows: [] },
    ]),
  )
  const firstDay = Math.min(...strategies.map(({ published_at }) => Number(published_at))) - DAY_MS * 7
  const snapshots: Journal['snapshots'] = []
  const copies = new Map<number, CopyFacts>()
  const chosen = new Set(strategies.map(({ id }) => Number(id)))
  const announced = new Map<number, Terms>()
  const terms: Terms[] = []
  for await (const { seq, entries } of readJournal(queries, 0))
    for (const entry of entries)
      for (const event of entry.events) {
        noteTransfers(accounts, entry, event, seq)
        noteTrade(accounts, entry, event)
        if (event.type === 'equityRangeNoted') noteRange(accounts.get(event.accountId), event, seq)
        // Nobody copies themselves; what a provider's own copy got would be no copier's.
        if (
          event.type === 'copyStarted' &&
          chosen.has(event.strategyId) &&
          event.ownerId !== event.providerId
        )
          copies.set(event.accountId, startedCopy(event, entry.at))
        noteCopy(copies, entry, event, seq)
        if (event.type === 'pricesMarked' && event.moment >= firstDay)
          snapshots.push({ seq, moment: event.moment, prices: event.prices })
        if (event.type === 'termsSet') {
          const { changeId, effectiveAt, change } = event
          const one = { changeId, at: Math.max(entry.at, effectiveAt), change }
          if (effectiveAt <= entry.at) terms.push(one)
          else announced.set(changeId, one)
        }
        const begun = event.type === 'termsTookEffect' ? announced.get(event.changeId) : undefined
        if (begun) terms.push(begun)
      }
  return { accounts, copies, snapshots, coreAt: coresOf(terms) }
}

/** Cores by the number of changes that they have. */
function coresOf(terms: readonly Terms[]): Journal['coreAt'] {
  const cores = new Map<number, Core>()
  return (at) => {
    const begun = terms.filter((one) => one.at <= at)
    const known = cores.get(begun.length)
    if (known) return known
    const core = createCore()
    for (const { changeId, change, at: effectiveAt } of begun)
      evolveEvent(core, { type: 'termsSet', changeId, effectiveAt, change }, effectiveAt)
    cores.set(begun.length, core)
    return core
  }
}

function noteTransfers(accounts: ReadonlyMap<number, Facts>, entry: Entry, event: Event, seq: number): void {
  if (!('transfers' in event)) return
  const at = bookedAt(entry, event)
  if (event.accountId !== null) accounts.get(event.accountId)?.rows.push({ seq, at })
  for (const { debit, credit, amount, kind } of event.transfers as readonly Transfer[])
    for (const [id, { moved, rows }] of accounts) {
      const isFlow = !OF_TRADING.includes(kind)
      if (credit === availableOf(id) || debit === availableOf(id)) rows.push({ seq, at })
      if (credit === availableOf(id)) moved.push({ at, amount, isFlow })
      if (debit === availableOf(id)) moved.push({ at, amount: -amount, isFlow })
    }
}

/** It is of the hour before the moment: dated a millisecond before it. */
function noteRange(facts: Facts | undefined, event: EquityRangeNoted, seq: number): void {
  facts?.ranges.set(event.moment - 1, event)
  facts?.rows.push({ seq, at: event.moment - 1 })
}

const startedCopy = (
  { strategyId, ownerId }: Extract<Event, { type: 'copyStarted' }>,
  startedAt: number,
): CopyFacts => ({
  strategyId,
  ownerId,
  startedAt,
  endedAt: Infinity,
  putIn: 0n,
  takenOut: 0n,
  balance: 0n,
  positions: 0,
  lastSeq: 0,
})

function noteCopy(copies: ReadonlyMap<number, CopyFacts>, { at }: Entry, event: Event, seq: number): void {
  const copy = 'accountId' in event && event.accountId !== null ? copies.get(event.accountId) : undefined
  if (!copy || !('accountId' in event)) return
  const own = availableOf(Number(event.accountId))
  copy.lastSeq = seq
  if (event.type === 'positionOpened') copy.positions += 1
  if (event.type === 'positionClosed') copy.positions -= 1
  if (event.type === 'copyEnded') copy.endedAt = at
  for (const { debit, credit, amount, kind } of 'transfers' in event ? event.transfers : []) {
    if (credit !== own && debit !== own) continue
    copy.balance += credit === own ? amount : -amount
    if (kind === 'copyIn') copy.putIn += amount
    if (kind === 'copyOut' || kind === 'demoReset') copy.takenOut += amount
  }
}

/** Swaps and fees of a month are dated with the moment for which they are. */
function bookedAt({ at }: Entry, event: Event): number {
  if (event.type === 'performanceFeeCharged') return event.moment
  if (event.type === 'swapBooked') return event.receipt.ruleVersion === 1 ? at : event.rollover
  return at
}

function noteTrade(accounts: ReadonlyMap<number, Facts>, { at }: Entry, event: Event): void {
  if (!('receipt' in event) || event.type === 'orderPlaced' || event.type === 'orderCancelled') return
  const facts = accounts.get(event.accountId)
  if (!facts) return
  const { receipt } = event
  for (const tick of [receipt.tick, ...receipt.conversion, ...(receipt.prices ?? [])])
    if (tick) facts.ticks.push({ at, tick })
  const book = (amount: bigint) =>
    void facts.results.set(event.orderId, (facts.results.get(event.orderId) ?? 0n) + amount)
  const held = facts.held.get(event.orderId)
  switch (event.type) {
    case 'positionOpened':
      facts.held.set(event.orderId, heldFrom(event, at))
      return book(-event.fee)
    case 'swapBooked':
      return book(event.amount)
    case 'positionClosed':
      if (held) held.endedAt = at
      return book(event.profit)
    case 'positionReduced':
      if (held) {
        const { lots, margin } = event
        facts.held.set(event.partId, { ...held, id: event.partId, lots, margin, endedAt: at, isWhole: false })
        Object.assign(held, { lots: held.lots - lots, margin: held.margin - margin })
      }
      book(event.profit)
  }
}

const heldFrom = (event: Extract<Event, { type: 'positionOpened' }>, at: number): Held => ({
  ...event,
  id: event.orderId,
  openedSeq: 0,
  trailingDistance: null,
  financedAt: 0,
  copied: null,
  openedAt: at,
  endedAt: Infinity,
  isWhole: true,
  openedLots: event.lots,
})

/** The state after a point. */
type Point = {
  readonly at: number
  readonly growth: bigint
  readonly leverage: number
  readonly isHeld: boolean
  readonly isCounted: boolean
  /** Just after a position opened or closed, with a known equity. */
  readonly isFill: boolean
  /** The growth at the lowest and highest equity of the hour that ends here. */
  readonly lowest?: bigint
  readonly highest?: bigint
}

type PlainRecord = {
  readonly start: number
  readonly upTo: number
  readonly points: readonly Point[]
  readonly closed: readonly Closed[]
  /** Open positions at the end, with their profit. */
  readonly open: readonly { readonly openedAt: number; readonly profit: bigint }[]
}

type Closed = Pick<Held, 'instrumentId' | 'openedLots' | 'openedAt' | 'endedAt'> & { readonly result: bigint }

const shareOf = (part: bigint, whole: bigint): bigint | null =>
  whole > 0n ? divideRounded(part * 1_000_000n, whole) : null

function recordOf(journal: Journal, facts: Facts, strategy: StrategyTable, upTo: number): PlainRecord {
  const start = Number(strategy.published_at) + 1
  const held = [...facts.held.values()]
  const moments = new Set([
    ...journal.snapshots.map(({ moment }) => moment),
    ...facts.moved.map(({ at }) => at),
    ...held.flatMap(({ openedAt, endedAt }) => [openedAt, endedAt]),
    ...facts.ranges.keys(),
  ])
  const times = [...moments].filter((at) => at >= start && at <= upTo).toSorted((a, b) => a - b)
  const first = standingAt(journal, facts, start - 1, BigInt(strategy.equity))
  let [growth, last, flowsFrom] = [UNIT, first, start]
  // What the growth would be if all gains since the full hour counted.
  let [ungated, hour] = [UNIT, hourOf(start)]
  const points: Point[] = [{ at: start, growth, ...pointOf(first, growth), isFill: false }]
  const fills = new Set(held.flatMap(({ openedAt, endedAt }) => [openedAt, endedAt]))
  for (const at of times) {
    const range = facts.ranges.get(at)
    if (hourOf(at) !== hour) ungated = growth
    hour = hourOf(at)
    // A range says what the equity was, unless there was none left.
    const given = range && (last.equity ?? 0n) > 0n ? range.equity : null
    const now = standingAt(journal, facts, at, range ? (given ?? last.equity) : null)
    const isCounted = points.at(-1)?.isCounted ?? false
    if (now.equity === null) {
      last = { ...now, equity: last.equity }
    } else {
      const flow = facts.moved
        .filter((one) => one.isFlow && one.at >= flowsFrom && one.at <= at)
        .reduce((sum, { amount }) => sum + amount, 0n)
      const before = now.equity - flow
      const had = last.equity ?? 0n
      // Who had nothing left loses nothing by it. Losses always count, gains only from the minimum equity on.
      if (had > 0n) ungated = before > 0n ? divideRounded(ungated * before, had) : 0n
      if (had > 0n && before <= 0n) growth = 0n
      else if (had > 0n && (isCounted || before < had)) growth = divideRounded(growth * before, had)
      flowsFrom = at + 1
      last = now
    }
    const isFill = fills.has(at) && now.equity !== null
    points.push({ at, growth, ...pointOf(last, growth), isFill, ...extremesOf(range, ungated, growth) })
  }
  const closed = held
    .filter(({ isWhole, openedAt, endedAt }) => isWhole && openedAt >= start && endedAt <= upTo)
    .toSorted((a, b) => a.endedAt - b.endedAt || a.id - b.id)
    .map((order): Closed => ({ ...order, result: facts.results.get(order.id) ?? 0n }))
  return { start, upTo, points, closed, open: openAt(journal, facts, upTo) }
}

/** A sample at a full hour is the end of the hour before it. */
const hourOf = (at: number): number => Math.ceil(at / HOUR_MS)

function extremesOf(
  range: EquityRangeNoted | undefined,
  ungated: bigint,
  growth: bigint,
): Pick<Point, 'lowest' | 'highest'> {
  if (!range) return {}
  const lowest = range.lowest > 0n ? divideRounded(ungated * range.lowest, range.equity) : 0n
  // What rose on gains that do not count is no peak.
  return ungated === growth
    ? { lowest, highest: divideRounded(growth * range.highest, range.equity) }
    : { lowest }
}

function openAt(journal: Journal, facts: Facts, at: number): PlainRecord['open'] {
  const pricing = { ...journal.coreAt(at).state, quotes: pricesAt(journal, facts, at) }
  const held = [...facts.held.values()].filter(({ openedAt, endedAt }) => openedAt <= at && endedAt > at)
  return held.flatMap((order) => {
    const profit = floatingProfit(pricing, order)
    return profit === null ? [] : [{ openedAt: order.openedAt, profit }]
  })
}

type Standing = {
  readonly equity: bigint | null
  readonly worth: bigint
  readonly isHeld: boolean
  readonly least: bigint
}

function pointOf({ equity, worth, isHeld, least }: Standing, growth: bigint) {
  const isCounted = growth > 0n && equity !== null && equity > 0n && equity >= least
  return { leverage: Number(shareOf(worth, equity ?? 0n) ?? 0n), isHeld, isCounted }
}

/** The account at a moment, from everything up to it. */
function standingAt(journal: Journal, facts: Facts, at: number, equity: bigint | null): Standing {
  const core = journal.coreAt(at)
  const account = addAccount(core.state, 1, 'demo')
  const held = [...facts.held.values()].filter(({ openedAt, endedAt }) => openedAt <= at && endedAt > at)
  for (const order of held) indexOrder(core, account, { ...order, status: 'holding' })
  const pricing = { ...core.state, quotes: pricesAt(journal, facts, at) }
  const balance = facts.moved.reduce((sum, one) => (one.at <= at ? sum + one.amount : sum), 0n)
  const priced = isPriced(pricing, account) ? balance + openProfit(pricing, account) : null
  for (const order of account.orders.values()) unindexOrder(core, account, order)
  core.state.accounts.clear()
  return {
    equity: equity ?? priced,
    worth: held.reduce((sum, { margin, leverage }) => sum + margin * BigInt(leverage), 0n),
    isHeld: held.length > 0,
    least: copyingOf(core.state.settings).providerMinEquity,
  }
}

/** Of each instrument the latest price that the journal knows: of the last hour, or of a later receipt of the account. */
function pricesAt(journal: Journal, facts: Facts, at: number): Map<number, Quote> {
  const last = journal.snapshots.findLast(({ moment }) => moment <= at)?.moment ?? 0
  const known = [
    ...journal.snapshots.filter(({ moment }) => moment === last).flatMap(({ prices }) => prices),
    ...facts.ticks.filter((one) => one.at > last && one.at <= at).map(({ tick }) => tick),
  ]
  return new Map(known.toSorted((a, b) => a.seq - b.seq).map((tick) => [tick.instrumentId, tick]))
}

/** The figures of the last so many days (UTC) of a record, as the table has them. */
function windowOf(record: PlainRecord, days: number): Partial<StrategyFiguresTable> {
  const { start, upTo, points, closed } = record
  const lastDay = Math.floor(upTo / DAY_MS)
  const since = days === Infinity ? start : Math.max(start, (lastDay - days + 1) * DAY_MS)
  const before = points.findLast(({ at }) => at < since)?.growth ?? UNIT
  const within = points.filter(({ at }) => at >= since)
  // The deepest fall is that with the least left of a unit at its peak.
  let [peak, deepest] = [before, { left: 1n, of: 1n }]
  const fall = (of: bigint, left: bigint) => {
    if (left * deepest.of < deepest.left * of) deepest = { left, of }
  }
  // Within an hour the lowest is taken as the first that happened.
  let [hour, peakBefore] = [0, before]
  for (const { at, growth, lowest, highest } of within) {
    if (hourOf(at) !== hour) peakBefore = peak
    hour = hourOf(at)
    if (lowest !== undefined) fall(peakBefore, lowest)
    for (const high of [highest ?? growth, growth]) if (high > peak) peak = high
    fall(peak, growth)
  }
  // At fills, whatever the equity is.
  const highest = Math.max(
    0,
    ...within.filter((one) => one.isFill && one.growth > 0n).map((one) => one.leverage),
  )
  let [counted, exposed, leverage] = [0n, 0n, 0n]
  points.forEach((point, index) => {
    const until = points[index + 1]?.at ?? upTo
    const passed = until - Math.max(point.at, since)
    if (!point.isCounted || passed <= 0) return
    counted += BigInt(passed)
    if (!point.isHeld) return
    exposed += BigInt(passed)
    leverage += BigInt(point.leverage) * BigInt(passed)
  })
  const orders = closed.filter(({ endedAt }) => endedAt >= since)
  const sumOf = (of: readonly { readonly result: bigint }[]) =>
    of.reduce((sum, { result }) => sum + result, 0n)
  const gains = sumOf(orders.filter(({ result }) => result > 0n))
  const losses = -sumOf(orders.filter(({ result }) => result < 0n))
  const wins = BigInt(orders.filter(({ result }) => result > 0n).length)
  const growth = points.at(-1)?.growth ?? before
  const averageLeverage = exposed > 0n ? divideRounded(leverage, exposed) : null
  const best = orders.reduce((most, { result }) => (result > most ? result : most), 0n)
  const judged = closed.slice(-JUDGED_ORDERS).filter(({ endedAt }) => endedAt >= since)
  const flags = [
    raisesAfterLosses(judged) && 'raisesAfterLosses',
    holdsLosses(judged, record) && 'holdsLosses',
    gains > losses && best * 2n > gains - losses && 'oneOrder',
    (averageLeverage ?? 0n) > HIGH_LEVERAGE && 'highLeverage',
  ]
  return {
    flags: flags.filter((flag) => flag !== false).join(','),
    rate: shareOf(growth - before, before),
    score: scoreOf(growth, before, deepest),
    profit: gains - losses,
    win_rate: shareOf(wins, BigInt(orders.length)),
    drawdown: shareOf(deepest.of - deepest.left, deepest.of) ?? 0n,
    profit_factor: shareOf(gains, losses),
    average_leverage: averageLeverage,
    highest_leverage: highest > 0 ? BigInt(highest) : null,
    exposed_share: shareOf(exposed, counted) ?? 0n,
    orders: BigInt(orders.length),
    days: counted / BigInt(DAY_MS),
  }
}

/**
 * The place in the default order as a text: 1 and the return / maximum drawdown (5 % at least) of a gain; 0 and what is
 * left of one unit of anything else. 21 digits before the point and 76 after it, the rest cut off.
 */
function scoreOf(growth: bigint, before: bigint, deepest: { left: bigint; of: bigint }): string {
  const lost = deepest.of - deepest.left
  const [fall, whole] = lost * 100n < deepest.of * 5n ? [5n, 100n] : [lost, deepest.of]
  const [kind, part, unit] =
    growth > before ? ['1', (growth - before) * whole, before * fall] : ['0', growth, before]
  const digits = unit === 0n ? '' : `${(part * 10n ** 76n) / unit}`
  return kind + '0'.repeat(97 - digits.length) + digits
}

/** The flags' rules (docs/ranking.md) on the closed orders of a window, oldest end first. */
function raisesAfterLosses(orders: readonly Closed[]): boolean {
  const afterLosses = orders.flatMap((order) => {
    const losses = orders.filter(
      (other) => other !== order && other.instrumentId === order.instrumentId && other.result < 0n,
    )
    const recent = losses.filter(({ endedAt }) => {
      const since = order.openedAt - endedAt
      return since >= 0 && since <= DAY_MS
    })
    const last = recent.at(-1)
    return last ? [order.openedLots >= last.openedLots * 1.5] : []
  })
  const raised = afterLosses.filter(Boolean).length
  return raised >= 5 && raised > afterLosses.length / 2
}

function holdsLosses(orders: readonly Closed[], { open, upTo }: PlainRecord): boolean {
  const usual = middleOf(orders.map(({ openedAt, endedAt }) => endedAt - openedAt)) ?? Infinity
  return open.some(({ openedAt, profit }) => profit < 0n && upTo - openedAt > 3 * usual)
}

/** The middle value, of two in the middle their mean rounded down. */
function middleOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.slice((sorted.length - 1) >> 1, (sorted.length >> 1) + 1)
  return middle.length === 0
    ? null
    : Math.floor(middle.reduce((sum, value) => sum + value, 0) / middle.length)
}

/**
 * What the copiers of a strategy got. The worth of open positions depends on prices that the journal does not keep:
 * while there are some, the worth in the first row is taken as given.
 */
function copiersOf(
  { copies: all }: Journal,
  { strategy_id, journal_seq, up_to }: StrategyFiguresTable,
  first: StrategyFiguresTable,
  days: number,
): Partial<StrategyFiguresTable> {
  const copies = [...all.values()].filter(({ strategyId }) => strategyId === Number(strategy_id))
  // What happened later is counted soon.
  if (copies.some(({ lastSeq }) => lastSeq > Number(journal_seq))) return {}
  const since = (Math.floor(Number(up_to) / DAY_MS) - days + 1) * DAY_MS
  const counted = copies.filter(({ endedAt }) => endedAt >= since)
  const running = copies.filter(({ endedAt }) => endedAt === Infinity)
  const isOpen = running.some(({ positions }) => positions > 0)
  const worth = isOpen ? first.copied_money : running.reduce((sum, { balance }) => sum + balance, 0n)
  const sums = {
    copiers: BigInt(new Set(running.map(({ ownerId }) => ownerId)).size),
    copied_money: worth,
    copiers_result: counted.reduce((sum, { putIn, takenOut }) => sum + takenOut - putIn, worth),
  }
  if (isOpen) return sums
  // Nothing is left in a copy that has ended.
  const results = counted.map(({ balance, takenOut, putIn, startedAt, endedAt }) => ({
    putIn,
    result: balance + takenOut - putIn,
    days: (Math.min(endedAt, Number(up_to)) - startedAt) / DAY_MS,
  }))
  const wins = results.filter(({ result }) => result > 0n).length
  const long = results.filter(({ days: lasted }) => lasted >= 7)
  const median = middleOf(long.map(({ putIn, result }) => Number(shareOf(result, putIn) ?? 0n)))
  return {
    ...sums,
    copiers_in_profit: shareOf(BigInt(wins), BigInt(counted.length)),
    copiers_median: median === null ? null : BigInt(median),
  }
}
