import type { OperatorRole } from '@fairlot/core'

export type { OperatorRole }

/** The roles, in the order in which the desk lists them. */
export const ROLES = [
  'support',
  'compliance',
  'finance',
  'dealing',
  'administrator',
] as const satisfies readonly OperatorRole[]

const EVERYONE: readonly OperatorRole[] = ROLES

/**
 * The only table of permissions by role. Endpoints name a key of it; the server checks it, screens show by it, and
 * tests try every endpoint with every role from it.
 */
export const DESK_PERMISSIONS = {
  /** The operator's own password, second factor and sessions. */
  ownAccess: EVERYONE,
  viewWaiting: EVERYONE,
  /** Pictures sent by a user: proofs of a deposit, documents. */
  viewProof: ['compliance', 'finance', 'administrator'],
  /** A user's support chat and its pictures. */
  viewChat: ['support'],
  answerChat: ['support'],
  takeCase: EVERYONE,
  /**
   * Deciding as the second operator, or withdrawing a request: each kind of approval also names its own permission.
   */
  decideApproval: EVERYONE,
  viewPeople: EVERYONE,
  /** Downloading a statement. */
  exportStatement: ['compliance', 'finance', 'administrator'],
  notePerson: EVERYONE,
  /** Exporting the list of users, and a user's orders, movements, log-ins and notes. */
  exportPeople: ['compliance', 'administrator'],
  exportPerson: ['compliance', 'finance', 'administrator'],
  restrictPerson: ['compliance', 'administrator'],
  logPersonOut: ['support', 'compliance', 'administrator'],
  resetPersonSecondFactor: ['compliance', 'administrator'],
  setCreditScore: ['compliance', 'administrator'],
  closeOrder: ['dealing'],
  /** The second operator for closing a user's position. */
  decideCloseOrder: ['compliance', 'dealing', 'administrator'],
  askAdjustment: ['support', 'finance'],
  decideAdjustment: ['finance', 'administrator'],
  viewPayments: ['compliance', 'finance', 'administrator'],
  decideDeposit: ['finance', 'administrator'],
  decideWithdrawal: ['finance', 'administrator'],
  verifyPerson: ['compliance'],
  /** The second operator for a verification without documents. */
  decideVerification: ['compliance', 'administrator'],
  /** Identity documents and their numbers. */
  viewIdentity: ['compliance'],
  viewMarket: EVERYONE,
  changeTerms: ['dealing', 'administrator'],
  /** Names and order of the categories of instruments. */
  editCategories: ['dealing', 'administrator'],
  askHalt: EVERYONE,
  halt: ['dealing', 'administrator'],
  admitTick: ['dealing'],
  /** The second operator for admitting a held price. */
  decideHeldPrice: ['compliance', 'administrator'],
  viewRisk: ['compliance', 'finance', 'dealing', 'administrator'],
  viewStrategies: EVERYONE,
  /** Taking a strategy out of the lists, and answering reports of users. */
  hideStrategy: ['compliance', 'administrator'],
  /** Recording who works for the broker, and so may not publish strategies. */
  recordStaff: ['compliance', 'administrator'],
  viewContent: EVERYONE,
  editContent: ['support', 'administrator'],
  /** Public pictures: in texts, and logos of instruments. */
  uploadPicture: ['support', 'dealing', 'administrator'],
  /** Third-party feeds that items are imported from. */
  editFeeds: ['administrator'],
  editLegalText: ['compliance', 'administrator'],
  viewMessages: ['support', 'compliance', 'administrator'],
  resendMessage: ['support', 'administrator'],
  viewPaymentSetup: ['finance', 'compliance', 'administrator'],
  editPaymentSetup: ['finance', 'administrator'],
  /** The second operator for the deployment's deposit addresses and accounts. */
  decidePaymentSetup: ['finance', 'compliance', 'administrator'],
  viewSettings: EVERYONE,
  changeSettings: ['administrator'],
  /** The second operator for a setting that needs two. */
  decideSettings: ['compliance', 'administrator'],
  viewActs: EVERYONE,
  exportActs: ['compliance', 'administrator'],
  viewReports: ['compliance', 'finance', 'dealing', 'administrator'],
  viewOperators: EVERYONE,
  changeOperators: ['administrator'],
  /** Cancelling a recovery announced by the server's owner. */
  callOffRecovery: EVERYONE,
  /** The second operator for a change of operators. */
  decideOperators: ['compliance', 'administrator'],
} as const satisfies Record<string, readonly OperatorRole[]>

/** A key of the table. */
export type DeskPermission = keyof typeof DESK_PERMISSIONS

/** Whether a role has a permission. */
export const mayDo = (role: OperatorRole, permission: DeskPermission): boolean =>
  (DESK_PERMISSIONS[permission] as readonly OperatorRole[]).includes(role)
