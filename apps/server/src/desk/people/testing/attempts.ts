import {
  askWithdrawal,
  bindReceivingMethod,
  cancelOrder,
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
  listChargeAccounts,
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
  listWithdrawals,
  logIn,
  markChatSeen,
  prepareSecondFactor,
  readNotices,
  register,
  removeReceivingMethod,
  removeSecondFactor,
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
  takeBackWithdrawal,
  takeData,
  tellCoinDeposit,
  tellNewsSeen,
  tellWireDeposit,
  type Endpoint,
} from '@fairlot/contract'
import { MARKET_BUY } from '../../../../../../testing/traders.ts'
import { HONG_KONG, PASSWORD } from '../../../testing/accounts.ts'
import { bankForm, TRON_ADDRESS, units } from '../../../testing/payments.ts'
import { keyOf, type Theirs } from './canaries.ts'

/** How somebody asks by a call for all that `theirs` has: what they send. */
export type Attempt = {
  readonly name: string
  readonly path: string
  readonly sends: (theirs: Theirs) => readonly unknown[]
}

/** In two steps: what is sent is then held against what the call takes. */
const attempt =
  <Input>({ name, path, request }: Endpoint<Input, unknown>) =>
  (inputs: (theirs: Theirs) => readonly Input[]): Attempt => ({
    ...{ name, path },
    sends: (theirs) => inputs(theirs).map((input) => encode(request, input)),
  })

const PAGES = [1, 2].map((page) => ({ page }))
const KINDS = (['coin', 'bank'] as const).flatMap((kind) => [1, 2].map((page) => ({ kind, page })))
const NO_PROOF = { password: null, authCode: null }
const PROOF = { password: PASSWORD, authCode: null }
const A_DAY = 86_400_000
const A_GUESS = 'guessed otter 99 maps'

const eachOrder = ({ orderIds }: Theirs) => orderIds.map((orderId) => ({ orderId }))

/** Of every call that takes something; one that takes nothing is asked as it is. */
export const ATTEMPTS: readonly Attempt[] = [
  ...[
    attempt(logIn)(({ email: account }) => [{ contact: 'email', account, password: A_GUESS }]),
    attempt(register)(({ email, inviteCode }) => [
      {
        contact: 'email',
        ...{ countryId: HONG_KONG, account: email, password: A_GUESS },
        ...{ repeatedPassword: A_GUESS, inviteCode, code: '123456', captchaId: null },
        ...{ hasConsented: true, consentVersion: null },
      },
    ]),
    attempt(resetPassword)(({ email: account }) => [
      {
        contact: 'email',
        ...{ account, countryId: null, newPassword: A_GUESS },
        ...{ repeatedPassword: A_GUESS, code: '123456' },
      },
    ]),
    attempt(sendEmailCode)(({ email: to }) => [{ to, purpose: 'reset' }]),
    attempt(sendSmsCode)(() => [{ to: '91234567', countryId: HONG_KONG, purpose: 'reset' }]),
    attempt(endSession)(({ sessionIds }) => sessionIds.map((id) => ({ id }))),
    attempt(changePassword)(() => [
      { contact: 'email', oldPassword: A_GUESS, newPassword: A_GUESS, authCode: null },
    ]),
    attempt(prepareSecondFactor)(() => [{ password: A_GUESS }]),
    attempt(confirmSecondFactor)(() => [{ authCode: '123456' }]),
    attempt(removeSecondFactor)(() => [{ password: A_GUESS, authCode: '123456' }]),
    attempt(chooseLanguage)(() => [{ language: 'hk' }]),
    attempt(listActivity)(() => PAGES),
    attempt(listInvited)(() => PAGES),
    attempt(takeData)(() => [NO_PROOF, PROOF]),
    attempt(closeAccount)(() => [NO_PROOF]),
  ],
  ...[
    attempt(sendIdentity)(({ pictures: [front = '', reverse = ''] }) => [
      { name: 'Somebody Else', number: 'X1234567', front, reverse },
    ]),
    attempt(listNotices)(() => PAGES),
    attempt(readNotices)(() => [{ upTo: Date.now() + A_DAY }]),
    attempt(switchNotices)(() => [{ group: 'margin', way: 'mail', isOn: false }]),
    attempt(listChat)(({ messageId }) => [{ before: null }, { before: messageId + 2 }]),
    attempt(sendChatMessage)(({ pictures }) =>
      pictures.map((picture) => ({ text: 'a question of mine', picture })),
    ),
    attempt(markChatSeen)(({ messageId }) => [{ id: messageId + 1 }]),
    attempt(getPicture)(({ pictures }) => pictures.map((url) => ({ key: keyOf(url) }))),
  ],
  ...[
    attempt(getSetting)(() => [{ key: 'registrationMode' }]),
    attempt(getLegalText)(() => [{ document: 'terms', version: null }]),
    attempt(findCompanies)(({ email }) => [{ name: '' }, { name: email }]),
    attempt(getCompanyStatus)(({ id }) => [{ companyId: id }, { companyId: null }]),
    attempt(listNews)(() => PAGES.map(({ page }) => ({ category: 'all', page }))),
    attempt(getNews)(() => [1, 2, 3].map((id) => ({ id }))),
    attempt(tellNewsSeen)(() => [{ at: 1 }]),
    attempt(listInstruments)(() => [{ search: null }, { search: 'canary' }]),
    attempt(listCandles)(() => [{ instrumentId: 1, period: '1min', before: null, limit: null }]),
    attempt(listRecentCandles)(() => [{ instrumentId: 1, period: '1min' }]),
    attempt(setWatched)(() => [{ instrumentIds: [3], isWatched: false }]),
  ],
  ...[
    attempt(submitOrder)(() => [MARKET_BUY]),
    attempt(listOrders)(() =>
      (['pending', 'holding', 'history'] as const).flatMap((list) =>
        PAGES.map((page) => ({ list, ...page })),
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
  ],
  ...[
    attempt(listLedgerRecords)(() => PAGES.map((page) => ({ ...page, group: null }))),
    attempt(getBalanceHistory)(() => [{ from: Date.now() - A_DAY }]),
    // As a PDF it is made of the same rows.
    attempt(getStatement)(() => {
      const today = Math.floor(Date.now() / A_DAY) * A_DAY
      return [{ from: today - A_DAY, to: today, format: 'csv' }]
    }),
    attempt(listChargeAccounts)(() => [{ currency: null }, { currency: 'EUR' }]),
    attempt(tellCoinDeposit)(({ pictures }) =>
      pictures.map((proof) => ({
        ...{ amount: units(20), proof, address: TRON_ADDRESS, channelId: 1, reference: '' },
      })),
    ),
    attempt(tellWireDeposit)(({ pictures }) =>
      pictures.map((proof) => ({ amount: units(20), proof, wireId: 1, reference: '' })),
    ),
    attempt(listDeposits)(() => KINDS),
    attempt(listDepositsAsWell)(() => KINDS),
    attempt(getDeposit)(({ depositIds }) => depositIds.map((id) => ({ id }))),
    attempt(listPayoutCurrencies)(() => [{ kind: 'coin' }, { kind: 'bank' }]),
    attempt(askWithdrawal)(({ methodId }) => [
      { currencyId: 3, amount: units(20), memo: '', methodId, authCode: null },
    ]),
    attempt(listWithdrawals)(() => KINDS),
    ...[getWithdrawal, takeBackWithdrawal].map((endpoint) =>
      attempt(endpoint)(({ withdrawalIds }) => withdrawalIds.map((id) => ({ id }))),
    ),
    attempt(listReceivingMethods)(() =>
      (['coin', 'bank'] as const).map((kind) => ({ kind, currencyId: null })),
    ),
    attempt(bindReceivingMethod)(() => [bankForm({ password: A_GUESS })]),
    attempt(removeReceivingMethod)(({ methodId }) => [{ id: methodId }]),
  ],
]
