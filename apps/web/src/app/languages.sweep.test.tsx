import {
  getCopy,
  getFigures,
  getStrategy,
  LANGUAGE_CODES,
  type LanguageCode,
  listCopies,
  listCopyLog,
  listDepositAddresses,
  listDepositCurrencies,
  listLedgerRecords,
  listPayoutCurrencies,
  listReceivingMethods,
  listStrategies,
  listStrategyOrders,
} from '@fairlot/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { overflowing } from '../../../../testing/overflow.ts'
import { answerOrders, openApp, settled, withFakeServer } from '../testing/app.tsx'
import * as copying from '../testing/copying-samples.ts'
import { answer } from '../testing/fake-server.ts'
import * as pay from '../testing/payment-samples.ts'
import * as sample from '../testing/samples.ts'

withFakeServer()

/** The screens on which a broken text costs the most. */
const SCREENS = [
  ['/', 'visitor'],
  ['/', 'demo'],
  ['/trade', 'demo'],
  ['/order?list=holding', 'demo'],
  ['/order?list=history', 'demo'],
  ['/user', 'real'],
  ['/login', 'visitor'],
  ['/register', 'visitor'],
  ['/mine/system', 'demo'],
  ['/mine/history', 'real'],
  ['/mine/charge', 'real'],
  ['/mine/withdraw', 'real'],
  ['/mine/password', 'real'],
  ['/mine/notices', 'real'],
  ['/mine/auth', 'real'],
  ['/rank', 'demo'],
  ['/rank?tab=copy', 'demo'],
  ['/rank/strategy?id=3', 'demo'],
  ['/rank/copy?id=71', 'demo'],
  ['/mine/strategy', 'demo'],
] as const

const WIDTHS = [390, 320]

/** A test runs through all screens at each width. */
const ALL_SCREENS_MS = 240_000

function answerEverything(): void {
  answer(getFigures, sample.figuresWithPosition())
  answerOrders({
    holding: [sample.position(), sample.goldPosition()],
    history: [sample.closedOrder({ endReason: 'stopOut', profit: sample.amount('-12345.678901') })],
  })
  const records = [sample.ledgerRecord()]
  answer(listLedgerRecords, { records, total: 1 })
  answer(listPayoutCurrencies, [pay.payoutCurrency()])
  answer(listReceivingMethods, [pay.receivingMethod()])
  answer(listDepositAddresses, [pay.depositAddress()])
  answer(listDepositCurrencies, [])
  answer(listStrategies, { strategies: [copying.strategyRow(), copying.flaggedRow()], total: 2 })
  answer(getStrategy, copying.strategy())
  answer(listStrategyOrders, { orders: [], total: 0 })
  answer(listCopies, { copies: [copying.copy()] })
  answer(getCopy, { copy: copying.copy(), orders: [sample.position()] })
  answer(listCopyLog, { entries: copying.log(), total: copying.log().length })
}

/** Buttons, tabs and chips whose text is cut off. */
const cutOff = (): string[] =>
  [...document.querySelectorAll<HTMLElement>('button, nav a, nav a span, [role="tab"], label')]
    .filter((element) => element.checkVisibility() && element.closest('[class~="sr-only"]') === null)
    .filter((element) => element.scrollWidth > element.clientWidth + 1)
    .filter((element) => getComputedStyle(element).overflowX !== 'visible')
    .map((element) => `cut: "${element.textContent.slice(0, 60)}"`)

test.each(LANGUAGE_CODES)(
  'no text is too wide for a phone in %s',
  async (language: LanguageCode) => {
    const found: string[] = []
    for (const [path, as] of SCREENS) {
      answerEverything()
      const screen = await openApp(path, { as, language })
      await settled()
      for (const width of WIDTHS) {
        await page.viewport(width, 664)
        await settled()
        found.push(...[...overflowing(), ...cutOff()].map((each) => `${path} at ${width}: ${each}`))
      }
      await screen.unmount()
      document.getElementById('root')?.remove()
    }
    expect([...new Set(found)]).toEqual([])
  },
  ALL_SCREENS_MS,
)
