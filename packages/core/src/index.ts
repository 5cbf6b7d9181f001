export * from './model/alert.ts'
export {
  alertLevel,
  dayReference,
  isMarginLevelMet,
  isPriceBack,
  isPriceMet,
  sideText,
} from './alerts/alert-level.ts'
export { indexAlert, isSwitchedOff, keepDayPrices } from './alerts/fire-alerts.ts'
export * from './margin/account-figures.ts'
export * from './model/author.ts'
export * from './market/candle.ts'
export * from './model/command.ts'
export * from './model/copying.ts'
export {
  copiedPosition,
  decideCopiedOpening,
  decideCopiedReduction,
  decideCopyClose,
  openOrdersOf,
  type ProviderOrder,
} from './copying/copied-order.ts'
export { decideStopOut } from './orders/decide-stop-out.ts'
export { isRoundedDown, lotsLeft } from './copying/copied-volume.ts'
export { carriedLoss, takeable } from './copying/decide-copy.ts'
export { followsEveryEvent, openingEquities } from './engine/follow-provider.ts'
export { endedEvent, monthFee } from './copying/end-copy.ts'
export { feeBasis, feeOn, isAtStopLoss } from './copying/performance-fee.ts'
export { copiesAmong, isCopy, type CopyAccount } from './state/copy-account.ts'
export { findCopyWork, isMonthEnd, linkCopy, noteFreeze } from './copying/evolve-copying.ts'
export * from './model/currency-conversion.ts'
export { closingObstacles } from './accounts/decide-account.ts'
export { decide, type Decision, type SingleCommand } from './engine/decide.ts'
export { dueMoments, isMomentDue } from './engine/due-moments.ts'
export { costOf, termsOf } from './orders/fill.ts'
export { freshnessOf } from './orders/tradable-market.ts'
export { announcedAfter, noticeEnd } from './terms/adverse-terms.ts'
export { changedLimit, decideTerms, isAdverse, ownLimitOf } from './terms/change-terms.ts'
export { checkBounds, recordFirstTerms } from './terms/terms-bounds.ts'
export type { TermsProblem } from './terms/terms-sanity.ts'
export * from './model/event.ts'
export * from './engine/evolve.ts'
export { feeOf, fixedMargin, marginOf, profitOf } from './money/margin-fee-profit.ts'
export * from './model/instrument.ts'
export { violations, violationsOf } from './engine/invariants.ts'
export * from './model/ledger.ts'
export * from './model/decimal.ts'
export { takeDeferredOrders } from './engine/transaction.ts'
export * from './model/number.ts'
export * from './model/rounding.ts'
export * from './model/percent.ts'
export * from './model/order.ts'
export { indexOrder, unindexOrder } from './state/running-core.ts'
export * from './margin/broker-book.ts'
export * from './engine/price-move.ts'
export { MarginWatch, type StopOutPriceBand, type StopOutPriceBands } from './state/margin-watch.ts'
export { bookSwaps, isSwapDue, rolloverBefore, swapDaysAt, swapOf } from './money/overnight-swap.ts'
export { SUM_WINDOW_MS } from './operators/evolve-operators.ts'
export * from './operators/operators.ts'
export * from './payments/deposit-rate.ts'
export * from './model/money-case.ts'
export * from './money/payout.ts'
export * from './model/opening-hours.ts'
export { instrumentsBehind, stopOutPriceBands } from './margin/stop-out-price-band.ts'
export { isBeyondStopOutPrice, stopOutPrice, stopOutPriceOnceOpen } from './margin/stop-out-price.ts'
export * from './orders/order-rules.ts'
export type { TrailedStop } from './orders/trailing-stop.ts'
export * from './model/quote.ts'
export * from './market/mark-up.ts'
export * from './model/receipt.ts'
export { trailingStart } from './model/trailing-stop.ts'
export * from './state/accepted-requests.ts'
export * from './model/rejection.ts'
export * from './model/rules.ts'
export { HALT_AGAIN_MS, HALT_ALONE_MS } from './market/halts.ts'
export {
  checkTightened,
  FREEZE_AGAIN_MS,
  FREEZE_ALONE_MS,
  singleOperatorFreezeAllowedFrom,
} from './accounts/decide-account.ts'
export * from './calendar/trading-session.ts'
export { withdrawableAtFreshPrices } from './payments/decide-case.ts'
export { openCase } from './payments/evolve-case.ts'
export { seedTerms, seededCore } from './engine/first-terms.ts'
export * from './state/running-core.ts'
export { accountSnapshot, type AccountSnapshot, type SnapshotPosition } from './state/account-snapshot.ts'
export * from './state/state.ts'
export { hasDueWork } from './accounts/due-work.ts'
export * from './model/terms.ts'
export * from './market/tick-guard.ts'
export * from './calendar/trading-day.ts'
export { BUDGET, SLICE_BUDGET, type Budget } from './state/work-in-steps.ts'
export * from './engine/transact.ts'
