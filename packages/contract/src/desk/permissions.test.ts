import { describe, expect, it } from 'vitest'
import { DESK_ENDPOINTS } from './desk-endpoints.ts'
import { DESK_EXPORTS } from './exports.ts'
import { DESK_PERMISSIONS, mayDo, ROLES } from './permissions.ts'

/**
 * The permissions a second time, written by hand: other tests read the table itself, so a wrong role in it would be
 * expected everywhere. A change of a permission changes both. s: support, c: compliance, f: finance, d: dealing, a:
 * administrator.
 */
const RIGHTS: Readonly<Record<string, string>> = {
  ownAccess: 'scfda',
  viewWaiting: 'scfda',
  viewProof: 'cfa',
  viewChat: 's',
  answerChat: 's',
  takeCase: 'scfda',
  decideApproval: 'scfda',
  viewPeople: 'scfda',
  exportStatement: 'cfa',
  notePerson: 'scfda',
  exportPeople: 'ca',
  exportPerson: 'cfa',
  restrictPerson: 'ca',
  logPersonOut: 'sca',
  resetPersonSecondFactor: 'ca',
  setCreditScore: 'ca',
  closeOrder: 'd',
  decideCloseOrder: 'cda',
  askAdjustment: 'sf',
  decideAdjustment: 'fa',
  viewPayments: 'cfa',
  decideDeposit: 'fa',
  decideWithdrawal: 'fa',
  verifyPerson: 'c',
  viewIdentity: 'c',
  viewMarket: 'scfda',
  changeTerms: 'da',
  editCategories: 'da',
  askHalt: 'scfda',
  halt: 'da',
  admitTick: 'd',
  decideHeldPrice: 'ca',
  viewRisk: 'cfda',
  viewStrategies: 'scfda',
  hideStrategy: 'ca',
  recordStaff: 'ca',
  viewContent: 'scfda',
  editContent: 'sa',
  uploadPicture: 'sda',
  editFeeds: 'a',
  editLegalText: 'ca',
  viewMessages: 'sca',
  resendMessage: 'sa',
  viewPaymentSetup: 'fca',
  editPaymentSetup: 'fa',
  decidePaymentSetup: 'fca',
  viewSettings: 'scfda',
  changeSettings: 'a',
  decideSettings: 'ca',
  viewActs: 'scfda',
  exportActs: 'ca',
  viewReports: 'cfda',
  viewOperators: 'scfda',
  changeOperators: 'a',
  callOffRecovery: 'scfda',
  decideOperators: 'ca',
  decideVerification: 'ca',
}

/** The permissions of exports. */
const FILES: Readonly<Record<string, string>> = {
  waiting: 'scfda',
  people: 'ca',
  orders: 'cfa',
  movements: 'cfa',
  equity: 'cfa',
  'log-ins': 'cfa',
  notes: 'cfa',
  copies: 'cfa',
  strategies: 'scfda',
  instruments: 'scfda',
  categories: 'scfda',
  hours: 'scfda',
  changes: 'scfda',
  feeds: 'scfda',
  'held-prices': 'scfda',
  'refused-prices': 'scfda',
  news: 'scfda',
  'legal-texts': 'scfda',
  companies: 'scfda',
  messages: 'sca',
  settings: 'scfda',
  'setting-changes': 'scfda',
  operators: 'scfda',
  'deposit-addresses': 'cfa',
  'bank-accounts': 'cfa',
  'withdrawal-currencies': 'cfa',
  transfers: 'acf',
  acts: 'ca',
  exposure: 'cfda',
  'near-stop-out': 'cfda',
  move: 'cfda',
  house: 'cfda',
  money: 'cfda',
  active: 'cfda',
  fills: 'cfda',
}

/** Calls that move money, rights or prices, or show private data, and the roles allowed. */
const CALLS: Readonly<Record<string, string>> = {
  finishDeposit: 'fa',
  refuseDeposit: 'fa',
  approveWithdrawal: 'fa',
  payWithdrawal: 'fa',
  refuseWithdrawal: 'fa',
  getPayment: 'cfa',
  findReference: 'cfa',
  verifyPerson: 'c',
  askPersonAdjustment: 'sf',
  decideAdjustment: 'fa',
  saveDepositChannel: 'fa',
  saveWireAccount: 'fa',
  switchOffReceiving: 'fa',
  saveWithdrawalCurrency: 'fa',
  inviteOperator: 'a',
  renewInvitation: 'a',
  resetOperator: 'a',
  changeOperator: 'a',
  changeSetting: 'a',
  changeTerms: 'da',
  withdrawTerms: 'da',
  haltTrading: 'da',
  resumeTrading: 'da',
  setTradingMode: 'da',
  admitPrice: 'd',
  closePersonOrder: 'd',
  setPersonStatus: 'ca',
  logPersonOut: 'sca',
  resetPersonSecondFactor: 'ca',
  setCreditScore: 'ca',
  getPersonStatement: 'cfa',
  viewProof: 'cfa',
  getIdentity: 'c',
  revealIdentityNumber: 'c',
  approveIdentity: 'c',
  refuseIdentity: 'c',
  listPersonChat: 's',
  viewChatPicture: 's',
  listMessages: 'sca',
  getMessage: 'sca',
  addLegalVersion: 'ca',
  saveNewsFeed: 'a',
}

const lettersOf = (roles: readonly string[]): string =>
  roles
    .map((role) => role.charAt(0))
    .toSorted()
    .join('')

const sorted = (rights: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(rights).map(([name, letters]) => [name, letters.split('').toSorted().join('')]),
  )

describe('permissions of the desk', () => {
  it('has roles with distinct first letters', () => {
    expect(new Set(lettersOf(ROLES)).size).toBe(ROLES.length)
  })

  it('equals the list written by hand', () => {
    const rights = Object.entries(DESK_PERMISSIONS).map(([name, roles]) => [name, lettersOf(roles)])
    expect(Object.fromEntries(rights)).toEqual(sorted(RIGHTS))
  })

  it('equals for each export the list written by hand', () => {
    const files = DESK_EXPORTS.map(({ name, permission }) => [
      name,
      lettersOf(ROLES.filter((role) => mayDo(role, permission))),
    ])
    expect(Object.fromEntries(files)).toEqual(sorted(FILES))
  })

  it.each(Object.entries(sorted(CALLS)))('allows %s to %s and nobody else', (name, letters) => {
    const { permission } = DESK_ENDPOINTS.find((endpoint) => endpoint.name === name) ?? {}
    expect(permission).toBeDefined()
    expect(lettersOf(ROLES.filter((role) => permission && mayDo(role, permission)))).toBe(letters)
  })

  it('requires a permission for every call but log-in and joining', () => {
    const open = DESK_ENDPOINTS.filter(({ permission }) => permission === null).map(({ name }) => name)
    expect(open.toSorted()).toEqual([
      'joinDesk',
      'logInToDesk',
      'logInToDeskByPasskey',
      'prepareDeskPasskeyLogIn',
    ])
  })
})
