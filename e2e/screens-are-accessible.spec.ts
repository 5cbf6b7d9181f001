import AxeBuilder from '@axe-core/playwright'
import type { Locator, Page } from '@playwright/test'
import ar from '../apps/web/src/i18n/messages/ar.json' with { type: 'json' }
import ru from '../apps/web/src/i18n/messages/ru.json' with { type: 'json' }
import {
  choose,
  instrumentList,
  instrumentRow,
  openOrder,
  openTradeAsDemo,
  sideButton,
  startDemo,
  notice,
  tab,
} from './support/app.ts'
import { expect, test } from './support/journey.ts'
import { layoutShift, sidewaysOverflow, watchLayoutShift } from './support/layout.ts'

/** A fifth of the layout shift that counts as good. */
const LAYOUT_SHIFT_MAX = 0.02

test('the main screens meet WCAG 2.2 AA in both themes', async ({ page }) => {
  test.slow()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/#/login')
  await expect(page.getByRole('button', { name: 'Try the demo' })).toBeVisible()
  await expectAccessible(page, 'login')
  await page.goto('/#/register')
  await page.getByRole('main').getByRole('button', { name: 'Open an account' }).click()
  await expect(page.getByText('Enter your e-mail address.')).toBeVisible()
  await expectAccessible(page, 'register, refused')
  await page.goto('/')
  await expect(instrumentList(page).getByRole('link')).toHaveCount(55)
  await expectAccessible(page, 'home of a visitor')
  await openPosition(page)
  await expectAccessible(page, 'trade')
  await choose(page.getByRole('region', { name: 'Order ticket' }), 'Pending')
  await expectAccessible(page, 'trade, pending')
  await tab(page, 'Orders').click()
  const opened = await openOrder(page, 'EUR/USD')
  await expect(opened.getByRole('heading', { name: 'Receipt: opened' })).toBeVisible()
  await expectAccessible(page, 'order sheet')
  await opened.getByRole('button', { name: 'Check this receipt' }).click()
  await expect(opened.getByText('This receipt is genuine')).toBeVisible()
  await expectAccessible(page, 'checked receipt')
  await opened.getByRole('button', { name: 'Trail stop' }).click()
  await expect(opened.getByRole('heading', { name: 'Trailing stop for EUR/USD' })).toBeVisible()
  await expectAccessible(page, 'trailing stop')
  await page.keyboard.press('Escape')
  await expect(opened).toBeHidden()
  await expectAccessible(page, 'orders')
  await tab(page, 'Markets').click()
  await expectAccessible(page, 'home of a user')
  for (const [path, heading] of [
    ['/user', 'Account'],
    ['/mine/history', 'Transactions'],
    ['/mine/system', 'Settings'],
    ['/mine/invite', 'Invite a friend'],
    ['/news', 'News'],
    ['/news/detail?id=1', 'News'],
    ['/language', 'Language'],
  ] as const) {
    await page.goto(`/#${path}`)
    await expect(page.getByRole('heading', { name: heading, level: 1 })).toBeVisible()
    await expectAccessible(page, path)
  }
})

/** The screens of the first test, which finds its way by English names. */
const MAIN_SCREENS = [
  '/',
  '/trade',
  '/order',
  '/user',
  '/mine/history',
  '/mine/system',
  '/mine/invite',
  '/news',
  '/news/detail?id=1',
  '/language',
]

/** The screens that need no more than an account, apart from those of the first test. */
const OTHER_SCREENS = [
  '/rank',
  '/rank?tab=copy',
  '/rank/method',
  '/mine/strategy',
  '/mine/terms',
  '/mine/notices',
  '/mine/activity',
  '/mine/data',
  '/mine/chat',
  '/mine/announcement',
  '/mine/password',
  '/mine/charge',
  '/mine/withdraw',
  '/mine/auth',
  '/feedback',
  '/mine/text',
  '/product',
  '/forgot',
]

test('all other screens meet WCAG 2.2 AA in both themes', async ({ page, server }) => {
  test.slow()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await openTradeAsDemo(page, server)
  for (const path of OTHER_SCREENS) {
    await page.goto(`/#${path}`)
    await expect(page.getByRole('heading', { level: 1 }).filter({ visible: true })).toBeVisible()
    await expectSettled(page)
    await expectAccessible(page, path)
  }
})

for (const { language, messages } of [
  { language: 'ar', messages: ar },
  { language: 'ru', messages: ru },
])
  test(`all screens meet WCAG 2.2 AA in both themes in ${language}`, async ({ page, server }) => {
    test.slow()
    await page.emulateMedia({ reducedMotion: 'reduce' })
    for (const path of ['/', '/login', '/register']) {
      await page.goto(`/?lang=${language}#${path}`)
      await expectSettled(page)
      await expectAccessible(page, `${path} of a visitor`)
    }
    // The position is opened by English names.
    await page.goto('/?lang=en')
    await expect(instrumentList(page)).toBeVisible()
    await openTradeAsDemo(page, server)
    await sideButton(page, 'Buy').click()
    await expect(notice(page, /^Bought 0.01 EUR\/USD/)).toBeVisible()
    for (const path of [...MAIN_SCREENS, ...OTHER_SCREENS]) {
      await page.goto(`${server.url}/?lang=${language}#${path}`)
      await expect(page.locator('html')).toHaveAttribute('lang', language)
      await expect(page.getByRole('heading', { level: 1 }).filter({ visible: true })).toBeVisible()
      await expectSettled(page)
      await expectAccessible(page, path)
    }
    await page.goto(`${server.url}/#/order`)
    const row = page.getByRole('main').getByRole('listitem').getByRole('button', { name: 'EUR/USD' })
    await row.first().click()
    const opened = page.getByRole('dialog', { name: 'EUR/USD', exact: true })
    await expect(opened.getByRole('heading', { name: messages.order.receiptOf.open })).toBeVisible()
    await expectAccessible(page, 'order sheet')
  })

test('the workspace meets WCAG 2.2 AA in both themes', { tag: '@desktop-only' }, async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/')
  await openPosition(page)
  await expect(page.getByRole('main').getByRole('row')).toHaveCount(2)
  await expectAccessible(page, 'workspace')
})

test('the skip link moves the focus to the content', async ({ page }) => {
  await page.goto('/')
  await startDemo(page)
  await tab(page, 'Orders').click()
  await expect(page.getByText('No open position')).toBeVisible()
  await page.getByRole('button', { name: 'Skip to content' }).press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
})

test('no element overflows in right-to-left layout', async ({ page }) => {
  await page.goto('/')
  await openPosition(page)
  await page.evaluate(() => (document.documentElement.dir = 'rtl'))
  const paths = ['/', '/trade', '/order', '/user', '/mine/history', '/language', '/login', '/rank']
  for (const path of [
    ...paths,
    '/rank?tab=copy',
    '/rank/method',
    '/mine/strategy',
    '/register',
    '/forgot',
    '/mine/system',
    '/mine/invite',
    '/news',
    '/news/detail?id=4',
  ]) {
    await page.goto(`/#${path}`)
    await expectSettled(page)
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
    expect(await sidewaysOverflow(page), path).toEqual([])
  }
})

test('every main action is reachable at double text size', async ({ page }) => {
  await page.goto('/')
  await page.addStyleTag({ content: 'html { font-size: 200% !important }' })
  await expectReachable(page.getByRole('button', { name: 'Try the demo' }))
  await expectReachable(page.getByRole('link', { name: 'Log in' }))
  for (const name of ['Markets', 'Trade', 'Orders', 'Ranking', 'Copying'])
    await expectReachable(tab(page, name))
  expect(await sidewaysOverflow(page), 'home').toEqual([])
  await openPosition(page)
  await expect(page.getByText(/^Bought /).first()).toBeHidden({ timeout: 15_000 })
  await expectReachable(sideButton(page, 'Sell'))
  await expectReachable(sideButton(page, 'Buy'))
  await tab(page, 'Orders').click()
  const opened = await openOrder(page, 'EUR/USD')
  await expectReachable(opened.getByRole('button', { name: 'Set stops' }))
  await expectReachable(opened.getByRole('button', { name: /^Close [+−]/ }))
  expect(await sidewaysOverflow(page), 'order sheet').toEqual([])
  await page.keyboard.press('Escape')
  await page.goto('/#/user')
  await expectReachable(page.getByRole('button', { name: 'Reset demo account' }))
  await expectReachable(page.getByRole('button', { name: 'Log out' }))
  expect(await sidewaysOverflow(page), 'user').toEqual([])
})

test('home and trade do not shift while they load', { tag: '@desktop' }, async ({ page }) => {
  await watchLayoutShift(page)
  await page.goto('/')
  await expect(instrumentList(page).getByRole('link')).toHaveCount(55)
  await expect(page.getByRole('img', { name: 'EUR/USD, last 60 bars' })).toBeVisible()
  await expectSettled(page)
  await expectStill(page, 'home')
  await page.goto('/#/trade')
  await page.reload()
  await expect(page.getByRole('img', { name: /^EUR\/USD, candles of 5 minutes, last price/ })).toBeVisible()
  await expect(sideButton(page, 'Buy')).toBeEnabled()
  await expectSettled(page)
  await expectStill(page, 'trade')
})

async function openPosition(page: Page): Promise<void> {
  await startDemo(page)
  await instrumentRow(page, 'EUR/USD').click()
  await expect(sideButton(page, 'Buy')).toBeEnabled()
  await sideButton(page, 'Buy').click()
  await expect(notice(page, /^Bought 0.01 EUR\/USD/)).toBeVisible()
  await expect(page.getByRole('img', { name: /candles/ })).toBeVisible()
}

async function expectStill(page: Page, screen: string): Promise<void> {
  const { sum, moved } = await layoutShift(page)
  expect(sum, `${screen}: ${moved.join(' | ')}`).toBeLessThanOrEqual(LAYOUT_SHIFT_MAX)
}

/** Waits until every request is answered and painted. */
async function expectSettled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.evaluate(
    () => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))),
  )
}

/** Checks all rules of WCAG 2.2 AA and the size of text in the light theme, and colour contrast in the dark one. */
async function expectAccessible(page: Page, screen: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' })
  expect.soft(violationsIn(await axeOn(page).withTags(WCAG).analyze()), `${screen}, light`).toEqual([])
  expect.soft(await tooSmallTexts(page), `${screen}, text below 12 px`).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  const colours = axeOn(page).withRules('color-contrast')
  expect.soft(violationsIn(await colours.analyze()), `${screen}, dark`).toEqual([])
}

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Legacy mode needs no page of its own for each check; it skips frames, and there are none. */
const axeOn = (page: Page): AxeBuilder => new AxeBuilder({ page }).setLegacyMode()

const violationsIn = ({ violations }: Awaited<ReturnType<AxeBuilder['analyze']>>): string[] =>
  violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)

/** Texts on the screen smaller than 12 px, with their size. */
const tooSmallTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found = new Set<string>()
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const element = node.parentElement
      if (!element || node.nodeValue?.trim() === '' || !element.checkVisibility()) continue
      // A drawing grows or shrinks with its text.
      const scale = element instanceof SVGGraphicsElement ? (element.getScreenCTM()?.a ?? 1) : 1
      const size = parseFloat(getComputedStyle(element).fontSize) * scale
      if (size < 11.99) found.add(`${size.toFixed(1)} px: ${node.nodeValue?.slice(0, 40)}`)
    }
    return [...found]
  })

/** The element can be scrolled to and clicked, is not covered, and shows all of its text. */
async function expectReachable(control: Locator): Promise<void> {
  await control.click({ trial: true })
  const clipped = await control.evaluate((element) =>
    // Text for screen readers alone is one pixel wide.
    [element, ...element.querySelectorAll('*')]
      .filter(
        (part) =>
          part instanceof HTMLElement && part.clientWidth > 1 && part.scrollWidth > part.clientWidth + 1,
      )
      .map((part) => part.textContent),
  )
  expect(clipped).toEqual([])
}
