/**
 * Why a command is refused, in the order the checks run: the first failing one decides. The reason is never merged
 * into a vaguer one.
 */
export const REJECTION_CODES = [
  'requestIdReused',
  'sameOperator',
  'accountNotFound',
  'accountClosed',
  'accountFrozen',
  'accountCloseOnly',
  'demoOnly',
  'realOnly',
  'caseNotFound',
  'caseEnded',
  'amountInvalid',
  'secondOperatorNeeded',
  'positionsOpen',
  'ordersPending',
  'casesOpen',
  'balanceLeft',
  'orderNotFound',
  'alreadyClosed',
  'orderNotHolding',
  'orderNotPending',
  'nothingToClose',
  'tooManyOrders',
  'unknownInstrument',
  'instrumentDisabled',
  'noLeverage',
  'leverageNotOffered',
  'lotsBelowMinimum',
  'lotsAboveMaximum',
  'lotsOffStep',
  'remainderTooSmall',
  'priceInvalid',
  'expiryInPast',
  'trailingDistanceInvalid',
  'marketClosed',
  'marketHalted',
  'cancelOnly',
  'stalePrice',
  'takeProfitWrongSide',
  'stopLossWrongSide',
  'amountOutOfRange',
  'notEnoughPrepayment',
  'notEnoughMoney',
  'termsUnknown',
  'termsFixed',
  'termsInvalid',
  'noticeTooShort',
] as const

export type RejectionCode = (typeof REJECTION_CODES)[number]

/** Figures a sentence about the refusal may need, in the core's units. */
export type RejectionDetails = Readonly<Record<string, bigint | number | string>>

export type Rejection = { readonly rejected: RejectionCode; readonly details: RejectionDetails }

export const reject = (code: RejectionCode, details: RejectionDetails = {}): Rejection => ({
  rejected: code,
  details,
})

export const isRejection = (value: object): value is Rejection => 'rejected' in value
