import {
  chooseLanguage,
  getBalanceHistory,
  countUnreadNotices,
  getBasicInfo,
  getCaptcha,
  getChatState,
  getClosing,
  getConsentDocuments,
  getFigures,
  getFunds,
  getIdentityCheck,
  getLatestNews,
  getNoticeChoices,
  getNewsSeen,
  getSecondFactor,
  getSetting,
  getSupportEmail,
  getUser,
  listActivity,
  getWatchList,
  listCandles,
  listCategories,
  listChat,
  listChargeChannels,
  listChargeCurrencies,
  listCountries,
  listDeposits,
  listInstruments,
  listInvited,
  listLedgerRecords,
  listNews,
  listNotices,
  listOrders,
  listPayoutCurrencies,
  listRecentCandles,
  listReceivingMethods,
  listSessions,
  listTermsChanges,
  listWithdrawals,
  logOut,
  tellNewsSeen,
} from '@fairlot/contract'
import type { InstrumentListing, OrderList, OrderView } from '@fairlot/contract'
import { afterEach, beforeEach, expect } from 'vitest'
import { cleanup, render } from 'vitest-browser-react'
import { page } from 'vitest/browser'
import { App } from '../app/app.tsx'
import type { Language } from '../i18n/language.ts'
import { loadMessages } from '../i18n/message-catalogue.ts'
import { setToken } from '../live/auth/token.ts'
import { setLanguage } from '../live/device/language.ts'
import { takeMarketState } from '../live/market/market-state.ts'
import { startAccount } from '../live/account/start.ts'
import { startLiveData } from '../live/start.ts'
import { queryClient } from '../live/requests/query-client.ts'
import { answer, forgetAll, standIn, unforeseenCalls } from './fake-server.ts'
import { forgetDevice } from './device.ts'
import * as sample from './samples.ts'

/** The width at which most of our readers see it. */
const PHONE = [390, 844] as const
export const DESKTOP = [1440, 900] as const

/** What nearly every screen asks for; a test changes what it is about. */
function answerAll(): void {
  answer(listInstruments, [sample.eurusd(), sample.gold(), sample.share()])
  answer(listCategories, sample.categories)
  answer(listRecentCandles, sample.candles(60))
  answer(listCandles, sample.candles(60))
  answer(getBasicInfo, sample.basicInfo())
  answer(getSetting, { registrationMode: 'emailOrMobile' })
  answer(listCountries, sample.countries)
  answer(getConsentDocuments, { version: '2026-01', terms: 'Terms.', riskDisclosure: 'Risks.' })
  answer(getCaptcha, { id: 'c1', image: 'data:image/gif;base64,R0lGODlhAQABAAAAACw=' })
  answer(getFigures, sample.figures())
  answer(getFunds, { available: sample.amount('100000'), frozen: sample.amount('0') })
  answer(listLedgerRecords, { records: [], total: 0 })
  answer(getBalanceHistory, { points: [] })
  answer(listActivity, { activities: [], total: 0 })
  answer(listChargeChannels, [])
  answer(listChargeCurrencies, [])
  answer(listDeposits, { deposits: [], total: 0 })
  answer(listPayoutCurrencies, [])
  answer(listReceivingMethods, [])
  answer(getIdentityCheck, sample.identityCheck())
  answer(listWithdrawals, { withdrawals: [], total: 0 })
  answer(getSecondFactor, { isOn: false, recoveryCodesLeft: 0 })
  answer(getSupportEmail, { email: '' })
  answer(listChat, { messages: [], hasMore: false })
  answer(getClosing, { obstacles: [], leftMax: sample.amount('1'), balance: sample.amount('0') })
  answer(getChatState, { unread: 0, seenTo: 0, usualMinutes: null })
  answer(listSessions, [sample.session()])
  answer(logOut, null)
  answer(chooseLanguage, null)
  answer(listTermsChanges, [])
  answer(getLatestNews, { at: null })
  answer(getNewsSeen, { at: null })
  answer(tellNewsSeen, null)
  answer(listNews, { items: [], total: 0 })
  answer(countUnreadNotices, { count: 0 })
  answer(listNotices, { notices: [], total: 0 })
  answer(getNoticeChoices, { choices: [] })
  answer(listInvited, { invited: [], total: 0 })
  answer(getWatchList, { instrumentIds: [] })
  answerOrders({})
}

/** Answers the three lists, each on one page. */
export const answerOrders = (lists: Partial<Record<OrderList, readonly OrderView[]>>): void =>
  answer(listOrders, ({ list }) => sample.pageOf(lists[list] ?? []))

/** Answers these instruments; what is halted among them has been pushed too. */
export function answerInstruments(...instruments: readonly InstrumentListing[]): void {
  const halts = instruments.flatMap(({ id, haltReason }) =>
    haltReason === null ? [] : [{ instrumentId: id, reason: haltReason }],
  )
  takeMarketState({ type: 'marketState', mode: 'normal', halts, changedTerms: [] })
  answer(listInstruments, instruments)
}

const nextPaint = () => new Promise((resolve) => requestAnimationFrame(resolve))

/** Waits until nothing is on its way, since an answer that comes after a push would count as the newer word; and what came is drawn. */
export async function settled(): Promise<void> {
  await expect.poll(() => queryClient.isFetching()).toBe(0)
  await nextPaint()
  await nextPaint()
}

/** A notice at the foot of the screen. What went wrong is there twice: for the eye, and for who listens. */
export const notice = (text: string | RegExp) => page.getByText(text).first()

/** Picks one of a few side by side: the finger meets its words, not the radio button below. */
export const choose = (name: string | RegExp) => page.getByRole('radio', { name }).click({ force: true })

let isStarted = false

/** Every test of the file begins with a device that knows nothing and a server that answers what a fresh one would. */
export function withFakeServer(): void {
  beforeEach(async () => {
    standIn()
    forgetAll()
    forgetDevice()
    answerAll()
    await page.viewport(...PHONE)
  })
  afterEach(async () => {
    await cleanup()
    forgetDevice()
    expect(unforeseenCalls()).toEqual([])
  })
}

type Opening = {
  as?: 'visitor' | 'demo' | 'real'
  language?: Language
  size?: readonly [widthPx: number, heightPx: number]
}

/** Opens the app at a path, as the browser would. */
export async function openApp(path: string, { as = 'visitor', language = 'en', size }: Opening = {}) {
  if (size) await page.viewport(...size)
  setLanguage(language)
  if (as !== 'visitor') {
    answer(getUser, as === 'demo' ? sample.demoUser() : sample.realUser())
    setToken('token-of-a-session')
  }
  history.replaceState(null, '', `#${path}`)
  if (!isStarted) {
    startLiveData()
    startAccount()
  }
  isStarted = true
  const messages = await loadMessages(language, 'first')
  const container = document.body.appendChild(document.createElement('div'))
  container.id = 'root'
  return render(<App firstTexts={{ language, messages }} />, { container })
}
