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
 * The one table of which role may do what at the desk. Endpoints name a line of it; the server guards by it, screens show by it, and
 * tests try every endpoint with every role from it.
 */
export const DESK_ACTS = {
  /** One's own password, second factor and sessions. */
  ownAccess: EVERYONE,
  viewWaiting: EVERYONE,
  /** Pictures that a person has sent: proofs of a deposit, documents. */
  viewProof: ['compliance', 'finance', 'administrator'],
  /** What a person has written to the support, and its pictures. */
  viewChat: ['support'],
  answerChat: ['support'],
  takeCase: EVERYONE,
  /** Being the second person, or taking one's own asking back: each kind of approval says besides who may decide it. */
  decideApproval: EVERYONE,
  viewPeople: EVERYONE,
  /** A statement leaves the desk as a file. */
  exportStatement: ['compliance', 'finance', 'administrator'],
  notePerson: EVERYONE,
  /** A copy of who everybody is, and of one person's orders, movements, log-ins and notes. */
  exportPeople: ['compliance', 'administrator'],
  exportPerson: ['compliance', 'finance', 'administrator'],
  restrictPerson: ['compliance', 'administrator'],
  logPersonOut: ['support', 'compliance', 'administrator'],
  resetPersonSecondFactor: ['compliance', 'administrator'],
  setCreditScore: ['compliance', 'administrator'],
  closeOrder: ['dealing'],
  askAdjustment: ['support', 'finance'],
  decideAdjustment: ['finance', 'administrator'],
  viewPayments: ['compliance', 'finance', 'administrator'],
  decideDeposit: ['finance', 'administrator'],
  decideWithdrawal: ['finance', 'administrator'],
  verifyPerson: ['compliance'],
  /** Documents that show who somebody is, and their numbers. */
  viewIdentity: ['compliance'],
  viewMarket: EVERYONE,
  changeTerms: ['dealing', 'administrator'],
  /** How the categories of instruments are called, and their order. */
  editCategories: ['dealing', 'administrator'],
  askHalt: ['support', 'compliance', 'finance'],
  halt: ['dealing', 'administrator'],
  admitTick: ['dealing'],
  viewRisk: ['compliance', 'finance', 'dealing', 'administrator'],
  viewContent: EVERYONE,
  editContent: ['support', 'administrator'],
  /** Pictures for everybody to see: of texts, and logos of instruments. */
  uploadPicture: ['support', 'dealing', 'administrator'],
  /** Feeds of others that items are taken in from. */
  editFeeds: ['administrator'],
  editLegalText: ['compliance', 'administrator'],
  viewMessages: ['support', 'compliance', 'administrator'],
  resendMessage: ['support', 'administrator'],
  viewPaymentSetup: ['finance', 'compliance', 'administrator'],
  editPaymentSetup: ['finance', 'administrator'],
  /** The second person behind an address or account of ours that deposits go to. */
  decidePaymentSetup: ['finance', 'compliance', 'administrator'],
  viewSettings: EVERYONE,
  changeSettings: ['administrator'],
  viewActs: EVERYONE,
  exportActs: ['compliance', 'administrator'],
  viewReports: ['compliance', 'finance', 'dealing', 'administrator'],
  viewOperators: EVERYONE,
  changeOperators: ['administrator'],
  /** The second person behind a change of operators. */
  decideOperators: ['compliance', 'administrator'],
} as const satisfies Record<string, readonly OperatorRole[]>

/** A line of the table. */
export type DeskAct = keyof typeof DESK_ACTS

/** Whether a role may do something at the desk. */
export const mayDo = (role: OperatorRole, act: DeskAct): boolean =>
  (DESK_ACTS[act] as readonly OperatorRole[]).includes(role)
