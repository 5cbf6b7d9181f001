/**
 * A dry run: what a copy with some terms would have done with the provider's orders of the last three months. The
 * core decides every opening, reduction and close, as it does for a real copy, at the prices in the provider's receipts.
 */
import type { DryRun, DryRunQuery } from '@fairlot/contract'
import {
  addAccount,
  carriedLoss,
  copiedPosition,
  COPY_STOP_LOSS_MAX,
  COPY_STOP_LOSS_MIN,
  copyingOf,
  decideCopiedOpening,
  decideCopiedReduction,
  decideCopyClose,
  decideStopOut,
  divideRounded,
  evolveEvent,
  EXPOSURE_LIMIT_MAX,
  feeBasis,
  feeOn,
  figuresOf,
  floatingProfit,
  isAtStopLoss,
  isPosition,
  isPriced,
  isRoundedDown,
  larger,
  linkCopy,
  lots,
  money,
  MULTIPLIER_MAX,
  MULTIPLIER_MIN,
  NO_MONEY,
  ratio,
  RULES,
  type CopyAccount,
  type Core,
  type Event,
  type Lots,
  type Money,
  type Quote,
  type Ratio,
} from '@fairlot/core'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { readEngine } from '../engine/calls.ts'
import type { ProvenEvent } from '../engine/projection/receipt-chain.ts'
import type { StrategyTable } from '../platform/database/copying-schema.ts'
import type { UserCall } from '../platform/http/api.ts'
import { createKeyedMutex } from '../platform/concurrency.ts'
import { isRefusal, refuse, type Refusal } from '../platform/refusal.ts'
import type { CopyingServices } from './copying-services.ts'
import { DAY_MS, ratioOf } from './strategy-figures.ts'
import { pricesIn, type StrategyTrading } from './strategy-records.ts'

const PERIOD_MS = 91 * DAY_MS
/** Fewer orders say little. */
const ORDERS_LEAST = 20
/** Orders that are listed one by one: the latest. */
const LISTED_ORDERS = 500
/** Events that are walked through without a pause. */
const SLICE = 500
/** Attempts to find the least amount with which every order would be copied. */
const TRIES = 4
/** Amounts are proposed in whole units. */
const UNIT = 1_000_000n
const RATIO_UNIT = 1_000_000n

type Query = Pick<DryRunQuery, 'amount' | 'multiplier' | 'exposureLimit' | 'stopPercent'>

export function createDryRun(services: CopyingServices) {
  const { engine, queries, ranking, now } = services
  const withLock = createKeyedMutex()
  return ({ input, user }: UserCall<DryRunQuery>): Promise<DryRun | Refusal> =>
    // One at a time for each user: it walks through thousands of orders.
    withLock(String(user.id), async () => {
      const refusal = refusalOf(services, input)
      if (refusal) return refusal
      await engine.caughtUp()
      const strategy = await queries
        .selectFrom('strategy')
        .innerJoin('strategy_text', 'strategy_text.strategy_id', 'strategy.id')
        .selectAll('strategy')
        .where('strategy.id', '=', BigInt(input.strategyId))
        .where('strategy_text.hidden_for', 'is', null)
        .where('strategy.ended_at', 'is', null)
        .executeTakeFirst()
      if (!strategy) return refuse('strategyNotFound')
      if (input.feeShare !== null && Number(strategy.fee_share) > input.feeShare)
        return refuse('copyFeeRaised')
      const since = Math.max(Number(strategy.published_at) + 1, Math.floor(now()) - PERIOD_MS)
      const load = () => ranking.records.trading(strategy, since)
      const walked = await walkThrough(await load(), strategy, input)
      return answerOf(services, { userId: user.id, strategy, input, walked, load, since })
    })
}

function refusalOf({ engine }: CopyingServices, { amount, multiplier, exposureLimit, stopPercent }: Query) {
  const { minAmount } = copyingOf(engine.state().settings)
  if (amount < minAmount) return refuse('copyAmountTooSmall', { least: minAmount })
  const isMultiplier = multiplier >= MULTIPLIER_MIN && multiplier <= MULTIPLIER_MAX
  if (!isMultiplier) return refuse('copyTermsInvalid', { field: 'multiplier' })
  if (exposureLimit > EXPOSURE_LIMIT_MAX) return refuse('copyTermsInvalid', { field: 'exposure' })
  const isStop = stopPercent >= COPY_STOP_LOSS_MIN && stopPercent <= COPY_STOP_LOSS_MAX
  return isStop ? null : refuse('copyTermsInvalid', { field: 'stop_at_percent' })
}

/** One order of the provider, and what the copy did with it. */
type Line = {
  readonly orderId: number
  readonly instrumentId: number
  readonly openedAt: number
  readonly providerLots: Lots
  readonly lots: Lots
  readonly isRounded: boolean
  readonly reason: DryRun['orders'][number]['reason']
  /** The copy's equity at which it would have been large enough; null where that is not what was missing. */
  readonly neededEquity: Money | null
  readonly equity: Money | null
  /** Of the provider, at the end. */
  isOpen: boolean
  profit: Money
  providerProfit: Money
}

type Walked = {
  readonly lines: readonly Line[]
  readonly equity: Money
  readonly balance: Money
  readonly worst: Money
  readonly stopEquity: Money
  readonly wouldStop: boolean
}

const OWNER = 1
const PROVIDER = 2
const COPY = 3

/** The copy of a simulation, with its owner and its provider. */
function copyIn({ state }: Core, strategy: StrategyTable, { amount, ...terms }: Query): CopyAccount {
  state.rulesVersion = RULES
  addAccount(state, OWNER, 'demo')
  addAccount(state, PROVIDER, 'demo')
  const account = addAccount(state, COPY, 'demo', OWNER)
  account.available.balance = amount
  linkCopy(state, account, {
    strategyId: Number(strategy.id),
    providerId: PROVIDER,
    multiplier: terms.multiplier,
    exposureLimit: terms.exposureLimit,
    stopLoss: terms.stopPercent,
    excluded: [],
    feeShare: ratio(Number(strategy.fee_share)),
    startedAt: 0,
    status: 'running',
    endReason: null,
    takenOver: [],
    base: amount,
    mark: amount,
    feeChargedAt: 0,
    orders: new Map(),
  })
  return account as CopyAccount
}

/** Follows the provider from event to event, and looks at the equity at every full hour. */
async function walkThrough(
  { events, terms, snapshots }: StrategyTrading,
  strategy: StrategyTable,
  query: Query,
): Promise<Walked> {
  const { core } = terms
  const copy = copyIn(core, strategy, query)
  const lines = new Map<number, Line>()
  /** Lots of the provider's positions now. */
  const left = new Map<number, Lots>()
  let [peak, worst, wouldStop] = [query.amount as bigint, 0n, false]
  let hour = 0

  const apply = (event: Event | null, at: number) => {
    if (event) evolveEvent(core, event, at)
  }
  const book = (orderId: number, profit: bigint) => {
    const line = lines.get(orderId)
    if (line) line.profit = money(line.profit + profit)
  }
  /** What the copy does by itself or after its provider, booked for the provider's order behind it. */
  const take = (event: Event | null, at: number) => {
    const position = event && 'orderId' in event ? copy.orders.get(event.orderId) : undefined
    apply(event, at)
    if (event && 'profit' in event && position?.copied) book(position.copied.orderId, event.profit)
  }
  /** Stop-out first, then the copy stop loss: it closes everything, each at the first fresh price. */
  const look = (prices: readonly Quote[], at: number) => {
    for (const quote of prices) core.state.quotes.set(quote.instrumentId, quote)
    if (!isPriced(core.state, copy)) return
    const { equity } = figuresOf(core.state, copy)
    if (equity > peak) peak = equity
    if (equity - peak < worst) worst = equity - peak
    for (const event of decideStopOut(core, copy, at)) take(event, at)
    if (isAtStopLoss(copy.copy, equity) || equity <= 0n) wouldStop = true
    if (!wouldStop) return
    for (const order of copy.orders.values())
      if (isPosition(order)) take(decideCopyClose(core, copy, order, { reason: 'copyEnded', at }), at)
  }
  const follow = (event: ProvenEvent, at: number) => {
    if (event.type === 'positionOpened') {
      left.set(event.orderId, event.lots)
      const line = openingLine(core, copy, event, at)
      lines.set(event.orderId, line.line)
      apply(line.event, at)
      if (line.event) book(event.orderId, -line.event.fee)
      return
    }
    const line = lines.get(event.orderId)
    if (!line) return
    if (event.type === 'swapBooked') line.providerProfit = money(line.providerProfit + event.amount)
    if (event.type === 'positionClosed' || event.type === 'positionReduced')
      line.providerProfit = money(line.providerProfit + event.profit)
    if (event.type === 'positionClosed') line.isOpen = false
    const position = copiedPosition(copy, event.orderId)
    const providerLots = left.get(event.orderId) ?? lots(0)
    if (event.type === 'positionReduced') left.set(event.orderId, lots(providerLots - event.lots))
    if (!position) return
    if (event.type === 'swapBooked' && providerLots > 0) {
      const swap = divideRounded(event.amount * BigInt(position.lots), BigInt(providerLots))
      copy.available.balance = money(copy.available.balance + swap)
      book(event.orderId, swap)
    }
    const caused =
      event.type === 'positionClosed'
        ? decideCopyClose(core, copy, position, { reason: 'providerClosed', at })
        : event.type === 'positionReduced'
          ? decideCopiedReduction(core, copy, position, {
              providerLotsLeft: lots(providerLots - event.lots),
              at,
            })
          : null
    take(caused, at)
  }

  for (const [index, { at, event }] of events.entries()) {
    for (let next = snapshots[hour]; next && next.moment <= at; next = snapshots[hour]) {
      look(next.prices, next.moment)
      hour += 1
    }
    terms.advance(at)
    look(pricesIn(event), at)
    if (!wouldStop || event.type !== 'positionOpened') follow(event, at)
    else lines.set(event.orderId, stoppedLine(event, at))
    look([], at)
    if (index % SLICE === SLICE - 1) await nextTurn()
  }
  for (const order of copy.orders.values())
    if (isPosition(order) && order.copied)
      book(order.copied.orderId, floatingProfit(core.state, order) ?? NO_MONEY)
  const figures = figuresOf(core.state, copy)
  // Protection against a negative balance: no more than what was put in can be lost.
  const equity = larger(figures.equity, NO_MONEY)
  const balance = larger(figures.balance, NO_MONEY)
  const stopEquity = money((query.amount * BigInt(query.stopPercent)) / 100n)
  return { lines: [...lines.values()], equity, balance, worst: money(worst), stopEquity, wouldStop }
}

type Opening = Extract<ProvenEvent, { type: 'positionOpened' }>

const emptyLine = (event: Opening, at: number) => ({
  orderId: event.orderId,
  instrumentId: event.instrumentId,
  openedAt: at,
  providerLots: event.lots,
  isOpen: true,
  profit: NO_MONEY,
  providerProfit: money(-event.fee),
})

/** After the copy stop loss nothing is copied any more. */
const stoppedLine = (event: Opening, at: number): Line => ({
  ...emptyLine(event, at),
  lots: lots(0),
  isRounded: false,
  reason: 'copyEnded',
  neededEquity: null,
  equity: null,
})

function openingLine(core: Core, copy: CopyAccount, event: Opening, at: number) {
  const { strategyEquity, lots: providerLots, orderId, instrumentId, side, leverage } = event
  const order = {
    accountId: PROVIDER,
    orderId,
    instrumentId,
    side,
    lots: providerLots,
    leverage,
    equity: strategyEquity ?? NO_MONEY,
  }
  const decided = decideCopiedOpening(core, order, copy, at)
  const isCopied = decided.type === 'positionOpened'
  const equity = isCopied ? (decided.copied?.equity ?? null) : decided.equity
  const line: Line = {
    ...emptyLine(event, at),
    lots: isCopied ? decided.lots : lots(0),
    isRounded:
      isCopied &&
      equity !== null &&
      isRoundedDown(decided.lots, {
        ...order,
        multiplier: copy.copy.multiplier,
        equity,
        providerEquity: order.equity,
      }),
    reason: isCopied ? (decided.copied?.reason ?? null) : decided.reason,
    neededEquity:
      !isCopied && decided.reason === 'belowMinimumLot'
        ? leastEquity(core, order, copy.copy.multiplier)
        : null,
    equity,
  }
  return { line, event: isCopied ? decided : null }
}

type Sized = { readonly lots: Lots; readonly equity: Money; readonly instrumentId: number }

/** The least equity of a copy that reaches the minimum lot. */
function leastEquity({ state }: Core, order: Sized, multiplier: Ratio): Money | null {
  const lotMin = state.instruments.get(order.instrumentId)?.lotMin
  const share = BigInt(multiplier) * BigInt(order.lots)
  if (lotMin === undefined || share <= 0n) return null
  return money((BigInt(lotMin) * order.equity * RATIO_UNIT + share - 1n) / share)
}

type Answering = {
  readonly userId: number
  readonly strategy: StrategyTable
  readonly input: DryRunQuery
  readonly walked: Walked
  readonly load: () => Promise<StrategyTrading>
  readonly since: number
}

async function answerOf(
  services: CopyingServices,
  { userId, strategy, input, walked, load, since }: Answering,
): Promise<DryRun | Refusal> {
  const openOrders = await openOrdersOf(services, strategy)
  if (isRefusal(openOrders)) return openOrders
  const { lines, equity, balance } = walked
  const carried = carriedLoss(services.engine.state(), userId, Number(strategy.account_id), services.now())
  const terms = { feeShare: ratio(Number(strategy.fee_share)), mark: money(input.amount + carried) }
  const fee = feeOn(terms, feeBasis({ balance, equity }))
  const result = money(equity - input.amount - fee)
  const closed = lines.filter(({ isOpen }) => !isOpen)
  const skipped = lines.filter(({ lots: size }) => size === 0)
  const rounded = lines.filter(({ isRounded }) => isRounded)
  const growths = await services.ranking.growthSince([
    { copyId: 0, strategyId: Number(strategy.id), from: since, to: null },
  ])
  return {
    orders: closed.slice(-LISTED_ORDERS).map((line) => ({
      orderId: line.orderId,
      code: services.instrumentOf(line.instrumentId).code,
      openedAt: line.openedAt,
      result: line.lots === 0 ? 'skipped' : line.isRounded ? 'rounded' : 'copied',
      reason: line.reason,
      lots: line.lots,
      providerLots: line.providerLots,
      profit: line.profit,
      providerProfit: line.providerProfit,
    })),
    copied: lines.length - skipped.length - rounded.length,
    rounded: rounded.length,
    skipped: skipped.length,
    isShort: lines.length < ORDERS_LEAST,
    result,
    rate: ratioOf(result, input.amount),
    // Not of open positions, whose result would reveal their opening price.
    providerResult: money(closed.reduce((sum, { providerProfit }) => sum + providerProfit, 0n)),
    providerRate: growths.get(0) ?? null,
    worst: walked.worst,
    fee,
    carriedLoss: carried,
    stopEquity: walked.stopEquity,
    wouldStop: walked.wouldStop,
    amountForAll: await amountForAll(input, walked, (query) =>
      load().then((trading) => walkThrough(trading, strategy, query)),
    ),
    openOrders,
  }
}

/**
 * The least amount, in whole units, with which every order would have been copied. Null where more money would not
 * help: exposure and margin grow with it.
 */
async function amountForAll(
  query: Query,
  first: Walked,
  walk: (query: Query) => Promise<Walked>,
): Promise<Money | null> {
  let [amount, walked] = [query.amount, first]
  for (let tries = 0; tries < TRIES; tries += 1) {
    const skipped = walked.lines.filter(({ lots: size }) => size === 0)
    if (skipped.length === 0) return amount
    if (skipped.some(({ neededEquity }) => neededEquity === null)) return null
    const needed = skipped.map(({ neededEquity, equity }) =>
      equity && equity > 0n ? (amount * (neededEquity ?? 0n) + equity - 1n) / equity : 0n,
    )
    const most = needed.reduce((larger, one) => (one > larger ? one : larger), 0n)
    if (most <= amount) return null
    amount = money(((most + UNIT - 1n) / UNIT) * UNIT)
    walked = await walk({ ...query, amount })
  }
  return null
}

/** Ratios are rounded to whole percent: exact ones would give the entry away. */
const WHOLE_PERCENT = 10_000

/** The provider's open positions, which a copy may start with; neither their prices nor their stops and targets. */
async function openOrdersOf(
  { engine, instrumentOf }: CopyingServices,
  { account_id }: StrategyTable,
): Promise<DryRun['openOrders'] | Refusal> {
  return readEngine(engine, (state) => {
    const account = state.accounts.get(Number(account_id))
    if (!account) return []
    const { equity } = figuresOf(state, account)
    const rounded = (part: bigint, whole: bigint): Ratio =>
      ratio(Math.round((ratioOf(part, whole) ?? 0) / WHOLE_PERCENT) * WHOLE_PERCENT)
    return [...account.orders.values()].filter(isPosition).map((order) => ({
      code: instrumentOf(order.instrumentId).code,
      side: order.side,
      share: rounded(order.margin, equity),
      result: rounded(floatingProfit(state, order) ?? NO_MONEY, order.margin),
    }))
  })
}
