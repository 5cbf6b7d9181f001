import { getUser, listOrders } from '@fairlot/contract'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { DESKTOP, notice, openApp, withFakeServer } from '../testing/app.tsx'
import { asked, goDown, heardMessages, hold, push, refuse } from '../testing/fake-server.ts'
import { navigate } from '@fairlot/ui/router.tsx'
import { selectInstrument } from '../live/market/selected-instrument.ts'
import { tradePath } from '../live/trade-path.ts'
import { ROUTES } from './routes.ts'

withFakeServer()

const tabs = () => page.getByRole('navigation', { name: 'Main screens' })
const heading = (name: string | RegExp) => page.getByRole('heading', { name, level: 1 })

describe('the main screens', () => {
  test('are one tap from each other, and the one that is shown is marked', async () => {
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

  test('keep what was typed while another one is shown', async () => {
    await openApp('/')
    await page.getByRole('searchbox').fill('gold')
    await tabs().getByRole('link', { name: 'Trade' }).click()
    await expect.element(page.getByRole('button', { name: /^Buy/ })).toBeVisible()
    await tabs().getByRole('link', { name: 'Markets' }).click()
    await expect.element(page.getByRole('searchbox')).toHaveValue('gold')
  })

  test('show the instrument of the address, though one was tapped and left again before it was drawn', async () => {
    await openApp('/trade?code=EURUSD')
    await expect.element(page.getByRole('button', { name: /EUR\/USD/ })).toBeVisible()
    selectInstrument('XAUUSD')
    navigate(tradePath('XAUUSD'))
    navigate(tradePath('EURUSD'))
    await expect.element(page.getByRole('button', { name: /Instruments EUR\/USD/ })).toBeVisible()
    expect(location.hash).toBe('#/trade?code=EURUSD')
  })

  test('name the tab of the browser', async () => {
    await openApp('/login')
    await expect.poll(() => document.title).toBe('Log in · Fairlot')
    location.hash = '#/nowhere'
    await expect.poll(() => document.title).toBe('There is no such page · Fairlot')
  })

  test('can be reached by the keyboard past the head', async () => {
    await openApp('/')
    await expect.element(heading('Fairlot')).toBeVisible()
    await userEvent.tab()
    const skip = page.getByRole('button', { name: 'Skip to content' })
    await expect.element(skip).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByRole('main')).toHaveFocus()
  })

  test('of a wide screen stand in its head', async () => {
    await openApp('/', { as: 'demo', size: DESKTOP })
    await expect.element(tabs().getByRole('link', { name: 'Orders' })).toBeVisible()
    await tabs().getByRole('link', { name: 'Ranking' }).click()
    await expect.element(page.getByText('Ranking is being built')).toBeVisible()
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

  test('that is none of ours says so, and leads back', async () => {
    await openApp('/no-such-page')
    await expect.element(heading('There is no such page')).toBeVisible()
    await page.getByRole('link', { name: 'To the markets' }).click()
    await expect.poll(() => location.hash).toBe('#/')
  })

  test('a screen that is opened directly leads back home, one that was come to leads back there', async () => {
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
  test('a visitor goes to the login where a user is needed', async () => {
    await openApp('/order')
    await expect.element(heading('Log in')).toBeVisible()
    expect(asked(listOrders)).toEqual([])
  })

  test.each(['/mine/auth', '/mine/charge', '/mine/withdraw', '/mine/wallet', '/mine/invite'])(
    'a demo account is told that %s is for real ones, and how to come by one',
    async (path) => {
      await openApp(path, { as: 'demo' })
      await expect.element(page.getByText(/: for real accounts$/)).toBeVisible()
      await page.getByRole('link', { name: 'Open an account' }).click()
      await expect.poll(() => location.hash).toBe(`#/register?from=${encodeURIComponent(path)}`)
    },
  )

  test('nothing is said before it is known whether the account is a demo', async () => {
    const release = hold(getUser)
    await openApp('/mine/charge', { as: 'demo' })
    await expect.element(page.getByText(/for real accounts/)).not.toBeInTheDocument()
    release()
    await expect.element(page.getByText(/for real accounts/)).toBeVisible()
  })
})

describe('a session that is gone', () => {
  test('at the start makes a visitor of the user, without a word', async () => {
    await openApp('/')
    const { setToken } = await import('../live/auth/token.ts')
    refuse(getUser, 'sessionGone', 'You have been logged out.')
    setToken('an old one')
    await expect.poll(() => localStorage.getItem('fairlot.token')).toBeNull()
    await expect.element(page.getByRole('button', { name: 'Try the demo' })).toBeVisible()
    expect(location.hash).toBe('#/')
    await expect.element(page.getByText('You have been logged out.')).not.toBeInTheDocument()
  })

  test('in the middle leads to the login, and back to where one was', async () => {
    await openApp('/order', { as: 'demo' })
    await expect.element(page.getByText('No open position')).toBeVisible()
    refuse(listOrders, 'sessionGone', 'You have been logged out.')
    push({ type: 'closed', seq: 1, orderIds: [] })
    push({ type: 'closed', seq: 5, orderIds: [] })
    await expect.element(heading('Log in')).toBeVisible()
    expect(location.hash).toBe('#/login?from=%2Forder')
  })

  test('told by the socket makes a visitor of the user', async () => {
    await openApp('/', { as: 'demo' })
    await expect.element(page.getByText('Net value')).toBeVisible()
    push({ type: 'loginResult', code: 999 })
    await expect.element(page.getByRole('button', { name: 'Try the demo' })).toBeVisible()
  })
})

describe('the socket', () => {
  test('is logged in with the session, and asked for its private topics', async () => {
    await openApp('/', { as: 'demo' })
    await expect
      .poll(() => heardMessages().filter(({ type }) => type === 'login'))
      .toContainEqual({ type: 'login', token: 'token-of-a-session' })
    await expect
      .poll(() => heardMessages().flatMap((said) => (said.type === 'subscribe' ? said.topics : [])))
      .toEqual(
        expect.arrayContaining(['FOREX_TRADE', 'FOREX_ORDER', 'FOREX_CLOSED', 'FOREX_FUNDS', 'NOTICE']),
      )
  })

  test('is logged out with it', async () => {
    await openApp('/', { as: 'demo' })
    await expect.element(page.getByText('Net value')).toBeVisible()
    const { setToken } = await import('../live/auth/token.ts')
    setToken(null)
    await expect.poll(() => heardMessages().at(-1)).toEqual({ type: 'logout' })
  })
})

describe('the first connection', () => {
  test('that does not come about says so, without a moment that there never was', async () => {
    const { setConnectionState, useConnection } = await import('../live/connection/connection-state.ts')
    setConnectionState('idle', 0)
    useConnection.setState({ lostAt: null })
    await openApp('/')
    goDown()
    setConnectionState('waiting', Date.now())
    await expect.element(page.getByText(/^No connection\./)).toBeVisible()
  })
})

describe('notices', () => {
  test('the same sentence twice is one notice', async () => {
    const { showToast } = await import('@fairlot/ui/toast.ts')
    await openApp('/')
    showToast({ text: 'The same sentence.' })
    showToast({ text: 'The same sentence.' })
    await expect.element(notice('The same sentence.')).toBeVisible()
    await expect.poll(() => page.getByText('The same sentence.').elements().length).toBe(1)
  })

  test('the newest stands in front of the older ones', async () => {
    const { showToast } = await import('@fairlot/ui/toast.ts')
    await openApp('/')
    showToast({ text: 'The first.', stays: true })
    await expect.element(notice('The first.')).toBeVisible()
    showToast({ text: 'The second.', stays: true })
    await expect.element(notice('The second.')).toBeVisible()
    await expect.element(page.getByText('The first.')).not.toBeVisible()
  })

  test('stand above the tab bar, and above the ticket', async () => {
    const { showToast } = await import('@fairlot/ui/toast.ts')
    await openApp('/')
    await expect.element(tabs()).toBeVisible()
    showToast({ text: 'Do not cover me.', stays: true })
    await expect.element(notice('Do not cover me.')).toBeVisible()
    const bottom = () => notice('Do not cover me.').element().getBoundingClientRect().bottom
    await expect.poll(bottom).toBeLessThan(tabs().element().getBoundingClientRect().top)
    await tabs().getByRole('link', { name: 'Trade' }).click()
    const buy = page.getByRole('button', { name: /^Buy/ })
    await expect.element(buy).toBeVisible()
    await expect.poll(() => bottom() < buy.element().getBoundingClientRect().top).toBe(true)
  })

  test('go by themselves, unless they must not be missed', async () => {
    const { showToast } = await import('@fairlot/ui/toast.ts')
    await openApp('/')
    showToast({ text: 'Gone in a moment.' })
    await expect.element(notice('Gone in a moment.')).toBeVisible()
    await expect.element(notice('Gone in a moment.')).not.toBeInTheDocument()
    showToast({ text: 'Here to stay.', stays: true })
    await expect.element(notice('Here to stay.')).toBeVisible()
  })

  test('are reached by F6, and the cross in them not before', async () => {
    const { showToast } = await import('@fairlot/ui/toast.ts')
    await openApp('/')
    showToast({ text: 'Here to stay.', stays: true })
    const said = page.getByRole('dialog', { name: 'Here to stay.' })
    const cross = said.getByRole('button', { name: 'Close', includeHidden: true })
    await expect.element(cross).toHaveAttribute('aria-hidden', 'true')
    await expect.element(cross).toHaveAttribute('tabindex', '-1')
    await userEvent.keyboard('{F6}')
    await expect.element(cross).toHaveAttribute('tabindex', '0')
    await expect.element(cross).toHaveAttribute('aria-hidden', 'false')
  })
})
