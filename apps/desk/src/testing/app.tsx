import {
  type DeskOperator,
  type DeskSelf,
  getChainEnds,
  getDeskSelf,
  getHouseFigures,
  getHouseSummary,
  type HouseSummary,
  listOperators,
  listWaiting,
  logOutOfDesk,
} from '@fairlot/contract/desk'
import { NO_MONEY } from '@fairlot/core/number'
import { afterEach, beforeEach, expect } from 'vitest'
import { cleanup, render } from 'vitest-browser-react'
import { page } from 'vitest/browser'
import { App } from '../app/app.tsx'
import { queryClient } from '../live/query-client.ts'
import { startLiveData } from '../live/start.ts'
import { setToken } from '../live/token.ts'
import { answer, forgetAll, standIn } from './fake-server.ts'

export const PHONE = [390, 844] as const
const DESKTOP = [1440, 900] as const

const HOUR_MS = 3_600_000

/** An administrator with a quarter of an hour left; a test changes what it is about. */
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

/** Nobody holds anything, and nothing has been earned. */
const QUIET_HOUSE: HouseSummary = {
  ...{
    at: Date.UTC(2026, 10, 22, 9, 12),
    ledger: 'real',
    currency: 'EUR',
    netValue: NO_MONEY,
    largest: null,
  },
  ...{ underHundred: 0, nearest: null, houseToday: NO_MONEY, houseDays: [] },
}

let isStarted = false

/** Every test of the file begins logged out, in front of a server that answers what every screen asks. */
export function withFakeServer(): void {
  beforeEach(async () => {
    standIn()
    forgetAll()
    setToken(null)
    queryClient.clear()
    answer(logOutOfDesk, null)
    answer(listOperators, { operators: [operator()] })
    answer(listWaiting, { cases: [], total: 0, all: 0, kinds: [] })
    answer(getHouseFigures, { freshPrices: 55, instruments: 55, refusedTicks: 2 })
    answer(getChainEnds, CHAIN_ENDS)
    answer(getHouseSummary, QUIET_HOUSE)
    await page.viewport(...DESKTOP)
  })
  afterEach(cleanup)
}

type Opening = {
  as?: DeskSelf | null
  /** The server does not say who is logged in. */
  isCut?: boolean
  size?: readonly [widthPx: number, heightPx: number]
}

/** Opens the desk at a path, as the browser would; `as: null` with nobody logged in. */
export async function openDesk(path: string, { as = self(), size = DESKTOP, isCut = false }: Opening = {}) {
  await page.viewport(...size)
  // A page that is opened anew remembers nothing.
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

/** Waits until nothing is on its way. */
export const settled = () => expect.poll(() => queryClient.isFetching()).toBe(0)

/** Words that break nowhere. */
export const LONG = 'Donaudampfschifffahrt'.repeat(12)

/** What can be pushed sideways though it should not: rows of chips alone may. */
export const runsOut = (): readonly string[] =>
  [...document.querySelectorAll('body, body *')]
    .filter((each) => each.scrollWidth > each.clientWidth + 1)
    .filter((each) => ['auto', 'scroll'].includes(getComputedStyle(each).overflowX))
    .filter((each) => !each.matches('.no-scrollbar, textarea, input'))
    .map((each) => each.className)

/** What the next file is called that is saved after this. */
export async function savedName(act: () => Promise<unknown>): Promise<string> {
  const saved = new Promise<string>((resolve) =>
    addEventListener(
      'click',
      ({ target }) => {
        if (target instanceof HTMLAnchorElement && target.download !== '') resolve(target.download)
      },
      true,
    ),
  )
  await act()
  return saved
}
