import type { Money, Ratio } from '@fairlot/core'
import { object, transform } from '../protocol/codec.ts'
import {
  amount,
  choice,
  day,
  flag,
  id,
  int,
  listOf,
  lots,
  money,
  nullable,
  omittable,
  omittableOrBlank,
  percentage,
  price,
  ratio,
  text,
  time,
  withDefault,
} from '../protocol/field.ts'
import { factorCode } from '../accounts/user.wire.ts'
import { order } from '../trading/orders.wire.ts'
import { GROUNDS, receiptTick } from '../trading/receipt.wire.ts'

/** Strategies, their figures and copies. Rates are percent on the wire and ratios inside: 12.5 means 0.125. */

const moneyKind = choice({ real: 'real', demo: 'demo' })

const figuresWindow = choice({ threeWeeks: '3w', threeMonths: '3m', year: '1y', all: 'all' })

/** What a reader should know before trusting a result; the method says how each is found. */
const flagOf = choice({
  raisesAfterLosses: 'raises_after_losses',
  holdsLosses: 'holds_losses',
  oneOrder: 'one_order',
  highLeverage: 'high_leverage',
})

const strategyEnd = choice({
  withdrawn: 'withdrawn',
  accountClosed: 'account_closed',
  demoReset: 'demo_reset',
  providerFrozen: 'provider_frozen',
  copyingOff: 'copying_off',
  zeroEquity: 'zero_equity',
})

const IDENTITY = {
  id: ['id', id],
  name: ['name', text],
  kind: ['kind', moneyKind],
  publishedAt: ['published_at', time],
  endedAt: ['ended_at', nullable(time)],
  endedAs: ['ended_as', nullable(strategyEnd)],
} as const

/** Figures of a window; null where nothing can be said, as a win rate without closed orders. */
const FIGURES = {
  /** Time-weighted return. */
  rate: ['rate', nullable(percentage)],
  /** Of closed orders, in the account currency. */
  profit: ['profit', money],
  winRate: ['win_rate', nullable(percentage)],
  drawdown: ['drawdown', percentage],
  /** Gains for each unit lost. */
  profitFactor: ['profit_factor', nullable(ratio)],
  averageLeverage: ['average_leverage', nullable(ratio)],
  highestLeverage: ['highest_leverage', nullable(ratio)],
  /** Of the time, with open positions. */
  exposedShare: ['exposed_share', percentage],
  /** Closed orders; parts of one position count once. */
  orders: ['orders', int()],
  days: ['days', int()],
  /** What copiers got: all copies of the strategy in the window. */
  copiersResult: ['copiers_result', money],
  copiersInProfit: ['copiers_in_profit', nullable(percentage)],
  copiersMedian: ['copiers_median', nullable(percentage)],
  flags: ['flags', listOf(flagOf)],
} as const

/** A row of the ranking. */
export const strategyRow = object({
  ...IDENTITY,
  ...FIGURES,
  feeShare: ['fee', percentage],
  /** Of the open positions together, never above zero; their levels stay private. */
  openLoss: ['open_loss', money],
  copiers: ['copiers', int()],
  copiedMoney: ['copied_money', money],
  /** Too little is known to rank it. */
  isShort: ['too_short', flag(1, 0)],
  /** The growth of one unit since the window began, up to 30 points. */
  curve: ['curve', listOf(ratio)],
  /** The caller's running copy of it. */
  copyId: ['copy_id', omittable(id)],
})

export const strategyQuery = object({
  window: ['window', withDefault(figuresWindow, 'threeWeeks')],
  kind: ['kind', withDefault(moneyKind, 'real')],
  sort: [
    'sort',
    withDefault(
      choice({
        score: 'score',
        rate: 'rate',
        profit: 'profit',
        winRate: 'win_rate',
        drawdown: 'drawdown',
        orders: 'orders',
        days: 'days',
        copiers: 'copiers',
        copiedMoney: 'copied_money',
        copiersResult: 'copiers_result',
        copiersInProfit: 'copiers_in_profit',
        copiersMedian: 'copiers_median',
        profitFactor: 'profit_factor',
        averageLeverage: 'average_leverage',
        highestLeverage: 'highest_leverage',
        exposedShare: 'exposed_share',
        openLoss: 'open_loss',
      }),
      'score',
    ),
  ],
  page: ['page', withDefault(int(1, 'pageInvalid'), 1)],
})

export const strategyPage = object({ strategies: ['data', listOf(strategyRow)], total: ['total', int()] })

export const strategyId = object({ id: ['id', id] })

/** A strategy of the same person. */
const otherStrategy = object({ ...IDENTITY, rate: ['rate', nullable(percentage)] })

export const strategyDetails = object({
  ...IDENTITY,
  description: ['description', text],
  feeShare: ['fee', percentage],
  openLoss: ['open_loss', money],
  copiers: ['copiers', int()],
  copiedMoney: ['copied_money', money],
  isShort: ['too_short', flag(1, 0)],
  windows: ['windows', listOf(object({ window: ['window', figuresWindow], ...FIGURES }))],
  /** Growth of one unit since publication at the ends of days, and the deepest fall of each from the highest before. */
  curve: [
    'curve',
    listOf(object({ at: ['at', time], growth: ['growth', ratio], drawdown: ['drawdown', percentage] })),
  ],
  months: ['months', listOf(object({ start: ['start', day], rate: ['rate', nullable(percentage)] }))],
  instruments: [
    'instruments',
    listOf(
      object({
        instrumentId: ['forex_id', id],
        code: ['code', text],
        name: ['name', text],
        orders: ['orders', int()],
        profit: ['profit', money],
      }),
    ),
  ],
  /** Median holding time of closed orders, ms. */
  holdingTime: ['holding_time', nullable(int())],
  /** Closed orders before publication, shown apart and never ranked. */
  ordersBefore: ['orders_before', int()],
  profitBefore: ['profit_before', money],
  others: ['others', listOf(otherStrategy)],
  /** The caller's running copy of it. */
  copyId: ['copy_id', omittable(id)],
  isOwn: ['is_own', flag(1, 0)],
})

export const strategyOrdersQuery = object({
  id: ['id', id],
  page: ['page', withDefault(int(1, 'pageInvalid'), 1)],
})

/**
 * The public form of a receipt: tick, price, lots and result of one fill. No hash: that of a receipt stands in the next
 * one, and by both the rest of the text could be guessed.
 */
const publicReceipt = object({
  at: ['at', time],
  action: ['action', choice({ open: 'open', close: 'close' })],
  /** Null where a position ended without a fill. */
  tick: ['tick', nullable(receiptTick)],
  price: ['price', nullable(price)],
  lots: ['lots', lots],
  /** Of a close, before swaps and the opening fee; null of an opening. */
  result: ['result', nullable(money)],
  /** Of a position closed by operators: the published ground. */
  ground: ['ground', omittable(choice(GROUNDS))],
})

/** A closed order of a strategy as anybody sees it; its closed parts are receipts. */
export const strategyOrder = object({
  id: ['id', id],
  instrumentId: ['forex_id', id],
  code: ['code', text],
  priceDecimals: ['digits', int()],
  side: ['side', choice({ buy: 1, sell: 2 })],
  /** At the opening. */
  lots: ['lots', lots],
  openedAt: ['opened_at', time],
  endedAt: ['ended_at', time],
  /** Everything that was booked for it: profit and swaps less the fee. */
  result: ['result', money],
  /** The opening and every close, oldest first. */
  receipts: ['receipts', listOf(publicReceipt)],
})

export const strategyOrders = object({ orders: ['data', listOf(strategyOrder)], total: ['total', int()] })

export const strategyForm = object({
  name: ['name', text],
  description: ['description', text],
  feeShare: ['fee', percentage],
})

/** Why the caller cannot publish now. */
const publishBarrier = choice({
  identity: 'identity',
  registration: 'registration',
  staff: 'staff',
  otherStrategy: 'other_strategy',
  equity: 'equity',
  tooSoon: 'too_soon',
  copyingOff: 'copying_off',
  restricted: 'restricted',
})

/** The caller's own strategy. Copiers stay unnamed. */
export const ownStrategy = object({
  strategy: [
    'strategy',
    nullable(
      object({
        ...IDENTITY,
        description: ['description', text],
        feeShare: ['fee', percentage],
        copiers: ['copiers', int()],
        copiedMoney: ['copied_money', money],
        feesEarned: ['fees_earned', money],
        /** The reason for which an operator hides it; null while it is shown. */
        hiddenFor: ['hidden_for', nullable(text)],
      }),
    ),
  ],
  barrier: ['barrier', nullable(publishBarrier)],
  /** When another may be published, where it is too soon. */
  publishableAt: ['publishable_at', nullable(time)],
  minEquity: ['min_equity', money],
  maxFeeShare: ['max_fee', percentage],
})

/** The secret of a demo account, by which a registered user says that it is theirs. */
export const ownDemo = object({ demoId: ['demo_id', text] })

export const strategyReport = object({ id: ['id', id], reason: ['reason', text] })

/** What copying is like here, for the form and the page of the method. */
export const copyingTerms = object({
  minAmount: ['min_amount', money],
  maxCopies: ['max_copies', int()],
  isDemoOn: ['demo', flag(1, 0)],
  isRealOn: ['real', flag(1, 0)],
  legalBasis: ['legal_basis', text],
  providerMinEquity: ['provider_min_equity', money],
  /** The latest method of the ranking, and when it takes effect; null once it has. Until then the one before holds. */
  methodVersion: ['method_version', int(1)],
  methodFrom: ['method_from', nullable(time)],
  rankedAfterDays: ['ranked_after_days', int()],
  rankedAfterOrders: ['ranked_after_orders', int()],
})

const COPY_TERMS = {
  multiplier: ['multiplier', ratio],
  /** How many times its equity a copy's positions may be worth. */
  exposureLimit: ['exposure', int(1)],
  /** Percent of the base at which everything is closed. */
  stopPercent: ['stop_percent', int(1)],
} as const

const SKIP_REASONS = {
  belowMinimumLot: 'belowMinimumLot',
  notEnoughMargin: 'notEnoughMargin',
  exposureLimit: 'exposureLimit',
  providerEquity: 'providerEquity',
  copyPaused: 'copyPaused',
  instrumentExcluded: 'instrumentExcluded',
  maximumLot: 'maximumLot',
  noPrice: 'noPrice',
  accountRestricted: 'accountRestricted',
  tooManyOrders: 'tooManyOrders',
  belowStep: 'belowStep',
  notHeld: 'notHeld',
} as const
const skipReason = choice(SKIP_REASONS)

/** The terms of a copy whose owner chooses none. */
export const COPY_DEFAULTS = { multiplier: 1_000_000 as Ratio, exposureLimit: 10, stopPercent: 60 } as const

/** The requested terms; all may be left out. */
const REQUESTED_TERMS = {
  /** The performance fee that the user was shown: where it has risen since, nothing starts. Left out: any fee. */
  feeShare: ['fee', omittableOrBlank(percentage)],
  multiplier: ['multiplier', withDefault(ratio, COPY_DEFAULTS.multiplier)],
  exposureLimit: ['exposure', withDefault(int(1), COPY_DEFAULTS.exposureLimit)],
  stopPercent: ['stop_at_percent', omittableOrBlank(int(1))],
  /** The same as earlier versions of the app name it. */
  earlierStopPercent: ['stop_percent', omittableOrBlank(int(1))],
} as const

type RequestedStop = { readonly stopPercent: number | null; readonly earlierStopPercent: number | null }

const stopOf = ({ stopPercent, earlierStopPercent }: RequestedStop): number =>
  stopPercent ?? earlierStopPercent ?? COPY_DEFAULTS.stopPercent

export const dryRunQuery = transform(
  object({ strategyId: ['strategy_id', id], amount: ['amount', amount], ...REQUESTED_TERMS }),
  {
    decode: ({ earlierStopPercent, ...requested }) => ({
      ...requested,
      stopPercent: stopOf({ ...requested, earlierStopPercent }),
    }),
    encode: (query) => ({ ...query, earlierStopPercent: null }),
  },
)

/** How a copy of the last three months would have gone. */
export const dryRun = object({
  /** Closed ones only: the lots and profit of an open position would reveal its opening price. */
  orders: [
    'orders',
    listOf(
      object({
        orderId: ['order_id', id],
        code: ['code', text],
        openedAt: ['opened_at', time],
        result: ['result', choice({ copied: 'copied', rounded: 'rounded', skipped: 'skipped' })],
        /** After the copy stop loss nothing is copied. */
        reason: ['reason', nullable(choice({ ...SKIP_REASONS, copyEnded: 'copyEnded' }))],
        lots: ['lots', lots],
        providerLots: ['provider_lots', lots],
        profit: ['profit', money],
        providerProfit: ['provider_profit', money],
      }),
    ),
  ],
  copied: ['copied', int()],
  rounded: ['rounded', int()],
  skipped: ['skipped', int()],
  /** Fewer than 20 orders say little. */
  isShort: ['too_short', flag(1, 0)],
  result: ['result', money],
  rate: ['rate', nullable(percentage)],
  /** Of the provider's closed orders. */
  providerResult: ['provider_result', withDefault(money, 0n as Money)],
  providerRate: ['provider_rate', nullable(percentage)],
  /** The largest fall of the copy's money, zero or less. */
  worst: ['worst', money],
  fee: ['fee', money],
  /** Equity at which the copy stop loss would close everything. */
  stopEquity: ['stop_equity', money],
  wouldStop: ['would_stop', flag(1, 0)],
  /** A loss of an earlier copy of the same trader, which is made up for before a fee is due; zero where there is none. */
  carriedLoss: ['carried_loss', money],
  /** The least with which every order would have been copied; null where none would do. */
  amountForAll: ['amount_for_all', nullable(money)],
  /** Open positions that "also the open ones" would copy now. Their levels stay private, so that nobody front-runs. */
  openOrders: [
    'open_orders',
    listOf(
      object({
        code: ['code', text],
        side: ['side', choice({ buy: 1, sell: 2 })],
        /** The margin, in whole percent of the provider's equity. */
        share: ['share', percentage],
        /** The result so far, in whole percent of the margin. */
        result: ['result', percentage],
      }),
    ),
  ],
})

export const copyForm = transform(
  object({
    strategyId: ['strategy_id', id],
    amount: ['amount', amount],
    ...REQUESTED_TERMS,
    isWithOpenOrders: ['with_open', withDefault(flag(1, 0), false)],
    /** A code of the second factor, where it is on. */
    code: ['code', withDefault(factorCode, '')],
  }),
  {
    decode: ({ earlierStopPercent, ...requested }) => ({
      ...requested,
      stopPercent: stopOf({ ...requested, earlierStopPercent }),
    }),
    encode: (form) => ({ ...form, earlierStopPercent: null }),
  },
)

export const copyId = object({ copyId: ['copy_id', id] })
export const copyAmount = object({ copyId: ['copy_id', id], amount: ['amount', amount] })
export const copyStopLoss = object({ copyId: ['copy_id', id], stopPercent: ['stop_percent', int(1)] })
/** What is left out stays as it is; an empty list copies every instrument. */
export const copyChange = object({
  copyId: ['copy_id', id],
  multiplier: ['multiplier', omittable(ratio)],
  exposureLimit: ['exposure', omittable(int(1))],
  excluded: ['excluded', omittable(listOf(id))],
})
export const copyPosition = object({ copyId: ['copy_id', id], orderId: ['id', id] })

const copyState = choice({ running: 'running', paused: 'paused', ending: 'ending', ended: 'ended' })

const copyEnd = choice({
  owner: 'owner',
  stopLoss: 'stop_loss',
  strategyEnded: 'strategy_ended',
  copyingOff: 'copying_off',
  ownerReset: 'owner_reset',
})

/** A copy of the caller. */
export const copy = object({
  id: ['id', id],
  strategyId: ['strategy_id', id],
  name: ['name', text],
  /** Of the strategy. */
  strategyKind: ['kind', moneyKind],
  state: ['state', copyState],
  endReason: ['end_reason', nullable(copyEnd)],
  startedAt: ['started_at', time],
  endedAt: ['ended_at', nullable(time)],
  ...COPY_TERMS,
  /** Instruments that are not copied. */
  excluded: ['excluded', listOf(id)],
  feeShare: ['fee', percentage],
  /** Everything put in, and everything taken out or returned. */
  putIn: ['put_in', money],
  takenOut: ['taken_out', money],
  balance: ['balance', money],
  equity: ['equity', money],
  /** Equity and what was taken out, less what was put in. */
  result: ['result', money],
  feePaid: ['fee_paid', money],
  /** The most that can be taken out now. */
  free: ['free', money],
  /** Equity at which everything is closed. */
  stopEquity: ['stop_equity', money],
  positions: ['positions', int()],
  /** While the provider is frozen nothing new is copied; when the copy ends unless the freeze does. */
  frozenUntil: ['frozen_until', nullable(time)],
  /** The strategy's rate since the copy started, beside its own. */
  rate: ['rate', nullable(percentage)],
  providerRate: ['provider_rate', nullable(percentage)],
})

export const copyDetails = object({ copy: ['copy', copy], orders: ['orders', listOf(order)] })

export const copies = object({ copies: ['data', listOf(copy)] })

export const copyLogQuery = object({
  copyId: ['copy_id', id],
  page: ['page', withDefault(int(1, 'pageInvalid'), 1)],
})

const logEntry = object({
  at: ['at', time],
  providerOrderId: ['provider_order_id', id],
  /** Of the copy; null for a skipped order. */
  orderId: ['order_id', nullable(id)],
  code: ['code', text],
  priceDecimals: ['digits', int()],
  side: ['side', choice({ buy: 1, sell: 2 })],
  action: [
    'action',
    choice({
      copied: 'copied',
      rounded: 'rounded',
      reduced: 'reduced',
      skipped: 'skipped',
      closed: 'closed',
    }),
  ],
  reason: ['reason', nullable(skipReason)],
  lots: ['lots', nullable(lots)],
  providerLots: ['provider_lots', lots],
  price: ['price', nullable(price)],
  providerPrice: ['provider_price', nullable(price)],
  /**
   * How the size of an opening came about: lots = multiplier x provider's lots x equity / provider's equity, rounded
   * down. Null where no size was asked for.
   */
  sizing: [
    'sizing',
    nullable(
      object({
        multiplier: ['multiplier', ratio],
        equity: ['equity', money],
        providerEquity: ['provider_equity', money],
      }),
    ),
  ],
  /** Of an order below the minimum: the lots before rounding, and the least that the instrument has. */
  tooSmall: ['too_small', omittable(object({ lots: ['lots', lots], leastLots: ['least', lots] }))],
})

/** What became of the provider's orders in a copy, the newest first. */
export const copyLog = object({ entries: ['data', listOf(logEntry)], total: ['total', int()] })

export const followQuery = object({ page: ['page', withDefault(int(1, 'pageInvalid'), 1)] })

/** A row of the spec's list of followed traders. */
const followed = object({
  id: ['id', id],
  copyId: ['copy_id', omittable(id)],
  kind: ['kind', moneyKind],
  name: ['user', text],
  multiplier: ['multiple', ratio],
  rate: ['three_week_rate', nullable(percentage)],
  winRate: ['three_week_win', nullable(percentage)],
  profit: ['three_week_profit', money],
  totalRate: ['total_rate', nullable(percentage)],
  totalOrders: ['total_trade_num', int()],
  /** The codes of the instruments traded, by the number of orders. */
  codes: ['code', text],
})

export const followedPage = object({ rows: ['data', listOf(followed)], total: ['total', int()] })
