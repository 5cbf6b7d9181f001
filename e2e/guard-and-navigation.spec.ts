import { listInstruments, listOrders, logOut } from '@fairlot/contract'
import type { Page, Request } from '@playwright/test'
import { apiAs } from './support/api.ts'
import {
  choose,
  expectMoving,
  instrumentList,
  instrumentRow,
  openTrade,
  sideButton,
  startDemo,
  tab,
  ticket,
} from './support/app.ts'
import { holdBack } from './support/hold-back.ts'
import { expect, test } from './support/journey.ts'

/** Every path of the route table with the name of its screen. */
const BUILT = [
  ['/', 'Markets'],
  ['/trade', 'Trade'],
  ['/order', 'Orders'],
  ['/user', 'Account'],
  ['/login', 'Log in'],
  ['/product', 'Find an instrument'],
  ['/mine/history', 'Transactions'],
  ['/language', 'Language'],
  ['/register?invite_code=A1', 'Open an account'],
  ['/forgot', 'Forgotten password'],
  ['/mine/system', 'Settings'],
  ['/rank', 'Ranking'],
  ['/rank?tab=copy', 'Copying'],
  ['/rank/strategy?id=1', 'Strategy'],
  ['/rank/method', 'How we rank'],
  ['/rank/start?id=1', 'New copy'],
  ['/rank/copy?id=1', 'Your copy'],
  ['/mine/strategy', 'Your strategy'],
  ['/news', 'News'],
  ['/news/detail?id=1', 'News'],
  ['/mine/announcement', 'Announcements'],
  ['/feedback', 'Feedback'],
  ['/mine/chat', 'Support chat'],
  ['/mine/email', 'Complaints by e-mail'],
  ['/mine/text', 'Report a text'],
  ['/mine/notices', 'Notices'],
  ['/mine/data', 'My data'],
] as const
/** Not for demo users. */
const REAL_ONLY = [
  ['/mine/auth', 'Identity check'],
  ['/mine/invite', 'Invite a friend'],
  ['/mine/password', 'Change password'],
  ['/mine/charge', 'Deposit'],
  ['/mine/withdraw', 'Withdraw'],
  ['/mine/wallet', 'Wallet'],
  ['/mine/bank-card-list', 'Bank accounts'],
  ['/mine/coin-address-list', 'Coin addresses'],
  ['/mine/withdraw-way?type=2', 'Receiving method'],
] as const

test('a visitor who opens the orders is sent through the log-in', { tag: '@desktop' }, async ({ page }) => {
  const calls = callsOf(page)
  await page.goto('/#/order')
  await expect(page).toHaveURL(/#\/login\?from=%2Forder$/)
  await expect(page.getByText('Log in to go to Orders.')).toBeVisible()
  await page.getByRole('main').getByRole('button', { name: 'Try the demo' }).click()
  await expect(page).toHaveURL(/#\/order$/)
  await expect(page.getByText('No open position')).toBeVisible()
  for (const call of calls) {
    const { lang, authorization } = call.headers()
    expect(lang, call.url()).toBe('en')
    if (new URL(call.url()).pathname === listOrders.path) expect(authorization).toBeTruthy()
    if (call.method() === 'GET') expect(new URL(call.url()).searchParams.get('t')).toMatch(/^\d{13}$/)
  }
})

test('the return address of the log-in never leaves the app', async ({ page }) => {
  await page.goto(`/#/login?from=${encodeURIComponent('//elsewhere.example')}`)
  await page.getByRole('button', { name: 'Try the demo' }).click()
  await expect(page).toHaveURL(/^http:\/\/127\.0\.0\.1:\d+\/#\/$/)
  for (const from of [
    'https://elsewhere.example/order',
    '/\\elsewhere.example',
    'javascript:alert(1)',
    '/none',
  ]) {
    await page.goto(`/#/login?from=${encodeURIComponent(from)}`)
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page).toHaveURL(/^http:\/\/127\.0\.0\.1:\d+\/#\/$/)
  }
  await page.goto(`/#/login?from=${encodeURIComponent('/mine')}`)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(/#\/user$/)
})

test('every route has a screen with its name', { tag: '@desktop' }, async ({ page }) => {
  await page.goto('/')
  await startDemo(page)
  for (const [path, name] of BUILT) {
    await page.goto(`/#${path}`)
    await expect(page).toHaveTitle(`${name} · Fairlot`)
    await expect(page.getByText('Page not found')).toBeHidden()
  }
  for (const [path, name] of REAL_ONLY) {
    await page.goto(`/#${path}`)
    await expect(page).toHaveTitle(`${name} · Fairlot`)
    await expect(page.getByRole('main').getByText(`${name}: for real accounts`)).toBeVisible()
  }
  await page.goto('/#/mine')
  await expect(page).toHaveURL(/#\/user$/)
  await page.goto('/#/no/such/place')
  await expect(page.getByRole('heading', { name: 'Page not found' }).first()).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Go to markets' }).click()
  await expect(page).toHaveURL(/#\/$/)
  await expect(instrumentRow(page, 'EUR/USD')).toBeVisible()
})

test('screens of users ask a visitor to log in', async ({ page }) => {
  for (const [path, name] of [...REAL_ONLY, ['/mine/history', 'Transactions'] as const]) {
    await page.goto(`/#${path}`)
    await expect(page.getByRole('main').getByText(`Log in to go to ${name}.`)).toBeVisible()
  }
  await expect(page.getByRole('main').getByRole('link', { name: 'Log in' })).toHaveAttribute(
    'href',
    '#/login?from=%2Fmine%2Fhistory',
  )
})

test('kept screens keep their input, and every navigation starts at the top', async ({ page }) => {
  // Low enough for the results to scroll.
  await page.setViewportSize({ width: 390, height: 740 })
  await page.goto('/')
  await startDemo(page)
  const search = page.getByRole('searchbox', { name: 'Search instruments' })
  await search.fill('usd')
  await page.getByRole('group', { name: 'Categories' }).getByRole('button', { name: 'Forex' }).click()
  await expect(instrumentList(page).getByRole('link')).toHaveCount(11)
  await instrumentList(page).getByRole('link').last().scrollIntoViewIfNeeded()
  await expect(search).not.toBeInViewport()
  await instrumentList(page).getByRole('link').last().click()
  await field(page).fill('0.07')
  await tab(page, 'Orders').click()
  await choose(page, 'History')

  const fetched = page.waitForResponse(
    (response) => new URL(response.url()).pathname === listInstruments.path,
  )
  await tab(page, 'Markets').click()
  await fetched
  await expect(search).toHaveValue('usd')
  await expect(search).toBeInViewport()
  await expect(page.getByRole('button', { name: 'Forex' })).toHaveAttribute('aria-pressed', 'true')
  await tab(page, 'Trade').click()
  await expect(field(page)).toHaveValue('0.07')
  await tab(page, 'Orders').click()
  await expect(page.getByRole('radio', { name: 'History' })).toBeChecked()

  await test.step('a screen that is not kept starts empty', async () => {
    await page.goto('/#/product')
    await search.fill('gold')
    await page.getByRole('button', { name: 'Back' }).click()
    // The address changes before the screen does: a search that was never left would keep its input.
    await expect(search).toHaveValue('usd')
    await page.goto('/#/product')
    await expect(search).toHaveValue('')
  })
})

test('instruments have addresses, and back returns to the previous instrument', async ({ page }) => {
  await page.goto('/#/trade?code=XAUUSD')
  await expect(page.getByRole('button', { name: /^Instruments Gold/ })).toBeVisible()
  await page.goto('/#/')
  await openTrade(page, 'EUR/USD')
  await expect(page).toHaveURL(/#\/trade\?code=EURUSD$/)
  await page.getByRole('button', { name: /^Instruments EUR\/USD/ }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'GBP/USD' }).click()
  await expect(page).toHaveURL(/code=GBPUSD$/)
  await page.goBack()
  await expect(page.getByRole('button', { name: /^Instruments EUR\/USD/ })).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(/#\/$/)
  await test.step('the tab and an unknown code lead to the last instrument', async () => {
    await tab(page, 'Trade').click()
    await expect(page).toHaveURL(/#\/trade\?code=EURUSD$/)
    await page.goto('/#/trade?code=NOSUCH')
    await expect(page).toHaveURL(/#\/trade\?code=EURUSD$/)
  })
})

test('the search icon on the markets opens the search', { tag: '@desktop' }, async ({ page }) => {
  await page.goto('/')
  await page.getByRole('link', { name: 'Find an instrument' }).click()
  await expect(page).toHaveURL(/#\/product$/)
  await expect(page.getByRole('searchbox')).toBeFocused()
})

test('a visitor changes theme and colours', async ({ page }) => {
  await page.goto('/#/login')
  await page.getByRole('link', { name: 'Settings' }).click()
  await choose(page, 'Dark')
  await choose(page, 'Red')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(page.locator('html')).toHaveAttribute('data-rise', 'red')
  await expect(page.getByRole('button', { name: 'Log out' })).toBeHidden()
})

test('a session ended elsewhere sends the user to the log-in', async ({ page }) => {
  await page.goto('/')
  await startDemo(page)
  await openTrade(page, 'EUR/USD')
  await (await apiAs(page)).request(logOut, null)
  await tab(page, 'Orders').click()
  await expect(page).toHaveURL(/#\/login\?from=%2Forder$/)
  await expect(page.getByRole('button', { name: 'Open your demo again' })).toBeVisible()
  await page.reload()
  await page.goto('/#/user')
  await expect(page).toHaveURL(/#\/login\?from=%2Fuser$/)
})

test('an order with an ended session is not placed', async ({ page }) => {
  await page.goto('/')
  await startDemo(page)
  await openTrade(page, 'EUR/USD')
  // All requests of the screen are done: the next call is the order's.
  await page.waitForLoadState('networkidle')
  await (await apiAs(page)).request(logOut, null)
  await sideButton(page, 'Buy').click()
  await expect(page).toHaveURL(/#\/login\?from=%2Ftrade%3Fcode%3DEURUSD$/)
})

test('a reload shows the last list at once', async ({ page }) => {
  await page.goto('/')
  await expect(instrumentList(page).getByRole('link')).toHaveCount(55)
  const answer = await holdBack(page, `**${listInstruments.path}*`)
  await page.reload()
  await expect(instrumentList(page).getByRole('link')).toHaveCount(55)
  await expect(instrumentRow(page, 'EUR/USD')).toContainText(/1\.\d{5}/)
  answer()
  await expectMoving(instrumentRow(page, 'EUR/USD'))
})

const field = (page: Page) => ticket(page).getByRole('textbox', { name: 'Lots' })

/** Every API call that the page makes from now on. */
function callsOf(page: Page): Request[] {
  const calls: Request[] = []
  page.on('request', (request) => {
    if (/^\/(api|v1)\//.test(new URL(request.url()).pathname)) calls.push(request)
  })
  return calls
}
