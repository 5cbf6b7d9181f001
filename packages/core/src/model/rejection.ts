/**
 * Why a command is rejected, in the order of the checks: the first failing one decides. Each check has a code of its own.
 * Cases are deposits, withdrawals and adjustments under review.
 */
export const REJECTION_CODES = [
  'requestIdReused',
  'sameOperator',
  'operatorNotEntitled',
  'accountNotFound',
  'accountClosed',
  'accountFrozen',
  'accountCloseOnly',
  'demoOnly',
  'realOnly',
  // The kind of money may not be copied here.
  'copyingOff',
  // A copy's account only closes whole positions.
  'copyClosesOnly',
  'strategyNotFound',
  'strategyRunning',
  // A new strategy comes 30 days after the last ended.
  'strategyTooSoon',
  'feeShareInvalid',
  'strategyFeeSame',
  'ownStrategy',
  // Real money copies real strategies only.
  'strategyIsDemo',
  'copyNotFound',
  'copyEnding',
  // The user copies this strategy already.
  'copyRunning',
  'copyPaused',
  'copyNotPaused',
  'tooManyCopies',
  'strategyFull',
  // The fee has risen since it was shown.
  'copyFeeRaised',
  'copyTermsInvalid',
  'copyAmountTooSmall',
  'copyLeftTooSmall',
  'providerEquityTooLow',
  'caseNotFound',
  'caseEnded',
  'withdrawalApproved',
  'withdrawalNotApproved',
  'amountInvalid',
  // The deposit arrived before it was requested, or later than now.
  'arrivalInvalid',
  // These three concern the conversion into the account currency.
  'rateUnknown',
  'rateStale',
  'rateInvalid',
  'secondOperatorNeeded',
  // No recovery of an operator's log-in waits to be confirmed or cancelled.
  'recoveryNotOpen',
  // An operator closes a position only on a stated ground.
  'groundNeeded',
  'positionsOpen',
  'ordersPending',
  'casesOpen',
  // An account is closed once its copies have ended.
  'copiesRunning',
  'balanceLeft',
  'orderNotFound',
  'alreadyClosed',
  // The order is not an open position.
  'orderNotHolding',
  'orderNotPending',
  'nothingToClose',
  'alertNotFound',
  'tooManyOrders',
  // Opening orders a minute of a provider with many copies.
  'tooManyOpenings',
  'tooManyAlerts',
  'unknownInstrument',
  'instrumentDisabled',
  'noLeverage',
  'leverageNotOffered',
  // The smallest order leaves no room for a part and a remainder.
  'closableOnlyWhole',
  'lotsBelowMinimum',
  'lotsAboveMaximum',
  'lotsOffStep',
  'remainderTooSmall',
  'priceInvalid',
  'expiryInPast',
  // The pause, the move, the margin level or the expiry of an alert is out of its limits.
  'alertInvalid',
  // An alert of the account waits for the same already.
  'alertExists',
  // The alert would fire at once.
  'alertAlreadyMet',
  'trailingDistanceInvalid',
  'marketClosed',
  'marketHalted',
  'cancelOnly',
  'reduceOnly',
  'stalePrice',
  // The stop order that was meant would fill at once.
  'targetPassed',
  'takeProfitWrongSide',
  'stopLossWrongSide',
  // A frozen account may bring stops nearer to the price, but not move them away.
  'stopsOnlyTightened',
  'amountOutOfRange',
  // The free margin does not cover the order.
  'notEnoughPrepayment',
  // The withdrawable money does not cover a withdrawal or a debit.
  'notEnoughMoney',
  'termsUnknown',
  // This term cannot change any more.
  'termsFixed',
  'termsInvalid',
  // A change against the users takes effect before the announced time for it.
  'noticeTooShort',
] as const

export type RejectionCode = (typeof REJECTION_CODES)[number]

/** Figures for the message about the rejection, in the core's units. */
export type RejectionDetails = Readonly<Record<string, bigint | number | string>>

export type Rejection = { readonly rejected: RejectionCode; readonly details: RejectionDetails }

export const reject = (code: RejectionCode, details: RejectionDetails = {}): Rejection => ({
  rejected: code,
  details,
})

export const isRejection = (value: object): value is Rejection => 'rejected' in value
