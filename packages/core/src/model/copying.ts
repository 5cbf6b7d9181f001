/** Copying (trading-rules §12): strategies that users publish, and copies that follow them. */
import type { LedgerKind } from './ledger.ts'
import { money, ratio, smaller, type Lots, type Money, type Ratio } from './number.ts'

/** The settings of copying; journals without them have the defaults. */
export type CopyingSettings = {
  /** The least that a copy starts with. */
  readonly minAmount: Money
  readonly maxCopiesPerUser: number
  readonly maxCopiesPerProvider: number
  /** Below this equity nothing of a provider is copied, and nobody publishes. */
  readonly providerMinEquity: Money
  /** Whether demo money, and whether real money, may copy. */
  readonly isDemoOn: boolean
  readonly isRealOn: boolean
  /** Under which law real money is copied; shown to users. Empty while it is off. */
  readonly legalBasis: string
}

export const DEFAULT_COPYING: CopyingSettings = {
  minAmount: money(100_000_000n),
  maxCopiesPerUser: 20,
  maxCopiesPerProvider: 2_000,
  providerMinEquity: money(500_000_000n),
  isDemoOn: true,
  isRealOn: false,
  legalBasis: '',
}

/** The highest performance fee: 30 % of the profit. */
export const MAX_FEE_SHARE = ratio(300_000)
/** From a tenth of the provider's proportion to ten times. */
export const MULTIPLIER_MIN = ratio(100_000)
export const MULTIPLIER_MAX = ratio(10_000_000)
/** A copy's positions may be worth up to this many times its equity. */
export const EXPOSURE_LIMIT_MAX = 30
/** Percent of a copy's base at or below which everything is closed. */
export const COPY_STOP_LOSS_MIN = 5
export const COPY_STOP_LOSS_MAX = 95
/** How long after the end of a strategy its user may publish another, ms. */
export const PUBLISH_AGAIN_MS = 30 * 86_400_000
/** How long a loss is carried into a later copy of the same provider: twelve months, ms. */
export const LOSS_CARRIED_MS = 365 * 86_400_000
/** How long copies of a frozen provider wait before they end, ms. */
export const FROZEN_PROVIDER_MS = 30 * 86_400_000

/** Openings of all copies of a provider together, a minute. */
const COPIED_OPENINGS_PER_MINUTE = 60_000
const LEAST_OPENINGS_PER_MINUTE = 20
/** Active orders of a provider times its copies stay below this. */
export const MAX_COPIED_ORDERS = 100_000
/** Positions of copies that one command of a provider may close. */
const MAX_COPIES_CLOSED_AT_ONCE = 2_000
export const OPENINGS_WINDOW_MS = 60_000

/** Opening orders a minute of a provider with so many copies. */
export const openingsPerMinute = (copies: number): number =>
  copies === 0
    ? Infinity
    : Math.max(LEAST_OPENINGS_PER_MINUTE, Math.floor(COPIED_OPENINGS_PER_MINUTE / copies))

/** Positions that one command of a provider with so many copies closes. */
export const positionsClosedAtOnce = (copies: number): number =>
  copies === 0 ? Infinity : Math.max(1, Math.floor(MAX_COPIES_CLOSED_AT_ONCE / copies))

/** A published strategy, on the account that trades it. */
export type Strategy = {
  readonly id: number
  /** The provider's part of a copy's profit. It can change; copies keep the one they started with. */
  feeShare: Ratio
  readonly publishedAt: number
  /** When the provider's latest orders were placed, epoch ms: those of the minute before the last of them. */
  recentOpenings: readonly number[]
}

/** Why a strategy ended. */
export type StrategyEndReason = 'withdrawn' | 'accountClosed' | 'demoReset' | 'providerFrozen' | 'copyingOff'

/** What a user chooses when a copy starts. */
export type CopyTerms = {
  /** Times the provider's proportion of lots to equity. */
  readonly multiplier: Ratio
  /** How many times its equity a copy's positions may be worth. */
  readonly exposureLimit: number
  /** Percent of the base at or below which everything is closed. */
  readonly stopLoss: number
}

/** What makes an account a copy. */
export type Copy = {
  readonly strategyId: number
  /** The account of the provider. */
  readonly providerId: number
  readonly feeShare: Ratio
  readonly startedAt: number
  multiplier: Ratio
  exposureLimit: number
  stopLoss: number
  /** Instruments that its owner does not copy, by id. */
  excluded: readonly number[]
  /** `ending`: positions close as soon as their markets have fresh prices; then the money returns. */
  status: 'running' | 'paused' | 'ending'
  endReason: CopyEndReason | null
  /** What was put in, scaled down by what was taken out; the copy stop loss is a part of it. */
  base: Money
  /** The high-water mark: the part above it pays a fee. */
  mark: Money
  /** Losses of earlier copies of the provider that the mark holds, oldest first. */
  readonly takenOver: readonly CarriedLoss[]
  /** The last month's end with a fee event, epoch ms; 0 before the first. */
  feeChargedAt: number
  /** Its active orders by the provider's. */
  readonly orders: Map<number, number>
}

/** Why a copy ended. */
export type CopyEndReason = 'owner' | 'stopLoss' | 'strategyEnded' | 'copyingOff' | 'ownerReset'

/** Why an order of the provider was not copied, not in full, or not followed. */
export type CopyReason =
  | 'belowMinimumLot'
  | 'notEnoughMargin'
  | 'exposureLimit'
  | 'providerEquity'
  | 'copyPaused'
  | 'instrumentExcluded'
  | 'maximumLot'
  | 'noPrice'
  | 'accountRestricted'
  | 'tooManyOrders'
  /** A reduction that changes nothing: the next one catches up. */
  | 'belowStep'
  /** An end or a reduction of an order that the copy never had, or no longer has. */
  | 'notHeld'

/** How a copied position came about: enough to compute its size, and later reductions. */
export type CopiedOrder = {
  /** The provider's order. */
  readonly orderId: number
  /** Lots of the provider's order when it was copied. */
  readonly providerLots: Lots
  /** Lots of the copy's position when it opened. */
  readonly lots: Lots
}

/** The provider and the order behind a fill of a copy. */
export type CopySource = { readonly accountId: number; readonly orderId: number }

/** A loss that a later copy of the same provider makes up for before it pays a fee, until a moment in epoch ms. */
export type CarriedLoss = { readonly amount: Money; readonly until: number }

/** The losses that still count at a moment. */
export const carriedAt = (losses: readonly CarriedLoss[], at: number): readonly CarriedLoss[] =>
  losses.filter(({ until }) => until > at)

/** What the high-water mark of a copy starts above its amount, 1e-6 of the account currency. */
export const sumOfLosses = (losses: readonly CarriedLoss[]): Money =>
  money(losses.reduce((sum, { amount }) => sum + amount, 0n))

/**
 * What a copy that ends `loss` below its mark hands on. What is left of the losses that it took over keeps their dates,
 * the oldest made up for first; what it lost itself counts for twelve months from now.
 */
export function lossesHandedOn(
  takenOver: readonly CarriedLoss[],
  loss: Money,
  at: number,
): readonly CarriedLoss[] {
  let rest: bigint = loss
  const handedOn: CarriedLoss[] = []
  for (const { amount, until } of takenOver.toReversed()) {
    const left = smaller(amount, money(rest))
    handedOn.unshift({ amount: left, until })
    rest -= left
  }
  return [...handedOn, { amount: money(rest), until: at + LOSS_CARRIED_MS }].filter(
    ({ amount }) => amount > 0n,
  )
}

/** Whether money of this kind may publish and copy. */
export const isCopyingOn = ({ isDemoOn, isRealOn }: CopyingSettings, ledger: LedgerKind): boolean =>
  ledger === 'demo' ? isDemoOn : isRealOn

/** The settings of copying in force. */
export const copyingOf = ({ copying }: { readonly copying?: CopyingSettings | undefined }): CopyingSettings =>
  copying ?? DEFAULT_COPYING
