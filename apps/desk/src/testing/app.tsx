import {
  type DeskOperator,
  type DeskSelf,
  getChainHeads,
  getDeskSelf,
  getBrokerFigures,
  getBrokerSummary,
  type BrokerSummary,
  getOperatorMode,
  listDeskPasskeys,
  listOperators,
  listWaiting,
  logInToDesk,
  logOutOfDesk,
} from '@fairlot/contract/desk'
import { NO_MONEY } from '@fairlot/core/number'
import { afterEach, beforeEach, expect } from 'vitest'
import { cleanup, render } from 'vitest-browser-react'
import { page } from 'vitest/browser'
import { expectNoNameMarks } from '../../../../testing/translated-page.ts'
import { App } from '../app/app.tsx'
import { queryClient } from '../live/queries.ts'
import { startLiveData } from '../live/start.ts'
import { setToken } from '../live/token.ts'
import { answer, resetServer, installFakes } from './fake-server.ts'

export const PHONE = [390, 844] as const
const DESKTOP = [1440, 900] as const

const HOUR_MS = 3_600_000

/** An administrator with 15 minutes left; a test overrides what it needs. */
export const self = (changes: Partial<DeskSelf> = {}): DeskSelf => ({
  id: 1,
  name: 'R. Finance',
  role: 'administrator',
  needsSecondFactor: false,
  idleEndsAt: Date.now() + HOUR_MS / 4,
  endsAt: Date.now() + 8 * HOUR_MS,
  ...changes,
})

export const operator = (changes: Partial<DeskOperator> = {}): DeskOperator => ({
  id: 2,
  name: 'M. Compliance',
  role: 'compliance',
  status: 'active',
  hasSecondFactor: true,
  lastSeenAt: Date.UTC(2026, 10, 22, 9, 12),
  createdAt: Date.UTC(2026, 9, 14, 8),
  ...changes,
})

const CHAIN_ENDS = {
  journal: { number: 812, hash: 'ab'.repeat(32), at: Date.UTC(2026, 10, 22, 9, 12) },
  acts: { number: 31, hash: 'cd'.repeat(32), at: Date.UTC(2026, 10, 22, 9, 11) },
  lastMailed: null,
}

/** No positions and no result. */
const EMPTY_BROKER: BrokerSummary = {
  at: Date.UTC(2026, 10, 22, 9, 12),
  ledger: 'real',
  currency: 'EUR',
  netValue: NO_MONEY,
  largest: null,
  underHundred: 0,
  nearest: null,
  houseToday: NO_MONEY,
  houseDays: [],
  positions: 0,
  demoPositions: 0,
}

let isStarted = false

/** Each test of the file starts logged out, with a fake server that answers the requests of every screen. */
export function withFakeServer(): void {
  beforeEach(async () => {
    installFakes()
    resetServer()
    setToken(null)
    queryClient.clear()
    answer(logOutOfDesk, null)
    answer(listOperators, { operators: [operator()] })
    answer(listDeskPasskeys, { passkeys: [] })
    answer(getOperatorMode, { isSingleOperator: false, recovery: null })
    answer(listWaiting, { cases: [], total: 0, all: 0, kinds: [], next: null })
    answer(getBrokerFigures, { freshPrices: 55, instruments: 55, refusedTicks: 2, unnamedProxies: [] })
    answer(getChainHeads, CHAIN_ENDS)
    answer(getBrokerSummary, EMPTY_BROKER)
    await page.viewport(...DESKTOP)
  })
  afterEach(cleanup)
  // Hooks after a test run in reverse: this one sees the page.
  afterEach(expectNoNameMarks)
}

type OpenOptions = {
  as?: DeskSelf | null
  /** The connection breaks when the desk fetches who is logged in. */
  isCut?: boolean
  size?: readonly [widthPx: number, heightPx: number]
}

/** Opens the desk at a path; `as: null` logged out. */
export async function openDesk(
  path: string,
  { as = self(), size = DESKTOP, isCut = false }: OpenOptions = {},
) {
  await page.viewport(...size)
  // A newly opened page has no cache.
  queryClient.clear()
  history.replaceState(null, '', `#${path}`)
  if (!isStarted) startLiveData()
  isStarted = true
  if (as) {
    if (!isCut) answer(getDeskSelf, as)
    setToken('a-token')
  }
  return render(<App />)
}

/** Logs in, by default as the operator of before, after the session has ended. */
export async function logInAgain(as: DeskSelf = self()): Promise<void> {
  answer(logInToDesk, { token: 'another-token', self: as })
  answer(getDeskSelf, as)
  await page.getByLabelText('Name').fill(as.name)
  await page.getByLabelText('Password', { exact: true }).fill('a good password')
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await expect.element(page.getByLabelText('Password', { exact: true })).not.toBeInTheDocument()
}

/** Waits until no request is in progress. */
export const settled = () => expect.poll(() => queryClient.isFetching()).toBe(0)

/** A long word without a place to break. */
export const LONG = 'Donaudampfschifffahrt'.repeat(12)

/** Elements that scroll sideways although only rows of chips may. */
export const overflowing = (): readonly string[] =>
  [...document.querySelectorAll('body, body *')]
    .filter((each) => each.scrollWidth > each.clientWidth + 1)
    .filter((each) => ['auto', 'scroll'].includes(getComputedStyle(each).overflowX))
    .filter((each) => !each.matches('.no-scrollbar, textarea, input'))
    .map((each) => each.className)

/** The name of the next saved file. */
export async function savedName(action: () => Promise<unknown>): Promise<string> {
  const saved = new Promise<string>((resolve) =>
    addEventListener(
      'click',
      ({ target }) => {
        if (target instanceof HTMLAnchorElement && target.download !== '') resolve(target.download)
      },
      true,
    ),
  )
  await action()
  return saved
}
