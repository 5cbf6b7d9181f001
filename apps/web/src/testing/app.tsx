import { afterEach, beforeEach, expect } from 'vitest'
import { cleanup, render } from 'vitest-browser-react'
import { page } from 'vitest/browser'
import {
  chooseLanguage,
  countUnreadNotices,
  getBalanceHistory,
  getBasicInfo,
  getCaptcha,
  getChatState,
  getClosing,
  getCopyingTerms,
  getConsentDocuments,
  getFigures,
  getFunds,
  getIdentityCheck,
  getLatestNews,
  getNewsSeen,
  getNoticeChoices,
  getOwnStrategy,
  getSecondFactor,
  getSetting,
  getSupportEmail,
  getUser,
  getWatchList,
  type InstrumentListing,
  listActivity,
  listAlerts,
  listCandles,
  listCopies,
  listCategories,
  listDepositAddresses,
  listDepositCurrencies,
  listChat,
  listCountries,
  listDeposits,
  listInstruments,
  listInvited,
  listLedgerRecords,
  listNews,
  listNotices,
  listOrders,
  listPasskeys,
  listPushDevices,
  listPayoutCurrencies,
  listReceivingMethods,
  listRecentCandles,
  listSessions,
  listStrategies,
  listTermsChanges,
  listWithdrawals,
  logOut,
  type OrderList,
  type OrderView,
  reportNewsSeen,
} from '@fairlot/contract'
import { expectNoNameMarks } from '../../../../testing/translated-page.ts'
import { watchMissingParts } from '@fairlot/ui/feedback/missing-part.ts'
import { App } from '../app/app.tsx'
import type { Language } from '../i18n/language.ts'
import { loadMessages } from '../i18n/message-catalogue.ts'
import { startAccount } from '../live/account/start.ts'
import { setToken } from '../live/device/token.ts'
import { setLanguage } from '../live/device/language.ts'
import { setMarketState } from '../live/market/market-state.ts'
import { queryClient } from '../live/requests/query-client.ts'
import { startLiveData } from '../live/start.ts'
import * as copying from './copying-samples.ts'
import { forgetDevice } from './device.ts'
import { answer, resetServer, installFakes, unexpectedCalls } from './fake-server.ts'
import * as sample from './samples.ts'

/** The screen size of most users. */
const PHONE = [390, 844] as const
export const DESKTOP = [1440, 900] as const
export { PHONES } from '../../../../testing/phone-sizes.ts'

/** Default responses for nearly every screen; a test overrides those it is about. */
function answerAll(): void {
  answer(listInstruments, [sample.eurusd(), sample.gold(), sample.share()])
  answer(listCategories, sample.categories)
  answer(listRecentCandles, sample.candles(60))
  answer(listCandles, sample.candles(60))
  answer(getBasicInfo, sample.basicInfo())
  answer(getSetting, { registrationMode: 'emailOrMobile' })
  answer(listCountries, sample.countries)
  answer(getConsentDocuments, { version: '2026-01', terms: 'Terms.', riskDisclosure: 'Risks.' })
  answer(getCaptcha, { id: 'c1', image: 'data:image/gif;base64,R0lGODlhAQABAAAAACw=', challenge: '' })
  answer(getFigures, sample.figures())
  answer(getFunds, { available: sample.amount('100000'), frozen: sample.amount('0') })
  answer(listLedgerRecords, { records: [], total: 0 })
  answer(getBalanceHistory, { points: [] })
  answer(listAlerts, [])
  answer(listPushDevices, { devices: [] })
  answer(listActivity, { activities: [], total: 0 })
  answer(listDepositAddresses, [])
  answer(listDepositCurrencies, [])
  answer(listDeposits, { deposits: [], total: 0 })
  answer(listPayoutCurrencies, [])
  answer(listReceivingMethods, [])
  answer(getIdentityCheck, sample.identityCheck())
  answer(listWithdrawals, { withdrawals: [], total: 0 })
  answer(getSecondFactor, { isOn: false, hasApp: false, passkeys: 0, recoveryCodesLeft: 0 })
  answer(listPasskeys, { passkeys: [] })
  answer(getSupportEmail, { email: '' })
  answer(listChat, { messages: [], hasMore: false })
  answer(getClosing, { obstacles: [], leftMax: sample.amount('1'), balance: sample.amount('0') })
  answer(getChatState, { unread: 0, lastSeenId: 0, p75ResponseMinutes: null })
  answer(listSessions, [sample.session()])
  answer(logOut, null)
  answer(chooseLanguage, null)
  answer(listTermsChanges, [])
  answer(getLatestNews, { at: null })
  answer(getNewsSeen, { at: null })
  answer(reportNewsSeen, null)
  answer(listNews, { items: [], total: 0 })
  answer(countUnreadNotices, { count: 0 })
  answer(listNotices, { notices: [], total: 0, next: null })
  answer(getNoticeChoices, { choices: [] })
  answer(listInvited, { invited: [], total: 0 })
  answer(getWatchList, { instrumentIds: [] })
  answer(listStrategies, { strategies: [], total: 0 })
  answer(listCopies, { copies: [] })
  answer(getCopyingTerms, copying.terms())
  answer(getOwnStrategy, copying.notPublished())
  answerOrders({})
}

/** Responds with these orders in each of the three lists, each on one page. */
export const answerOrders = (lists: Partial<Record<OrderList, readonly OrderView[]>>): void =>
  answer(listOrders, ({ list }) => sample.pageOf(lists[list] ?? []))

/** Responds with these instruments, and pushes the halts among them. */
export function answerInstruments(...instruments: readonly InstrumentListing[]): void {
  const halts = instruments.flatMap(({ id, haltReason }) =>
    haltReason === null ? [] : [{ instrumentId: id, reason: haltReason }],
  )
  setMarketState({ type: 'marketState', mode: 'normal', reason: '', halts, changedTerms: [] })
  answer(listInstruments, instruments)
}

const nextPaint = () => new Promise((resolve) => requestAnimationFrame(resolve))

/** Waits until no request is running and all is rendered: a response after a push would replace the pushed data. */
export async function settled(): Promise<void> {
  await expect.poll(() => queryClient.isFetching()).toBe(0)
  await nextPaint()
  await nextPaint()
}

/** A toast. An error is in the page twice, once for screen readers. */
export const notice = (text: string | RegExp) => page.getByText(text).first()

/** Chooses a segment by its label, which covers the radio button. */
export const choose = (name: string | RegExp) => page.getByRole('radio', { name }).click({ force: true })

let isStarted = false

/** Each test of the file starts with an empty device and a fake server with default responses. */
export function withFakeServer(): void {
  beforeEach(async () => {
    installFakes()
    resetServer()
    forgetDevice()
    answerAll()
    await page.viewport(...PHONE)
  })
  afterEach(async () => {
    expectNoNameMarks()
    await cleanup()
    forgetDevice()
    expect(unexpectedCalls()).toEqual([])
  })
}

type Opening = {
  as?: 'visitor' | 'demo' | 'real'
  language?: Language
  size?: readonly [widthPx: number, heightPx: number]
}

/** Opens the app at a path, as a browser would. */
export async function openApp(path: string, { as = 'visitor', language = 'en', size }: Opening = {}) {
  if (size) await page.viewport(...size)
  setLanguage(language)
  if (as !== 'visitor') {
    answer(getUser, as === 'demo' ? sample.demoUser() : sample.realUser())
    setToken('token-of-a-session')
  }
  history.replaceState(null, '', `#${path}`)
  if (!isStarted) {
    watchMissingParts()
    startLiveData()
    startAccount()
  }
  isStarted = true
  const messages = await loadMessages(language, 'first')
  const container = document.body.appendChild(document.createElement('div'))
  container.id = 'root'
  return render(<App firstTexts={{ language, messages }} />, { container })
}
