import { getUser, listOrders } from '@fairlot/contract'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { DESKTOP, notice, openApp, withFakeServer } from '../testing/app.tsx'
import { inputsOf, loseConnections, receivedMessages, hold, push, reject } from '../testing/fake-server.ts'
import { navigate } from '@fairlot/ui/navigation/router.tsx'
import { selectInstrument, tradePath } from '../live/market/selected-instrument.ts'
import { ROUTES } from './routes.ts'

withFakeServer()

const tabs = () => page.getByRole('navigation', { name: 'Main screens' })
const heading = (name: string | RegExp) => page.getByRole('heading', { name, level: 1 })

describe('the main screens', () => {
  test('are one tap from each other, and the current one is marked', async () => {
    await openApp('/', { as: 'demo' })
    for (const [tab, path] of [
      ['Trade', '#/trade?code=EURUSD'],
      ['Orders', '#/order'],
      ['Ranking', '#/rank'],
      ['Copying', '#/rank?tab=copy'],
      ['Markets', '#/'],
    ] as const) {
      await tabs().getByRole('link', { name: tab }).click()
      await expect.poll(() => location.hash).toBe(path)
      await expect.element(tabs().getByRole('link', { name: tab })).toHaveAttribute('aria-current', 'page')
    }
  })

  test('keep what was typed while another screen is shown', async () => {
    await openApp('/')
    await page.getByRole('searchbox').fill('gold')
    await tabs().getByRole('link', { name: 'Trade' }).click()
    await expect.element(page.getByRole('button', { name: /^Buy/ })).toBeVisible()
    await tabs().getByRole('link', { name: 'Markets' }).click()
    await expect.element(page.getByRole('searchbox')).toHaveValue('gold')
  })

  test('show the instrument of the address, even if another was tapped and left before it was rendered', async () => {
    await openApp('/trade?code=EURUSD')
    await expect.element(page.getByRole('button', { name: /Instruments EUR\/USD/ })).toBeVisible()
    selectInstrument('XAUUSD')
    navigate(tradePath('XAUUSD'))
    navigate(tradePath('EURUSD'))
    await expect.element(page.getByRole('button', { name: /Instruments EUR\/USD/ })).toBeVisible()
    expect(location.hash).toBe('#/trade?code=EURUSD')
  })

  test('set the title of the browser tab', async () => {
    await openApp('/login')
    await expect.poll(() => document.title).toBe('Log in · Fairlot')
    location.hash = '#/nowhere'
    await expect.poll(() => document.title).toBe('Page not found · Fairlot')
  })

  test('can be reached past the header with the keyboard', async () => {
    await openApp('/')
    await expect.element(heading('Fairlot')).toBeVisible()
    await userEvent.tab()
    const skip = page.getByRole('button', { name: 'Skip to content' })
    await expect.element(skip).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByRole('main')).toHaveFocus()
  })

  test('of the desktop are in its header', async () => {
    await openApp('/', { as: 'demo', size: DESKTOP })
    await expect.element(tabs().getByRole('link', { name: 'Orders' })).toBeVisible()
    await tabs().getByRole('link', { name: 'Ranking' }).click()
    await expect.element(heading('Ranking')).toBeVisible()
  })
})

describe('every path', () => {
  test.each(ROUTES.map(({ path }) => path))(
    '%s shows something, to a visitor and to a user',
    async (path) => {
      const visitor = await openApp(path)
      await expect.element(page.getByRole('heading').first()).toBeInTheDocument()
      await visitor.unmount()
      await openApp(path, { as: 'real' })
      await expect.element(page.getByRole('heading').first()).toBeInTheDocument()
      await expect.element(page.getByText('This screen stopped working')).not.toBeInTheDocument()
    },
  )

  test('that is unknown shows an error with a link to the markets', async () => {
    await openApp('/no-such-page')
    await expect.element(heading('Page not found')).toBeVisible()
    await page.getByRole('link', { name: 'Go to markets' }).click()
    await expect.poll(() => location.hash).toBe('#/')
  })

  test('back leads home on a screen opened directly, otherwise to the previous one', async () => {
    await openApp('/mine/system')
    await page.getByRole('button', { name: 'Back' }).click()
    await expect.poll(() => location.hash).toBe('#/')
    await page.getByRole('link', { name: 'Find an instrument' }).click()
    await expect.poll(() => location.hash).toBe('#/product')
    await page.getByRole('link', { name: /XAU\/USD/ }).click()
    await expect.poll(() => location.hash).toBe('#/trade?code=XAUUSD')
    history.back()
    await expect.element(heading('Find an instrument')).toBeVisible()
    await page.getByRole('button', { name: 'Back' }).click()
    await expect.poll(() => location.hash).toBe('#/')
  })
})

describe('who may see a screen', () => {
  test('a visitor is redirected to the log-in where a user is required', async () => {
    await openApp('/order')
    await expect.element(heading('Log in')).toBeVisible()
    expect(inputsOf(listOrders)).toEqual([])
  })

  test.each(['/mine/auth', '/mine/charge', '/mine/withdraw', '/mine/wallet', '/mine/invite'])(
    'shows a demo account that %s requires a real account, and how to open one',
    async (path) => {
      await openApp(path, { as: 'demo' })
      await expect.element(page.getByText(/: for real accounts only$/)).toBeVisible()
      await page.getByRole('link', { name: 'Open an account' }).click()
      await expect.poll(() => location.hash).toBe(`#/register?from=${encodeURIComponent(path)}`)
    },
  )

  test('shows nothing before it is known whether the account is a demo', async () => {
    const release = hold(getUser)
    await openApp('/mine/charge', { as: 'demo' })
    await expect.element(page.getByText(/for real accounts/)).not.toBeInTheDocument()
    release()
    await expect.element(page.getByText(/for real accounts/)).toBeVisible()
  })
})

test('a navigation right after the log-out leads to its own screen, not home', async () => {
  await openApp('/mine/system', { as: 'demo' })
  await expect.element(heading('Settings')).toBeVisible()
  const { logOutHere } = await import('../live/session/session.ts')
  await logOutHere(false)
  // As if the address had been changed before anything was rendered.
  navigate('/order')
  await expect.element(heading('Log in')).toBeVisible()
  expect(location.hash).toBe('#/login?from=%2Forder')
})

describe('an expired session', () => {
  test('at the start turns the user into a visitor, without a message', async () => {
    await openApp('/')
    const { setToken } = await import('../live/device/token.ts')
    reject(getUser, 'sessionGone', 'You have been logged out.')
    setToken('an old one')
    await expect.poll(() => localStorage.getItem('fairlot.token')).toBeNull()
    await expect.element(page.getByRole('button', { name: 'Try the demo' })).toBeVisible()
    expect(location.hash).toBe('#/')
    await expect.element(page.getByText('You have been logged out.')).not.toBeInTheDocument()
  })

  test('later on leads to the log-in, and back to the same screen', async () => {
    await openApp('/order', { as: 'demo' })
    await expect.element(page.getByText('No open position')).toBeVisible()
    reject(listOrders, 'sessionGone', 'You have been logged out.')
    push({ type: 'closed', seq: 1, orderIds: [] })
    push({ type: 'closed', seq: 5, orderIds: [] })
    await expect.element(heading('Log in')).toBeVisible()
    expect(location.hash).toBe('#/login?from=%2Forder')
  })

  test('reported by the socket turns the user into a visitor', async () => {
    await openApp('/', { as: 'demo' })
    await expect.element(page.getByText('Equity')).toBeVisible()
    push({ type: 'loginResult', code: 999 })
    await expect.element(page.getByRole('button', { name: 'Try the demo' })).toBeVisible()
  })
})

describe('the socket', () => {
  test('is logged in with the session, and subscribes to its private topics', async () => {
    await openApp('/', { as: 'demo' })
    await expect
      .poll(() => receivedMessages().filter(({ type }) => type === 'login'))
      .toContainEqual({ type: 'login', token: 'token-of-a-session' })
    await expect
      .poll(() =>
        receivedMessages().flatMap((message) => (message.type === 'subscribe' ? message.topics : [])),
      )
      .toEqual(
        expect.arrayContaining(['FOREX_TRADE', 'FOREX_ORDER', 'FOREX_CLOSED', 'FOREX_FUNDS', 'NOTICE']),
      )
  })

  test('is logged out with it', async () => {
    await openApp('/', { as: 'demo' })
    await expect.element(page.getByText('Equity')).toBeVisible()
    const { setToken } = await import('../live/device/token.ts')
    setToken(null)
    await expect.poll(() => receivedMessages().at(-1)).toEqual({ type: 'logout' })
  })
})

describe('the first connection', () => {
  test('that fails is shown without a time', async () => {
    const { setConnectionState, useConnection } = await import('../live/connection/connection-state.ts')
    setConnectionState('idle', 0)
    useConnection.setState({ lostAt: null })
    await openApp('/')
    loseConnections()
    setConnectionState('waiting', Date.now())
    await expect.element(page.getByText(/^No connection\./)).toBeVisible()
  })
})

describe('notices', () => {
  test('the same message twice is one notice', async () => {
    const { showToast } = await import('@fairlot/ui/feedback/toast.ts')
    await openApp('/')
    showToast({ text: 'The same sentence.' })
    showToast({ text: 'The same sentence.' })
    await expect.element(notice('The same sentence.')).toBeVisible()
    await expect.poll(() => page.getByText('The same sentence.').elements().length).toBe(1)
  })

  test('the newest is in front of the older ones', async () => {
    const { showToast } = await import('@fairlot/ui/feedback/toast.ts')
    await openApp('/')
    showToast({ text: 'The first.', isPersistent: true })
    await expect.element(notice('The first.')).toBeVisible()
    showToast({ text: 'The second.', isPersistent: true })
    await expect.element(notice('The second.')).toBeVisible()
    await expect.element(page.getByText('The first.')).not.toBeVisible()
  })

  test('one that would disappear by itself goes when the next arrives, and cannot come back', async () => {
    const { showToast } = await import('@fairlot/ui/feedback/toast.ts')
    await openApp('/')
    showToast({ text: 'The first.' })
    await expect.element(notice('The first.')).toBeVisible()
    showToast({ text: 'The second.', isPersistent: true })
    await expect.element(notice('The second.')).toBeVisible()
    // By itself it would be gone after four seconds.
    const first = () => page.getByText('The first.').elements().length
    await expect.poll(first, { timeout: 2000 }).toBe(0)
  })

  test('are above the tab bar, and above the ticket', async () => {
    const { showToast } = await import('@fairlot/ui/feedback/toast.ts')
    await openApp('/')
    await expect.element(tabs()).toBeVisible()
    showToast({ text: 'Do not cover me.', isPersistent: true })
    await expect.element(notice('Do not cover me.')).toBeVisible()
    const bottom = () => notice('Do not cover me.').element().getBoundingClientRect().bottom
    await expect.poll(bottom).toBeLessThan(tabs().element().getBoundingClientRect().top)
    await tabs().getByRole('link', { name: 'Trade' }).click()
    const buy = page.getByRole('button', { name: /^Buy/ })
    await expect.element(buy).toBeVisible()
    await expect.poll(() => bottom() < buy.element().getBoundingClientRect().top).toBe(true)
  })

  test('disappear by themselves, unless they must not be missed', async () => {
    const { showToast } = await import('@fairlot/ui/feedback/toast.ts')
    await openApp('/')
    showToast({ text: 'Gone in a moment.' })
    await expect.element(notice('Gone in a moment.')).toBeVisible()
    await expect.element(notice('Gone in a moment.')).not.toBeInTheDocument()
    showToast({ text: 'Here to stay.', isPersistent: true })
    await expect.element(notice('Here to stay.')).toBeVisible()
  })

  test('are reached with F6, and their close button only then', async () => {
    const { showToast } = await import('@fairlot/ui/feedback/toast.ts')
    await openApp('/')
    showToast({ text: 'Here to stay.', isPersistent: true })
    const toast = page.getByRole('dialog', { name: 'Here to stay.' })
    const cross = toast.getByRole('button', { name: 'Close', includeHidden: true })
    await expect.element(cross).toHaveAttribute('aria-hidden', 'true')
    await expect.element(cross).toHaveAttribute('tabindex', '-1')
    await userEvent.keyboard('{F6}')
    await expect.element(cross).toHaveAttribute('tabindex', '0')
    await expect.element(cross).toHaveAttribute('aria-hidden', 'false')
  })
})

test('a part of the app that fails to load offers a reload', async () => {
  const { forgetMissingPart } = await import('@fairlot/ui/feedback/missing-part.ts')
  await openApp('/')
  await expect.element(tabs()).toBeVisible()
  dispatchEvent(new Event('vite:preloadError'))
  await expect.element(page.getByText(/^A part of the app could not be loaded\./)).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Reload' })).toBeVisible()
  forgetMissingPart()
})
