import {
  getCopyingTerms,
  getStrategy,
  listStrategies,
  listStrategyOrders,
  reportStrategy,
  type StrategyRow,
} from '@fairlot/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { overflowing } from '../../../../../testing/overflow.ts'
import { choose, DESKTOP, notice, openApp, PHONES, settled, withFakeServer } from '../../testing/app.tsx'
import * as copying from '../../testing/copying-samples.ts'
import { answer, failConnection, hold, inputsOf, reject } from '../../testing/fake-server.ts'
import * as sample from '../../testing/samples.ts'

withFakeServer()

const main = () => page.getByRole('main')
const ranked = () => page.getByRole('list', { name: 'Ranked strategies' }).getByRole('listitem')
const row = (name: string) => ranked().filter({ hasText: name })

const answerRanking = (...strategies: readonly StrategyRow[]): void =>
  answer(listStrategies, { strategies, total: strategies.length })

test('a visitor sees return, drawdown and what copiers got, those that lost and ended among them', async () => {
  answerRanking(copying.strategyRow(), copying.endedRow(), copying.shortRow())
  await openApp('/rank')
  await expect
    .element(row('Harbour'))
    .toMatchTextContent(
      /312 orders.*\+4\.1.*Drawdown6\.2.*Win rate58\.0.*Copiers212They got\+3\.4.*Together\+18,204\.00/,
    )
  await expect.element(row('Goldleaf')).toMatchTextContent(/lost everything.*−63\.0.*They got−58\.2/)
  await expect.element(ranked().filter({ hasText: 'Early Bird' })).not.toBeInTheDocument()
  const short = page.getByRole('list', { name: 'Too short to judge' }).getByRole('listitem')
  await expect.element(short).toMatchTextContent(/^EEarly Bird/)
  await expect
    .element(page.getByText('A strategy is ranked after 21 days and 20 closed orders.'))
    .toBeVisible()
})

test('a flag shows its rule when it is pressed', async () => {
  answerRanking(copying.flaggedRow())
  await openApp('/rank')
  await page.getByRole('button', { name: 'Raises lots after losses' }).click()
  await expect.element(page.getByText(/within a day of a loss/)).toBeVisible()
  await page.getByRole('button', { name: 'Raises lots after losses' }).click()
  await expect.element(page.getByText(/within a day of a loss/)).not.toBeInTheDocument()
})

test('time range, money and order are the reader’s choice; sorted otherwise, short records say so in their row', async () => {
  answerRanking(copying.strategyRow(), copying.shortRow())
  await openApp('/rank')
  await page.getByRole('button', { name: '1 year' }).click()
  await choose('Demo')
  await page.getByLabelText('Sort by').selectOptions('Drawdown')
  await expect
    .poll(() => inputsOf(listStrategies).at(-1))
    .toEqual({ window: 'year', kind: 'demo', sort: 'drawdown', page: 1 })
  await expect.element(row('Early Bird')).toMatchTextContent('too short to judge')
  await expect.element(row('Harbour')).toMatchTextContent('1 year')
})

test.each([
  ['Open loss', 'openLoss', /Open loss−12\.40/],
  ['Profit factor', 'profitFactor', /Profit factor1\.90/],
  ['Days of record', 'days', /Days of record\d/],
])('sorted by %s, each row shows it', async (label, sort, shown) => {
  answerRanking(copying.strategyRow())
  await openApp('/rank')
  await expect.element(row('Harbour')).not.toMatchTextContent(shown)
  await page.getByLabelText('Sort by').selectOptions(label)
  await expect.poll(() => inputsOf(listStrategies).at(-1)).toMatchObject({ sort })
  await expect.element(row('Harbour')).toMatchTextContent(shown)
})

test('a demo user first sees the demo ranking, a visitor the one of real money', async () => {
  const visitor = await openApp('/rank')
  await expect.element(page.getByText('No strategy with real money yet')).toBeVisible()
  expect(inputsOf(listStrategies).map(({ kind }) => kind)).toEqual(['real'])
  await visitor.unmount()
  await openApp('/rank', { as: 'demo' })
  await expect.element(page.getByText('No demo strategy yet')).toBeVisible()
  expect(inputsOf(listStrategies).at(-1)?.kind).toBe('demo')
})

test('the ranking is loaded page by page; the choice stays while copying is shown', async () => {
  const all = Array.from({ length: 11 }, (_, at) =>
    copying.strategyRow({ id: at + 1, name: `Strategy ${at + 1}` }),
  )
  answer(listStrategies, ({ page: wanted }) => ({
    strategies: all.slice((wanted - 1) * 10, wanted * 10),
    total: all.length,
  }))
  await openApp('/rank')
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect.poll(() => ranked().elements().length).toBe(11)
  await page.getByRole('button', { name: '3 months' }).click()
  await page.getByRole('link', { name: 'Copying' }).click()
  await expect.element(page.getByRole('heading', { name: 'Copying', level: 1 })).toBeVisible()
  await expect.poll(() => document.title).toBe('Copying · Fairlot')
  await page.getByRole('link', { name: 'Ranking', exact: true }).click()
  await expect.element(page.getByRole('button', { name: '3 months' })).toHaveAttribute('aria-pressed', 'true')
})

test('a ranking that failed to load says why and can be loaded again', async () => {
  const release = hold(listStrategies)
  reject(listStrategies, 'tooManyRequests', 'Too many requests. Wait a minute.')
  await openApp('/rank')
  await expect.element(page.getByRole('heading', { name: 'Ranking' })).toBeVisible()
  expect(main().element().textContent).not.toMatch(/No strategy|could not/)
  release()
  await expect.element(page.getByText('Too many requests. Wait a minute.')).toBeVisible()
  answerRanking(copying.strategyRow())
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(row('Harbour')).toBeVisible()
})

test('the page of the method says when an announced version begins, and what is new in it', async () => {
  const from = Date.UTC(2026, 6, 3, 12, 30)
  answer(getCopyingTerms, copying.terms({ methodFrom: from }))
  await openApp('/rank/method')
  await expect
    .element(
      page.getByText(/^Version 3\..* From .*: falls between full hours count .*, version 2 applies\.$/),
    )
    .toBeVisible()
})

test('the page of the method shows its version, the limits and the rule of every flag', async () => {
  await openApp('/rank')
  await page.getByRole('link', { name: 'How we rank' }).click()
  await expect.element(page.getByText(/^Version 3\./)).toBeVisible()
  for (const text of [
    /after 21 days and 20 closed orders/,
    /within a day of a loss/,
    /more than three times the median holding time/,
    /More than half of the profit/,
    /average leverage is above 20/,
    /at least 100\.00/,
  ])
    await expect.element(page.getByText(text).first()).toBeInTheDocument()
})

function answerStrategy(change: Parameters<typeof copying.strategy>[0] = {}): void {
  answer(getStrategy, copying.strategy(change))
  answer(listStrategyOrders, { orders: [copying.strategyOrder()], total: 1 })
}

const STRATEGY = '/rank/strategy?id=31'

test('a strategy’s page shows its figures of each time range, its record and what copiers got', async () => {
  answerStrategy()
  await openApp(STRATEGY)
  await expect.element(page.getByRole('heading', { name: 'Harbour' })).toBeVisible()
  await expect.element(main()).toMatchTextContent(/Return\+4\.1.*Open loss−12\.40/)
  await choose('1 year')
  await expect.element(main()).toMatchTextContent(/Return\+31\.7/)
  for (const text of [
    /In profit71\.0.*In the middle\+3\.4/,
    /Leverage, highest9\.8 ×/,
    /Holds a position for4 h 10 min/,
    /May 2025\+2\.1/,
    /EUR\/USD201 orders\+1,320\.10/,
    /Before publication.*18 orders−204\.50/,
    /Goldleaf.*lost everything.*−63\.0/,
  ])
    await expect.element(main()).toMatchTextContent(text)
  await expect.element(page.getByRole('img', { name: /^Growth since .*deepest drawdown 5\.2/ })).toBeVisible()
})

test('a closed order of a strategy opens with tick, price, lots and result of every fill', async () => {
  answerStrategy()
  await openApp(STRATEGY)
  await page.getByRole('button', { name: /EUR\/USD.*Buy 0\.10.*1\.08439 → 1\.08559.*\+8\.50/ }).click()
  const sheet = page.getByRole('dialog', { name: 'EUR/USD' })
  await expect
    .element(sheet)
    .toMatchTextContent(
      /Receipt: opened.*1\.08433 \/ 1\.08439.*no\. 4,711.*Filled at1\.08439.*Lots0\.10.*Receipt: closed.*Closed at1\.08479.*Lots0\.04.*Profit\+1\.60.*Receipt: closed.*Lots0\.06.*Profit\+7\.20/,
    )
  expect(sheet.element().textContent).not.toMatch(/Hash|Stop loss|Take profit/)
})

test.each([
  ['visitor', {}, 'Copy', '#/rank/start?id=31'],
  ['demo', { copyId: 71 }, 'Show your copy', '#/rank/copy?id=71'],
  ['demo', { isOwn: true }, 'Edit your strategy', '#/mine/strategy'],
] as const)('to a %s with %j the page offers “%s”', async (as, change, name, path) => {
  answerStrategy(change)
  await openApp(STRATEGY, { as })
  await expect.element(main().getByRole('link', { name, exact: true })).toHaveAttribute('href', path)
})

test('a real account is told that it cannot copy demo money, and nobody copies a strategy that ended', async () => {
  answerStrategy()
  const real = await openApp(STRATEGY, { as: 'real' })
  await expect.element(page.getByText(/Real money copies only strategies/)).toBeVisible()
  await real.unmount()
  answerStrategy({ id: 33, endedAt: sample.NOON, endedAs: 'withdrawn' })
  await openApp('/rank/strategy?id=33', { as: 'demo' })
  await expect.element(page.getByText('ended by the trader')).toBeVisible()
  await expect.element(main().getByRole('link', { name: 'Copy', exact: true })).not.toBeInTheDocument()
})

test('a name can be reported, with a reason', async () => {
  answerStrategy()
  answer(reportStrategy, null)
  await openApp(STRATEGY, { as: 'demo' })
  await page.getByRole('button', { name: 'Report name or description' }).click()
  await page.getByRole('button', { name: 'Send report' }).click()
  await expect.element(page.getByText('Say what is wrong with it.')).toBeVisible()
  await page.getByLabelText('What is wrong with it').fill('It promises profits.')
  await page.getByRole('button', { name: 'Send report' }).click()
  await expect.element(notice(/An operator will look at it/)).toBeVisible()
  expect(inputsOf(reportStrategy)).toEqual([{ id: 31, reason: 'It promises profits.' }])
})

test('a strategy that is gone or failed to load says so', async () => {
  reject(getStrategy, 'strategyNotFound', 'There is no such strategy, or it has ended.')
  const gone = await openApp(STRATEGY)
  await expect.element(page.getByText('There is no such strategy, or it has ended.')).toBeVisible()
  await gone.unmount()
  failConnection(getStrategy)
  const failed = await openApp('/rank/strategy?id=99')
  await expect.element(page.getByText('The strategy could not be loaded')).toBeVisible()
  await failed.unmount()
  await openApp('/rank/strategy?id=x')
  await expect.element(page.getByText('No such strategy')).toBeVisible()
})

const LONG = 'Weatherproof-long-name-without-breaks-38'

test.each([...PHONES, DESKTOP])('at %i x %i ranking and strategy fit the window', async (width, height) => {
  answerRanking(copying.strategyRow({ name: LONG }), copying.flaggedRow(), copying.endedRow())
  answerStrategy({ name: LONG, description: LONG.repeat(4) })
  const list = await openApp('/rank', { size: [width, height] })
  await expect.element(row(LONG)).toBeVisible()
  await settled()
  expect(overflowing()).toEqual([])
  await list.unmount()
  await openApp(STRATEGY, { size: [width, height] })
  await expect.element(page.getByRole('heading', { name: LONG })).toBeVisible()
  await settled()
  expect(overflowing()).toEqual([])
})
