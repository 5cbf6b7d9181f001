import type { RejectionCode } from '@fairlot/core'

export const SUCCESS = 1
export const SESSION_GONE = 999
const REFUSED = 0

type Wire = {
  readonly code: number
  /** 200 for every answered call; others only where the request could not be understood or served. */
  readonly status: number
}

const answered: Wire = { code: REFUSED, status: 200 }
const unserved = (status: number): Wire => ({ code: REFUSED, status })

/**
 * The only table of refusals, in order of precedence: the first that applies is the answer. First what concerns the
 * transport, then who calls, then the form of the request, then what the core decides.
 */
const REFUSALS = {
  payloadTooLarge: unserved(413),
  malformed: unserved(400),
  requestTooSlow: unserved(408),
  unknownEndpoint: unserved(404),
  originRefused: unserved(403),
  tooManyRequests: unserved(429),
  engineUnavailable: unserved(503),
  internal: unserved(500),
  sessionGone: { code: SESSION_GONE, status: 200 },
  roleRefused: unserved(403),
  secondFactorUnset: answered,
  requestIdTooLong: answered,
  notUnderstood: answered,
  pageInvalid: answered,
  periodInvalid: answered,
  idInvalid: answered,
  sideInvalid: answered,
  leverageInvalid: answered,
  lotsInvalid: answered,
  priceMissing: answered,
  priceMalformed: answered,
  timeInvalid: answered,
  dayInvalid: answered,
  statementPeriodInvalid: answered,
  statementTooLong: answered,
  amountMalformed: answered,
  textTooLong: answered,
  registrationModeRefused: answered,
  areaInvalid: answered,
  areaBlocked: answered,
  emailInvalid: answered,
  phoneInvalid: answered,
  passwordTooShort: answered,
  passwordTooLong: answered,
  passwordCommon: answered,
  passwordsDiffer: answered,
  fileMissing: answered,
  fileNotOne: answered,
  pictureTypeRefused: answered,
  pictureTooLarge: answered,
  pictureBroken: answered,
  fileUnknown: unserved(404),
  consentMissing: answered,
  consentOutdated: answered,
  inviteCodeUnknown: answered,
  captchaWrong: answered,
  codeWrong: answered,
  accountTaken: answered,
  demoIdUnknown: answered,
  credentialsWrong: answered,
  passwordWrong: answered,
  secondFactorNeeded: answered,
  secondFactorWrong: answered,
  secondFactorOn: answered,
  secondFactorOff: answered,
  sessionUnknown: answered,
  reasonMissing: answered,
  reasonTooLong: answered,
  operatorUnknown: answered,
  operatorNameInvalid: answered,
  operatorNameTaken: answered,
  operatorJoined: answered,
  operatorNotJoined: answered,
  ownReset: answered,
  listTooLong: answered,
  invitationInvalid: answered,
  lastAdministrator: answered,
  formOutdated: answered,
  caseHeld: answered,
  secondPersonAsked: answered,
  caseNotHeld: answered,
  actUnknown: answered,
  noteBlank: answered,
  noteTooLong: answered,
  contentTextsMissing: answered,
  contentTooLong: answered,
  contentNotFound: answered,
  contentMomentPast: answered,
  contentNotShown: answered,
  feedAddressRefused: answered,
  pictureUnknown: answered,
  legalTextsMissing: answered,
  legalMomentInvalid: answered,
  legalVersionUnknown: answered,
  companyInvalid: answered,
  lossUrlRefused: answered,
  settingFixed: answered,
  settingInvalid: answered,
  messageNotFound: answered,
  messageHasSecret: answered,
  messageWaits: answered,
  noticeStaysOn: answered,
  paymentRowNotFound: answered,
  paymentFieldInvalid: answered,
  receivingAddressInvalid: answered,
  nothingChanged: answered,
  priceGone: answered,
  moveInvalid: answered,
  identityUnverified: answered,
  identityWaiting: answered,
  identityVerified: answered,
  identityTooOften: answered,
  identityFieldMissing: answered,
  identityNameInvalid: answered,
  identityNumberInvalid: answered,
  identityPictureUnknown: answered,
  identityPictureUsed: answered,
  identityFaultInvalid: answered,
  channelNotFound: answered,
  proofUnknown: answered,
  proofUsed: answered,
  dayLimitReached: answered,
  personDayLimitReached: answered,
  payoutDayLimitReached: answered,
  currencyNotFound: answered,
  methodNotFound: answered,
  tooManyMethods: answered,
  methodTooNew: answered,
  methodFieldMissing: answered,
  coinAddressInvalid: answered,
  ibanInvalid: answered,
  bicInvalid: answered,
  bankAccountInvalid: answered,
  tooManyCases: answered,
  amountBelowMinimum: answered,
  amountAboveMaximum: answered,
  amountBelowFee: answered,
  withdrawalNotApproved: answered,
  withdrawalApproved: answered,
  referenceMissing: answered,
  unknownSetting: answered,
  unknownTopic: answered,
  notDone: answered,
  requestIdReused: answered,
  sameOperator: answered,
  accountNotFound: answered,
  accountFrozen: answered,
  accountCloseOnly: answered,
  demoOnly: answered,
  realOnly: answered,
  caseNotFound: answered,
  caseEnded: answered,
  amountInvalid: answered,
  secondOperatorNeeded: answered,
  orderNotFound: answered,
  alreadyClosed: answered,
  orderNotHolding: answered,
  orderNotPending: answered,
  nothingToClose: answered,
  tooManyOrders: answered,
  unknownInstrument: answered,
  priceTooManyDigits: answered,
  instrumentDisabled: answered,
  noLeverage: answered,
  leverageNotOffered: answered,
  lotsBelowMinimum: answered,
  lotsAboveMaximum: answered,
  lotsOffStep: answered,
  remainderTooSmall: answered,
  priceInvalid: answered,
  expiryInPast: answered,
  trailingDistanceInvalid: answered,
  marketClosed: answered,
  marketHalted: answered,
  cancelOnly: answered,
  stalePrice: answered,
  takeProfitWrongSide: answered,
  stopLossWrongSide: answered,
  amountOutOfRange: answered,
  notEnoughPrepayment: answered,
  notEnoughMoney: answered,
  termsUnknown: answered,
  termsFixed: answered,
  termsInvalid: answered,
  noticeTooShort: answered,
} as const satisfies Record<RejectionCode, Wire> & Record<string, Wire>

/** Why a call is refused. */
export type RefusalReason = keyof typeof REFUSALS

/** All reasons, first the one that outranks the others. */
export const REFUSAL_REASONS = Object.keys(REFUSALS) as readonly RefusalReason[]

export const isReason = (text: string): text is RefusalReason => Object.hasOwn(REFUSALS, text)

/** The envelope's code of a refusal. */
export const codeOf = (reason: RefusalReason): number => REFUSALS[reason].code

/** The HTTP status of a refusal. */
export const statusOf = (reason: RefusalReason): number => REFUSALS[reason].status

/** Where the message catalogues hold the sentence of a refusal. */
export const messageKeyOf = <R extends RefusalReason>(reason: R): `refusal.${R}` => `refusal.${reason}`

const rankOf = (reason: RefusalReason): number => REFUSAL_REASONS.indexOf(reason)

/** Of several problems the one that outranks the others, the earlier one among equals. */
export function firstOf<P extends { readonly reason: RefusalReason }>(problems: readonly P[]): P {
  return problems.reduce((first, next) => (rankOf(next.reason) < rankOf(first.reason) ? next : first))
}
