/**
 * The figures of a strategy (trading-rules §13), from its account's positions, ledger rows and the recorded prices. The
 * method is described in docs/ranking.md; its version is `METHOD_VERSION`.
 *
 * Equity is taken at every full hour with a price snapshot, at every ledger row, opening and close, with open losses. A
 * position counts at the latest price that the journal knows: of the last snapshot, or of a later receipt of the
 * account. The return is time-weighted: from one point to the next the growth is (equity - flow) / equity before. Falls
 * and peaks between full hours are those of the lowest and highest equity that the journal notes with each hour.
 */
import {
  addAccount,
  copyingOf,
  divideRounded,
  indexOrder,
  isPriced,
  money,
  NO_MONEY,
  openProfit,
  floatingProfit,
  ratio,
  unindexOrder,
  type Core,
  type Money,
  type Order,
  type Quote,
  type Ratio,
} from '@fairlot/core'

export const METHOD_VERSION = 3

export const DAY_MS = 86_400_000
/** Growth of one unit, in 1e-12. */
export const GROWTH_UNIT = 1_000_000_000_000n
const RATIO_UNIT = 1_000_000n

const HOUR_MS = 3_600_000

/** What happens at a full hour (epoch ms) comes after everything of the hour before: that ends here. */
export const lastMomentBefore = (moment: number): number => moment - 1

/** The hour of a point: one at a full hour belongs to the hour before. */
const hourOf = (at: number): number => Math.floor(lastMomentBefore(at) / HOUR_MS)

export const dayOf = (at: number): number => Math.floor(at / DAY_MS)

/** A ratio of 1e-6, rounded half away from zero; null where the whole is not above zero. */
export const ratioOf = (part: bigint, whole: bigint): Ratio | null =>
  whole > 0n ? ratio(Number(divideRounded(part * RATIO_UNIT, whole))) : null

/** A day of a strategy's record, as in `strategy_day`. */
export type StrategyDay = {
  readonly day: number
  readonly upTo: number
  readonly growth: bigint
  readonly highest: bigint
  readonly lowest: bigint
  /** The deepest fall within the day: growth at its peak and at its low. */
  readonly fallFrom: bigint
  readonly fallTo: bigint
  readonly balance: Money
  readonly equity: Money
  readonly countedMs: number
  readonly exposedMs: number
  readonly leverageMs: bigint
  readonly highestLeverage: number
  readonly orders: number
  readonly wins: number
  readonly gains: Money
  readonly losses: Money
  readonly best: Money
}

/** A ledger row of the account: trading books results, fees and swaps; everything else is a flow of money. */
export type Movement = { readonly at: number; readonly amount: Money; readonly isFlow: boolean }

/** A position, or a closed part, as it was while open. */
export type HeldPosition = {
  readonly order: Order
  readonly openedAt: number
  /** Infinity while it is open. */
  readonly endedAt: number
}

/** A closed order with everything that was booked for it and its parts. */
export type ClosedOrder = {
  readonly id: number
  readonly instrumentId: number
  /** At the opening. */
  readonly lots: number
  readonly openedAt: number
  readonly endedAt: number
  readonly result: Money
}

/** The lowest and highest equity of an hour in proportion to `equity`, that of its end; `at` is its last moment, epoch ms. */
export type EquityRange = {
  readonly at: number
  readonly lowest: Money
  readonly highest: Money
  readonly equity: Money
}

/** What happened from the beginning of a day, or from publication, up to a moment. */
export type StrategyHistory = {
  /** Where the record continues, with everything before that moment: after publication, or at the beginning of a day. */
  readonly from: {
    readonly at: number
    readonly growth: bigint
    readonly balance: Money
    readonly equity: Money
  }
  readonly upTo: number
  /** All at `from.at` or later. */
  readonly movements: readonly Movement[]
  readonly positions: readonly HeldPosition[]
  /** The price snapshots since the last one before `from.at`, that one included; oldest first. */
  readonly snapshots: readonly { readonly moment: number; readonly prices: readonly Quote[] }[]
  /** The prices in receipts of the positions since then; oldest first. */
  readonly ticks: readonly { readonly at: number; readonly tick: Quote }[]
  readonly closed: readonly ClosedOrder[]
  /** All at `from.at` or later; oldest first. */
  readonly ranges: readonly EquityRange[]
}

/** A position that is open at the end, with its profit at the last prices. */
export type OpenPosition = { readonly openedAt: number; readonly profit: Money }

export type StrategyRecord = {
  readonly days: readonly StrategyDay[]
  readonly open: readonly OpenPosition[]
}

/** The terms of every moment: brings those up to a moment into the core that the record is computed with. */
export type TermsAt = { readonly core: Core; advance(at: number): void }

/** Computes the days from a history. `terms` is at the beginning of the history. */
export function strategyRecord(history: StrategyHistory, terms: TermsAt): StrategyRecord {
  const walk = new Walk(history, terms)
  for (const at of momentsOf(history)) walk.advance(at)
  return walk.finish()
}

/** Points in order of time; snapshots without positions would change nothing. */
function momentsOf({ from, upTo, movements, positions, snapshots, ranges }: StrategyHistory): number[] {
  const isHeldAt = (moment: number) =>
    positions.some(({ openedAt, endedAt }) => openedAt <= moment && moment <= endedAt)
  const moments = [
    ...movements.map(({ at }) => at),
    ...positions.flatMap(({ openedAt, endedAt }) => [openedAt, endedAt]),
    ...snapshots.map(({ moment }) => moment).filter(isHeldAt),
    ...ranges.map(({ at }) => at),
  ]
  return [...new Set(moments)].filter((at) => at >= from.at && at <= upTo).toSorted((a, b) => a - b)
}

const NO_DAY = {
  countedMs: 0,
  exposedMs: 0,
  leverageMs: 0n,
  highestLeverage: 0,
  orders: 0,
  wins: 0,
  gains: NO_MONEY,
  losses: NO_MONEY,
  best: NO_MONEY,
}

/** How far growth rose and fell in a day. */
export type DayFalls = Pick<StrategyDay, 'highest' | 'lowest' | 'fallFrom' | 'fallTo'>

/** A fall of growth from a peak to a later low. */
type Fall = { readonly from: bigint; readonly to: bigint }

const fallOf = ({ fallFrom, fallTo }: DayFalls): Fall => ({ from: fallFrom, to: fallTo })

/** Whether a fall is the larger part of its peak; compared as exact fractions. From zero nothing falls. */
const isDeeper = (one: Fall, other: Fall): boolean =>
  (one.from - one.to) * (other.from > 0n ? other.from : 1n) > (other.from - other.to) * one.from

type MutableDay = { -readonly [Name in keyof StrategyDay]: StrategyDay[Name] }

/** Moves through a history from point to point. */
class Walk {
  readonly #history: StrategyHistory
  readonly #terms: TermsAt
  readonly #account
  readonly #days: MutableDay[] = []
  readonly #quotes = new Map<number, Quote>()
  readonly #opening: Reader<HeldPosition>
  readonly #ending: Reader<HeldPosition>
  readonly #moved: Reader<Movement>
  readonly #shots: Reader<StrategyHistory['snapshots'][number]>
  readonly #ticks: Reader<StrategyHistory['ticks'][number]>
  readonly #ranges: Reader<EquityRange>
  /** Positions that are open now. */
  readonly #held = new Set<HeldPosition>()
  #at: number
  #growth: bigint
  #peak: bigint
  #hour: number
  /** The peak before this hour. */
  #hourPeak: bigint
  /** The growth as if gains of this hour below the minimum equity counted. */
  #fullGrowth: bigint
  #balance: Money
  #equity: Money
  /** Flows since the last priced point. */
  #flow = 0n
  /** Whether a position opened or closed at this point. */
  #isFill = false

  constructor(history: StrategyHistory, terms: TermsAt) {
    const { from, positions, movements, snapshots, ticks, ranges } = history
    this.#history = history
    this.#terms = terms
    const { state } = terms.core
    this.#account = addAccount(state, WALKED_ACCOUNT, 'demo')
    this.#at = from.at
    this.#growth = from.growth
    this.#peak = from.growth
    this.#hour = hourOf(from.at)
    this.#hourPeak = from.growth
    this.#fullGrowth = from.growth
    this.#balance = from.balance
    this.#equity = from.equity
    this.#opening = reader(positions, ({ openedAt }) => openedAt)
    this.#ending = reader(positions, ({ endedAt }) => endedAt)
    this.#moved = reader(movements, ({ at }) => at)
    this.#shots = reader(snapshots, ({ moment }) => moment)
    this.#ticks = reader(ticks, ({ at }) => at)
    this.#ranges = reader(ranges, ({ at }) => at)
    this.#beginDay(dayOf(from.at))
    terms.advance(from.at - 1)
    this.#take(from.at - 1)
  }

  /** To the next point. */
  advance(at: number): void {
    this.#passTime(at)
    // Whether the time up to now counts was known when it began.
    const isCounted = this.#isCounted()
    this.#terms.advance(at)
    this.#take(at)
    if (hourOf(at) !== this.#hour) this.#beginHour(hourOf(at))
    this.#point(isCounted, this.#ranges(at).at(-1) ?? null)
  }

  finish(): StrategyRecord {
    const { upTo } = this.#history
    this.#passTime(upTo)
    this.#terms.advance(upTo)
    this.#take(upTo)
    this.#countOrders()
    const pricing = this.#pricing()
    const open = [...this.#held].flatMap(({ order, openedAt }): OpenPosition[] => {
      const profit = floatingProfit(pricing, order)
      return profit === null ? [] : [{ openedAt, profit }]
    })
    for (const { order } of this.#held) unindexOrder(this.#terms.core, this.#account, order)
    this.#terms.core.state.accounts.delete(WALKED_ACCOUNT)
    return { days: this.#days, open }
  }

  get #day(): MutableDay {
    const day = this.#days.at(-1)
    if (!day) throw new Error('a record has at least one day')
    return day
  }

  #beginDay(day: number): void {
    const growth = this.#growth
    this.#peak = growth
    this.#days.push({
      day,
      upTo: this.#at,
      growth,
      highest: growth,
      lowest: growth,
      fallFrom: growth,
      fallTo: growth,
      balance: this.#balance,
      equity: this.#equity,
      ...NO_DAY,
    })
  }

  #beginHour(hour: number): void {
    this.#hour = hour
    this.#hourPeak = this.#peak
    this.#fullGrowth = this.#growth
  }

  /** Time in which nothing changes, day by day. Time with less than the minimum equity does not count. */
  #passTime(to: number): void {
    while (dayOf(to) > this.#day.day) {
      this.#count((this.#day.day + 1) * DAY_MS)
      this.#beginDay(this.#day.day + 1)
    }
    this.#count(to)
  }

  #count(to: number): void {
    const day = this.#day
    const passed = to - this.#at
    this.#at = to
    day.upTo = to
    if (passed === 0 || !this.#isCounted()) return
    day.countedMs += passed
    if (this.#held.size === 0) return
    const leverage = this.#leverage()
    day.exposedMs += passed
    day.leverageMs += BigInt(leverage) * BigInt(passed)
  }

  #isCounted(): boolean {
    const { providerMinEquity } = copyingOf(this.#terms.core.state.settings)
    return this.#growth > 0n && this.#equity > 0n && this.#equity >= providerMinEquity
  }

  /** What the positions were worth when they opened, times the equity; 1e-6. */
  #leverage(): number {
    let worth = 0n
    for (const { order } of this.#held) worth += order.margin * BigInt(order.leverage)
    return ratioOf(worth, this.#equity) ?? 0
  }

  /** Takes in everything up to a moment. */
  #take(at: number): void {
    const { core } = this.#terms
    for (const { prices } of this.#shots(at)) {
      this.#quotes.clear()
      for (const quote of prices) this.#quotes.set(quote.instrumentId, quote)
    }
    for (const { at: since, tick } of this.#ticks(at)) if (since > this.#shotAt(at)) this.#price(tick)
    for (const { amount, isFlow } of this.#moved(at)) {
      this.#balance = money(this.#balance + amount)
      if (isFlow) this.#flow += amount
    }
    const [opening, ending] = [this.#opening(at), this.#ending(at)]
    this.#isFill = opening.length + ending.length > 0
    for (const held of opening) {
      this.#held.add(held)
      indexOrder(core, this.#account, held.order)
    }
    for (const held of ending) {
      this.#held.delete(held)
      unindexOrder(core, this.#account, held.order)
    }
  }

  /** The last snapshot up to a moment. */
  #shotAt(at: number): number {
    return this.#history.snapshots.findLast(({ moment }) => moment <= at)?.moment ?? 0
  }

  #price(tick: Quote): void {
    const known = this.#quotes.get(tick.instrumentId)
    if (!known || known.seq <= tick.seq) this.#quotes.set(tick.instrumentId, tick)
  }

  #pricing() {
    const { instruments, conversionPaths } = this.#terms.core.state
    return { instruments, conversionPaths, quotes: this.#quotes }
  }

  /** The equity now; null while a price is missing. A range names it, but not after a flow has left nothing. */
  #equityNow(range: EquityRange | null): Money | null {
    if (range) return this.#equity > 0n ? range.equity : this.#equity
    const pricing = this.#pricing()
    if (!isPriced(pricing, this.#account)) return null
    return money(this.#balance + openProfit(pricing, this.#account))
  }

  /** The growth since the last point. Where a price is missing, the next point includes this one. */
  #point(isCounted: boolean, range: EquityRange | null): void {
    const day = this.#day
    day.balance = this.#balance
    const equity = this.#equityNow(range)
    if (equity === null) return
    const before = equity - this.#flow
    this.#flow = 0n
    this.#grow(before, isCounted)
    this.#equity = equity
    day.equity = equity
    day.growth = this.#growth
    if (range) this.#noteRange(range)
    this.#rise(this.#growth)
    this.#fall(this.#peak, this.#growth)
    if (this.#isFill && this.#growth > 0n)
      day.highestLeverage = Math.max(day.highestLeverage, this.#leverage())
  }

  /**
   * The growth at the lowest and highest equity of the hour that ends. Which came first is unknown: the lowest is a fall
   * from the peak before the hour. A highest above gains that did not count is none.
   */
  #noteRange({ lowest, highest, equity }: EquityRange): void {
    const at = (value: Money) => (value > 0n ? divideRounded(this.#fullGrowth * value, equity) : 0n)
    this.#fall(this.#hourPeak, at(lowest))
    if (this.#fullGrowth === this.#growth) this.#rise(at(highest))
  }

  #rise(to: bigint): void {
    const day = this.#day
    if (to > day.highest) day.highest = to
    if (to > this.#peak) this.#peak = to
  }

  #fall(from: bigint, to: bigint): void {
    const day = this.#day
    if (to < day.lowest) day.lowest = to
    if (isDeeper({ from, to }, fallOf(day))) Object.assign(day, { fallFrom: from, fallTo: to })
  }

  /**
   * From the last equity to one before flows: zero or less is the end. Below the minimum equity losses count and gains do
   * not. After a flow has left nothing there is nothing to grow: the next flow begins a new period.
   */
  #grow(before: bigint, isCounted: boolean): void {
    if (this.#equity <= 0n) return
    const grown = (growth: bigint) => (before > 0n ? divideRounded(growth * before, this.#equity) : 0n)
    this.#fullGrowth = grown(this.#fullGrowth)
    if (isCounted || before < this.#equity) this.#growth = grown(this.#growth)
  }

  #countOrders(): void {
    const byDay = new Map(this.#days.map((day) => [day.day, day]))
    for (const { endedAt, result } of this.#history.closed) {
      const day = byDay.get(dayOf(endedAt))
      if (!day) continue
      day.orders += 1
      if (result > 0n) day.wins += 1
      if (result > 0n) day.gains = money(day.gains + result)
      else day.losses = money(day.losses - result)
      if (result > day.best) day.best = result
    }
  }
}

/** The account in whose place a history is walked through. */
const WALKED_ACCOUNT = 1

type Reader<Row> = (at: number) => Row[]

/** Returns each row once, in order of time, up to a moment. */
function reader<Row>(rows: readonly Row[], timeOf: (row: Row) => number): Reader<Row> {
  // Two that never end are both at Infinity, whose difference is NaN.
  const sorted = rows.toSorted((a, b) => timeOf(a) - timeOf(b) || 0)
  let place = 0
  return (at) => {
    const first = place
    while (place < sorted.length && timeOf(sorted[place] as Row) <= at) place += 1
    return sorted.slice(first, place)
  }
}

/** Windows of the ranking: so many days, counted back from the last. */
export const SPANS = { threeWeeks: 21, threeMonths: 91, year: 365, all: Infinity } as const
export type Span = keyof typeof SPANS
export const SPAN_NAMES = Object.keys(SPANS) as readonly Span[]

/** The first day of a window. */
export const firstDayOf = (span: Span, lastDay: number): number =>
  SPANS[span] === Infinity ? -Infinity : lastDay - SPANS[span] + 1

export type Flag = 'raisesAfterLosses' | 'holdsLosses' | 'oneOrder' | 'highLeverage'

/** The figures of a window, without those of copiers. */
export type WindowFigures = {
  readonly rate: Ratio | null
  readonly profit: Money
  readonly winRate: Ratio | null
  readonly drawdown: Ratio
  readonly profitFactor: Ratio | null
  readonly averageLeverage: Ratio | null
  readonly highestLeverage: Ratio | null
  readonly exposedShare: Ratio
  readonly orders: number
  readonly days: number
  readonly flags: readonly Flag[]
  /** By what strategies are ranked, see `scoreOf`. */
  readonly score: string
}

type WindowSources = {
  /** Oldest first, without gaps. */
  readonly days: readonly StrategyDay[]
  /** The latest closed orders of the window, oldest end first. */
  readonly closed: readonly ClosedOrder[]
  readonly open: readonly OpenPosition[]
}

/** The figures of a window that ends with the last of the days. */
export function windowFigures(span: Span, { days, closed, open }: WindowSources): WindowFigures {
  const last = days.at(-1)
  const first = firstDayOf(span, last?.day ?? 0)
  const before = days.findLast(({ day }) => day < first)?.growth ?? GROWTH_UNIT
  const within = days.filter(({ day }) => day >= first)
  const sum = (of: (day: StrategyDay) => bigint) => within.reduce((total, day) => total + of(day), 0n)
  const gains = sum((day) => day.gains)
  const losses = sum((day) => day.losses)
  const orders = sum((day) => BigInt(day.orders))
  const counted = sum((day) => BigInt(day.countedMs))
  const exposed = sum((day) => BigInt(day.exposedMs))
  const averageLeverage =
    exposed > 0n
      ? ratio(
          Number(
            divideRounded(
              sum((day) => day.leverageMs),
              exposed,
            ),
          ),
        )
      : null
  const highest = Math.max(0, ...within.map(({ highestLeverage }) => highestLeverage))
  const best = within.reduce<bigint>((most, day) => (day.best > most ? day.best : most), 0n)
  const profit = money(gains - losses)
  const after = last?.growth ?? before
  const fall = deepestFall(within, before)
  return {
    score: scoreOf({ before, after, fall }),
    rate: ratioOf(after - before, before),
    profit,
    winRate: ratioOf(
      sum((day) => BigInt(day.wins)),
      orders,
    ),
    drawdown: ratioOf(fall.from - fall.to, fall.from) ?? ratio(0),
    profitFactor: ratioOf(gains, losses),
    averageLeverage,
    highestLeverage: highest > 0 ? ratio(highest) : null,
    exposedShare: ratioOf(exposed, counted) ?? ratio(0),
    orders: Number(orders),
    days: Math.floor(Number(counted) / DAY_MS),
    flags: flagsOf({
      closed: closed.filter(({ endedAt }) => dayOf(endedAt) >= first),
      open,
      upTo: last?.upTo ?? 0,
      isOneOrder: profit > 0n && best * 2n > profit,
      averageLeverage: averageLeverage ?? 0,
    }),
  }
}

/** The deepest fall of a day: its own, or that from a peak before it. */
export function deepestOf(day: DayFalls, peak: bigint): Fall {
  const [own, fromBefore] = [fallOf(day), { from: peak, to: day.lowest }]
  return isDeeper(fromBefore, own) ? fromBefore : own
}

/** The deepest fall from a peak, over days whose own falls are known. */
function deepestFall(days: readonly StrategyDay[], start: bigint): Fall {
  let peak = start
  let deepest: Fall = { from: start, to: start }
  for (const day of days) {
    const fall = deepestOf(day, peak)
    if (isDeeper(fall, deepest)) deepest = fall
    if (day.highest > peak) peak = day.highest
  }
  return deepest
}

/** The rules of the flags (docs/ranking.md). */
const FLAG_RULES = {
  /** Lots of this share of the losing order's, or more, are raised: 1.5 times. Judged so long after the loss, ms. */
  raised: { numerator: 3, denominator: 2, least: 5, withinMs: DAY_MS },
  heldTimes: 3,
  averageLeverage: 20_000_000,
} as const

function flagsOf({
  closed,
  open,
  upTo,
  isOneOrder,
  averageLeverage,
}: Omit<WindowSources, 'days'> & {
  readonly upTo: number
  readonly isOneOrder: boolean
  readonly averageLeverage: number
}): Flag[] {
  return [
    ...(raisesAfterLosses(closed) ? (['raisesAfterLosses'] as const) : []),
    ...(holdsLosses(closed, open, upTo) ? (['holdsLosses'] as const) : []),
    ...(isOneOrder ? (['oneOrder'] as const) : []),
    ...(averageLeverage > FLAG_RULES.averageLeverage ? (['highLeverage'] as const) : []),
  ]
}

/** More than half of the orders within a day of a loss on the same instrument were larger by half, and at least five. */
function raisesAfterLosses(closed: readonly ClosedOrder[]): boolean {
  const { numerator, denominator, least, withinMs } = FLAG_RULES.raised
  let [chances, raised] = [0, 0]
  for (const order of closed) {
    const loss = closed.findLast(
      ({ id, instrumentId, endedAt, result }) =>
        id !== order.id &&
        instrumentId === order.instrumentId &&
        result < 0n &&
        endedAt <= order.openedAt &&
        endedAt >= order.openedAt - withinMs,
    )
    if (!loss) continue
    chances += 1
    if (order.lots * denominator >= loss.lots * numerator) raised += 1
  }
  return raised >= least && raised * 2 > chances
}

function holdsLosses(closed: readonly ClosedOrder[], open: readonly OpenPosition[], upTo: number): boolean {
  const median = medianOf(closed.map(({ openedAt, endedAt }) => endedAt - openedAt))
  if (median === null) return false
  return open.some(({ openedAt, profit }) => profit < 0n && upTo - openedAt > FLAG_RULES.heldTimes * median)
}

/** The middle value, or the mean of the two in the middle, rounded down; null for none. */
export function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  return low === undefined || high === undefined ? null : Math.floor((low + high) / 2)
}

/**
 * Decimals of a score. Growth is below 2^63, so two fractions of it that differ do so by more than 1 / 2^252, which is
 * above 1e-76: they are never the same text.
 */
const SCORE_DECIMALS = 76
/** A return divided by 5 % of a drawdown has at most 21 digits before the point. */
const SCORE_DIGITS = SCORE_DECIMALS + 21
const SCORE_UNIT = 10n ** BigInt(SCORE_DECIMALS)

/**
 * By what strategies are ranked in the default order: a text that sorts as the exact fraction. Gains come first, by
 * return / maximum drawdown, which counts as 5 % at least; then the others, by what is left of one unit.
 */
function scoreOf({ before, after, fall }: { before: bigint; after: bigint; fall: Fall }): string {
  const text = (part: bigint, whole: bigint) =>
    String(whole > 0n ? (part * SCORE_UNIT) / whole : 0n).padStart(SCORE_DIGITS, '0')
  if (after <= before) return `0${text(after, before)}`
  const depth = fall.from - fall.to
  return depth * 20n > fall.from
    ? `1${text((after - before) * fall.from, before * depth)}`
    : `1${text((after - before) * 20n, before)}`
}

/** How a copy did. */
export type CopyResult = {
  readonly putIn: Money
  readonly result: Money
  readonly startedAt: number
  /** Null while it runs. */
  readonly endedAt: number | null
}

/** The median is over copies that ran for as long as this, ms. */
const MEDIAN_FROM_MS = 7 * DAY_MS

/** What copiers got: copies that ran in the window, each with its whole result, net of fees. */
export function copiersFigures(copies: readonly CopyResult[], span: Span, upTo: number) {
  const first = firstDayOf(span, dayOf(upTo))
  const counted = copies.filter(({ endedAt }) => endedAt === null || dayOf(endedAt) >= first)
  const inProfit = counted.filter(({ result }) => result > 0n).length
  const long = counted.filter(({ startedAt, endedAt }) => (endedAt ?? upTo) - startedAt >= MEDIAN_FROM_MS)
  const median = medianOf(long.flatMap(({ putIn, result }) => ratioOf(result, putIn) ?? []))
  return {
    copiersResult: money(counted.reduce((sum, { result }) => sum + result, 0n)),
    copiersInProfit: ratioOf(BigInt(inProfit), BigInt(counted.length)),
    copiersMedian: median === null ? null : ratio(median),
  }
}
