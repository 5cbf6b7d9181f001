import { SETTINGS_OF_TWO } from './settings.ts'
import type { DeskPermission } from './permissions.ts'

/**
 * When two operators are needed: `always`; `aboveLimits`, counted over 24 hours; `shortNotice`, for terms that take
 * effect before the notice is over; `onceApproved`, for a payout that may be in progress; `toLast`, as one operator's
 * halt or freeze ends by itself.
 */
export type NeedsTwo = 'always' | 'aboveLimits' | 'shortNotice' | 'onceApproved' | 'toLast'

/** With a single operator: refused, done by that one, or waiting for a second. */
export type WhenAlone = 'secondOperatorNeeded' | 'done' | 'waits'

export type TwoOperatorRule = {
  /** The text in the table of docs/desk.md. */
  readonly what: string
  /** The desk's calls by which one operator requests it or does their part. */
  readonly calls: readonly string[]
  readonly needsTwo: NeedsTwo
  /** The permissions of the first and of the second operator. */
  readonly first: DeskPermission
  readonly second: DeskPermission
  readonly alone: WhenAlone
  /** The protective part that one operator may do alone; empty for none. */
  readonly oneMay: string
}

/** How long a halt or a freeze by one operator lasts, and how long after one a single operator cannot make another. */
export const ONE_OPERATOR = {
  haltMinutes: 30,
  nextHaltHours: 4,
  freezeHours: 72,
  nextFreezeDays: 30,
} as const

const ofOperators = (what: string, call: string, oneMay = ''): TwoOperatorRule => ({
  what,
  calls: [call],
  needsTwo: 'always',
  first: 'changeOperators',
  second: 'decideOperators',
  alone: 'done',
  oneMay,
})

/**
 * The only table of actions that need two operators (trading-rules §11): each name is a kind of approval, except the
 * last two, which have a call of their own for the second operator. The server requests and decides by it, the desk
 * shows it, docs/desk.md is checked against it, and a test tries every call of it as one operator.
 */
export const TWO_OPERATORS = {
  finishDeposit: {
    what: 'crediting a deposit',
    calls: ['finishDeposit'],
    needsTwo: 'aboveLimits',
    first: 'decideDeposit',
    second: 'decideDeposit',
    alone: 'secondOperatorNeeded',
    oneMay: 'reject it',
  },
  rejectApprovedWithdrawal: {
    what: 'rejecting a withdrawal',
    calls: ['refuseWithdrawal'],
    needsTwo: 'onceApproved',
    first: 'decideWithdrawal',
    second: 'decideWithdrawal',
    alone: 'secondOperatorNeeded',
    oneMay: 'reject one that nobody has approved',
  },
  receivingAccount: {
    what: 'deposit addresses and bank accounts',
    calls: ['saveDepositChannel', 'saveWireAccount'],
    needsTwo: 'always',
    first: 'editPaymentSetup',
    second: 'decidePaymentSetup',
    alone: 'secondOperatorNeeded',
    oneMay: 'switch one off',
  },
  payoutCurrency: {
    what: 'withdrawal currencies: price, fee, limits',
    calls: ['saveWithdrawalCurrency'],
    needsTwo: 'always',
    first: 'editPaymentSetup',
    second: 'decidePaymentSetup',
    alone: 'secondOperatorNeeded',
    oneMay: 'switch one off',
  },
  setting: {
    what: `settings: ${SETTINGS_OF_TWO.map((name) => `\`${name}\``).join(', ')}`,
    calls: ['changeSetting'],
    needsTwo: 'always',
    first: 'changeSettings',
    second: 'decideSettings',
    alone: 'secondOperatorNeeded',
    oneMay: 'change any other setting',
  },
  inviteOperator: ofOperators('inviting an operator', 'inviteOperator'),
  renewInvitation: ofOperators('new keys for an invitation', 'renewInvitation'),
  resetOperator: ofOperators('resetting a log-in', 'resetOperator'),
  changeOperator: ofOperators(
    'changing a role, or switching an operator on',
    'changeOperator',
    'switch an operator off',
  ),
  terms: {
    what: 'adverse changes of terms',
    calls: ['changeTerms'],
    needsTwo: 'shortNotice',
    first: 'changeTerms',
    second: 'changeTerms',
    alone: 'secondOperatorNeeded',
    oneMay: 'announce them with the full notice period',
  },
  limits: {
    what: 'the limits above which money needs two operators',
    calls: ['changeTerms', 'withdrawTerms'],
    needsTwo: 'always',
    first: 'changeTerms',
    second: 'decideOperators',
    alone: 'secondOperatorNeeded',
    oneMay: '',
  },
  heldPrice: {
    what: 'admitting a held price',
    calls: ['admitPrice'],
    needsTwo: 'always',
    first: 'admitTick',
    second: 'decideHeldPrice',
    alone: 'secondOperatorNeeded',
    oneMay: '',
  },
  closeOrder: {
    what: "closing a user's position",
    calls: ['closePersonOrder'],
    needsTwo: 'always',
    first: 'closeOrder',
    second: 'decideCloseOrder',
    alone: 'waits',
    oneMay: '',
  },
  verifyPerson: {
    what: 'verifying a user without documents',
    calls: ['verifyPerson'],
    needsTwo: 'always',
    first: 'verifyPerson',
    second: 'decideVerification',
    alone: 'waits',
    oneMay: 'revoke a verification',
  },
  halt: {
    what: 'a halt',
    calls: ['askHalt', 'haltTrading', 'setTradingMode'],
    needsTwo: 'toLast',
    first: 'askHalt',
    second: 'halt',
    alone: 'waits',
    oneMay: `halt for ${ONE_OPERATOR.haltMinutes} minutes, not again within ${ONE_OPERATOR.nextHaltHours} hours; switch to reduce-only mode; lift either`,
  },
  freeze: {
    what: 'freezing an account',
    calls: ['setPersonStatus'],
    needsTwo: 'toLast',
    first: 'restrictPerson',
    second: 'restrictPerson',
    alone: 'waits',
    oneMay: `freeze for ${ONE_OPERATOR.freezeHours} hours, not again within ${ONE_OPERATOR.nextFreezeDays} days; set to close-only, lift either`,
  },
  adjustment: {
    what: 'adjustments',
    calls: ['askPersonAdjustment', 'decideAdjustment'],
    needsTwo: 'always',
    first: 'askAdjustment',
    second: 'decideAdjustment',
    alone: 'secondOperatorNeeded',
    oneMay: 'reject one',
  },
  withdrawal: {
    what: 'approving and paying a withdrawal',
    calls: ['approveWithdrawal', 'startPayment', 'payWithdrawal'],
    needsTwo: 'always',
    first: 'decideWithdrawal',
    second: 'decideWithdrawal',
    alone: 'secondOperatorNeeded',
    oneMay: '',
  },
} as const satisfies Record<string, TwoOperatorRule>

export type TwoOperatorRuleName = keyof typeof TWO_OPERATORS
/** The kinds of approval. */
export type ApprovalName = Exclude<TwoOperatorRuleName, 'adjustment' | 'withdrawal'>

/** The label at the desk. */
export const NEEDS_TWO_WORDS: Readonly<Record<NeedsTwo, string>> = {
  always: 'always',
  aboveLimits: 'above the limits for 24 hours',
  shortNotice: 'before the notice period ends',
  onceApproved: 'once it is approved',
  toLast: 'to last until it is lifted',
}
