import {
  addPasskey,
  addPushDevice,
  addToCopy,
  closeCopyPosition,
  getCopy,
  getStrategy,
  listCopyLog,
  listFollowed,
  listStrategies,
  listStrategyOrders,
  pauseCopy,
  publishStrategy,
  addAlert,
  removeAlert,
  removeTypedAlert,
  reportStrategy,
  resumeCopy,
  setAlert,
  setCopyStopLoss,
  setCopyTerms,
  startCopy,
  stopCopy,
  takeFromCopy,
  tryCopy,
  requestWithdrawal,
  bindReceivingMethod,
  cancelOrder,
  claimDemo,
  changePassword,
  chooseLanguage,
  closeAccount,
  closeOrder,
  confirmSecondFactor,
  encode,
  endSession,
  findCompanies,
  getBalanceHistory,
  getCompanyStatus,
  getDeposit,
  getLegalText,
  getNews,
  getOrder,
  getPicture,
  getSetting,
  getStatement,
  getWithdrawal,
  listActivity,
  listCandles,
  listDepositAccounts,
  listChat,
  listDeposits,
  listDepositsAsWell,
  listInstruments,
  listInvited,
  listLedgerRecords,
  listNews,
  listNotices,
  listOrders,
  listPayoutCurrencies,
  listReceipts,
  listReceivingMethods,
  listRecentCandles,
  listTermsVersions,
  listWithdrawals,
  logIn,
  logInByPasskey,
  markChatSeen,
  preparePasskey,
  preparePasskeyProof,
  prepareSecondFactor,
  readNotices,
  register,
  removePasskey,
  removePushDevice,
  removeReceivingMethod,
  removeSecondFactor,
  renewRecoveryCodes,
  resetDemo,
  resetPassword,
  reverseOrder,
  sendChatMessage,
  sendEmailCode,
  sendIdentity,
  sendSmsCode,
  setStops,
  setTrailing,
  setWatched,
  submitOrder,
  switchNotices,
  cancelWithdrawal,
  downloadOwnData,
  reportCoinDeposit,
  reportNewsSeen,
  reportText,
  reportWireDeposit,
  type Endpoint,
} from '@fairlot/contract'
import { ratio } from '@fairlot/core'
import { createPasskeyDevice } from '../../../../../../testing/passkey-device.ts'
import { decimal, MARKET_BUY } from '../../../../../../testing/traders.ts'
import { HONG_KONG, PASSWORD } from '../../../testing/accounts.ts'
import { bankForm, TRON_ADDRESS, units, NO_QUOTE } from '../../../testing/payments.ts'
import { keyOf, type Theirs } from './canaries.ts'

/** What a stranger sends to a call to get at the data of `theirs`. */
export type Attempt = {
  readonly name: string
  readonly path: string
  readonly sends: (theirs: Theirs) => readonly unknown[]
}

/** Curried, so that the inputs are checked against the type of the endpoint. */
const attempt =
  <Input>({ name, path, request }: Endpoint<Input, unknown>) =>
  (inputs: (theirs: Theirs) => readonly Input[]): Attempt => ({
    name,
    path,
    sends: (theirs) => inputs(theirs).map((input) => encode(request, input)),
  })

const PAGES = [1, 2].map((page) => ({ page }))
const KINDS = (['coin', 'bank'] as const).flatMap((kind) =>
  [1, 2].map((page) => ({ kind, page, before: null, copyId: null })),
)
const NO_PROOF = { password: null, authCode: null }
const PROOF = { password: PASSWORD, authCode: null }
const A_DAY = 86_400_000
const A_GUESS = 'guessed otter 99 maps'

/** A device of the stranger, and a challenge that no server gave. */
const OWN_DEVICE = createPasskeyDevice()
const A_CHALLENGE = { challenge: 'guessed', handle: Buffer.from('user 1').toString('base64url') }

const COPY_TERMS = { multiplier: ratio(1_000_000), exposureLimit: 20, stopPercent: 60, feeShare: null }

const eachStrategy = ({ strategyId, copiedStrategyId }: Theirs) => [
  { id: strategyId },
  { id: copiedStrategyId },
]
const eachOrder = ({ orderIds }: Theirs) => orderIds.map((orderId) => ({ orderId }))

/** For every call with an input; calls without one are sent as they are. */
export const ATTEMPTS: readonly Attempt[] = [
  attempt(logIn)(({ email: account }) => [{ contact: 'email', account, password: A_GUESS }]),
  attempt(register)(({ email, inviteCode }) => [
    {
      contact: 'email',
      countryId: HONG_KONG,
      account: email,
      password: A_GUESS,
      repeatedPassword: A_GUESS,
      inviteCode,
      code: '123456',
      captchaId: null,
      hasConsented: true,
      consentVersion: null,
    },
  ]),
  attempt(resetPassword)(({ email: account }) => [
    {
      contact: 'email',
      account,
      countryId: null,
      newPassword: A_GUESS,
      repeatedPassword: A_GUESS,
      code: '123456',
    },
  ]),
  attempt(sendEmailCode)(({ email: to }) => [{ to, purpose: 'reset' }]),
  attempt(sendSmsCode)(() => [{ to: '91234567', countryId: HONG_KONG, purpose: 'reset' }]),
  attempt(endSession)(({ sessionIds }) => sessionIds.map((id) => ({ id }))),
  attempt(changePassword)(() => [
    { contact: 'email', oldPassword: A_GUESS, newPassword: A_GUESS, authCode: null },
  ]),
  attempt(prepareSecondFactor)(() => [{ password: A_GUESS, authCode: null }]),
  attempt(confirmSecondFactor)(() => [{ authCode: '123456' }]),
  attempt(removeSecondFactor)(() => [{ password: A_GUESS, authCode: '123456' }]),
  // The stranger's device signs in the name of their passkey.
  attempt(logInByPasskey)(({ id, passkey }) => [
    {
      passkey: {
        ...OWN_DEVICE.sign(A_CHALLENGE),
        id: passkey.id,
        handle: Buffer.from(`user ${id}`).toString('base64url'),
      },
    },
  ]),
  attempt(preparePasskeyProof)(() => [{ purpose: 'withdrawal' }, { purpose: 'passkeys' }]),
  attempt(preparePasskey)(() => [NO_PROOF, PROOF]),
  attempt(addPasskey)(({ passkey }) => [
    { name: 'a stranger', passkey: { ...OWN_DEVICE.make(A_CHALLENGE), id: passkey.id } },
  ]),
  attempt(removePasskey)(({ passkey: { id } }) => [
    { id, ...NO_PROOF },
    { id, ...PROOF },
  ]),
  attempt(renewRecoveryCodes)(() => [NO_PROOF, PROOF]),
  attempt(chooseLanguage)(() => [{ language: 'hk' }]),
  attempt(listActivity)(() => PAGES),
  attempt(listInvited)(() => PAGES),
  attempt(downloadOwnData)(() => [NO_PROOF, PROOF]),
  attempt(closeAccount)(() => [NO_PROOF]),
  attempt(sendIdentity)(({ pictures: [front = '', reverse = ''] }) => [
    { name: 'Somebody Else', number: 'X1234567', front, reverse },
  ]),
  attempt(listNotices)(() => PAGES.map((page) => ({ ...page, before: null, copyId: null }))),
  attempt(readNotices)(() => [{ upTo: Date.now() + A_DAY }]),
  attempt(switchNotices)(() => [{ group: 'margin', way: 'mail', isOn: false }]),
  // Not at their endpoint: a browser that subscribes again belongs to the last who logged in there.
  attempt(addPushDevice)(({ pushOfStranger }) => [pushOfStranger]),
  attempt(removePushDevice)(({ pushDeviceId: id }) => [{ id }]),
  attempt(listChat)(({ messageId }) => [{ before: null, copyId: null }, { before: messageId + 2 }]),
  attempt(sendChatMessage)(({ pictures }) =>
    pictures.map((picture) => ({ text: 'a question of mine', picture })),
  ),
  attempt(reportText)(() => [{ language: 'ru', screen: '/trade', wrong: 'a text', better: '' }]),
  attempt(markChatSeen)(({ messageId }) => [{ id: messageId + 1 }]),
  attempt(getPicture)(({ pictures }) => pictures.map((url) => ({ key: keyOf(url) }))),
  attempt(getSetting)(() => [{ key: 'registrationMode' }]),
  attempt(getLegalText)(() => [{ document: 'terms', version: null }]),
  attempt(findCompanies)(({ email }) => [{ name: '' }, { name: email }]),
  attempt(getCompanyStatus)(({ id }) => [{ companyId: id }, { companyId: null }]),
  attempt(listNews)(() => PAGES.map(({ page }) => ({ category: 'all', page }))),
  attempt(getNews)(() => [1, 2, 3].map((id) => ({ id }))),
  attempt(reportNewsSeen)(() => [{ at: 1 }]),
  attempt(listInstruments)(() => [{ search: null }, { search: 'canary' }]),
  attempt(listCandles)(() => [{ instrumentId: 1, period: '1min', before: null, limit: null }]),
  attempt(listRecentCandles)(() => [{ instrumentId: 1, period: '1min' }]),
  attempt(listTermsVersions)(() => [
    { instrumentId: 1, version: null, page: 1 },
    { instrumentId: null, version: 1, page: 1 },
  ]),
  attempt(setWatched)(() => [{ instrumentIds: [3], isWatched: false }]),
  attempt(submitOrder)(() => [MARKET_BUY]),
  attempt(resetDemo)(() => [{ start: null }, { start: units(5_000) }]),
  attempt(listOrders)(() =>
    (['pending', 'holding', 'history'] as const).flatMap((list) =>
      PAGES.map((page) => ({ list, before: null, copyId: null, ...page })),
    ),
  ),
  ...[getOrder, listReceipts, cancelOrder, reverseOrder].map((endpoint) =>
    attempt(endpoint as typeof getOrder)(eachOrder),
  ),
  attempt(closeOrder)((theirs) => eachOrder(theirs).map((order) => ({ ...order, lots: null }))),
  attempt(setStops)((theirs) =>
    eachOrder(theirs).map((order) => ({ ...order, takeProfit: null, stopLoss: null })),
  ),
  attempt(setTrailing)((theirs) => eachOrder(theirs).map((order) => ({ ...order, distance: null }))),
  attempt(listLedgerRecords)(() => PAGES.map((page) => ({ ...page, before: null, group: null }))),
  attempt(getBalanceHistory)(() => [{ from: Date.now() - A_DAY }]),
  // The PDF has the same rows.
  attempt(getStatement)(() => {
    const today = Math.floor(Date.now() / A_DAY) * A_DAY
    return [{ from: today - A_DAY, to: today, format: 'csv' }]
  }),
  attempt(listDepositAccounts)(() => [{ currency: null }, { currency: 'EUR' }]),
  attempt(reportCoinDeposit)(({ pictures }) =>
    pictures.map((proof) => ({
      amount: units(20),
      proof,
      address: TRON_ADDRESS,
      channelId: 1,
      reference: '',
    })),
  ),
  attempt(reportWireDeposit)(({ pictures }) =>
    pictures.map((proof) => ({ amount: units(20), proof, wireId: 1, reference: '' })),
  ),
  attempt(listDeposits)(() => KINDS),
  attempt(listDepositsAsWell)(() => KINDS),
  attempt(getDeposit)(({ depositIds }) => depositIds.map((id) => ({ id }))),
  attempt(listPayoutCurrencies)(() => [{ kind: 'coin' }, { kind: 'bank' }]),
  attempt(requestWithdrawal)(({ methodId }) => [
    { currencyId: 3, amount: units(20), memo: '', methodId, authCode: null, ...NO_QUOTE },
  ]),
  attempt(listWithdrawals)(() => KINDS),
  ...[getWithdrawal, cancelWithdrawal].map((endpoint) =>
    attempt(endpoint)(({ withdrawalIds }) => withdrawalIds.map((id) => ({ id }))),
  ),
  attempt(listReceivingMethods)(() =>
    (['coin', 'bank'] as const).map((kind) => ({ kind, currencyId: null })),
  ),
  attempt(bindReceivingMethod)(() => [bankForm({ password: A_GUESS })]),
  attempt(removeReceivingMethod)(({ methodId }) => [{ id: methodId }]),
  ...[setAlert, addAlert].map((endpoint, index) =>
    attempt(endpoint)(() => [
      {
        condition: {
          kind: 'price',
          instrumentId: 1,
          side: 'bid',
          direction: 'above',
          price: decimal(`1.2${5 + index}`),
        },
        pauseMs: null,
        expiresAt: null,
      },
    ]),
  ),
  ...[removeAlert, removeTypedAlert].map((endpoint) => attempt(endpoint)(({ alertId }) => [{ alertId }])),
  attempt(listFollowed)(() => PAGES),
  attempt(listStrategies)(() =>
    (['real', 'demo'] as const).map((kind) => ({ window: 'threeWeeks', kind, sort: 'score', page: 1 })),
  ),
  attempt(getStrategy)(eachStrategy),
  attempt(listStrategyOrders)((theirs) => eachStrategy(theirs).map((strategy) => ({ ...strategy, page: 1 }))),
  attempt(publishStrategy)(() => [{ name: 'A stranger', description: '', feeShare: ratio(0) }]),
  attempt(claimDemo)(() => [{ demoId: 'guessed' }]),
  attempt(reportStrategy)((theirs) =>
    eachStrategy(theirs).map((strategy) => ({ ...strategy, reason: 'no' })),
  ),
  attempt(tryCopy)(({ copiedStrategyId: strategyId }) => [{ strategyId, amount: units(100), ...COPY_TERMS }]),
  // Not of theirs: their own number of copies would rise, as it should.
  attempt(startCopy)(({ copiedStrategyId: strategyId }) => [
    { strategyId, amount: units(100), ...COPY_TERMS, isWithOpenOrders: false, code: '' },
  ]),
  ...[pauseCopy, resumeCopy, stopCopy, getCopy].map((endpoint) =>
    attempt(endpoint as typeof pauseCopy)(({ copyId }) => [{ copyId }]),
  ),
  ...[addToCopy, takeFromCopy].map((endpoint) =>
    attempt(endpoint)(({ copyId }) => [{ copyId, amount: units(10) }]),
  ),
  attempt(setCopyStopLoss)(({ copyId }) => [{ copyId, stopPercent: 95 }]),
  attempt(setCopyTerms)(({ copyId }) => [
    { copyId, multiplier: ratio(2_000_000), exposureLimit: null, excluded: [1] },
  ]),
  attempt(closeCopyPosition)(({ copyId, orderIds: [orderId = 1] }) => [{ copyId, orderId }]),
  attempt(listCopyLog)(({ copyId }) => PAGES.map((page) => ({ copyId, ...page }))),
]
