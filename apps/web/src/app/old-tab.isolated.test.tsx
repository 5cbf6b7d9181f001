import { getUser } from '@fairlot/contract'
import { forgetMissingPart } from '@fairlot/ui/feedback/missing-part.ts'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { useAppVersion } from '../live/device/app-version.ts'
import { setToken } from '../live/device/token.ts'
import { DESKTOP, openApp, withFakeServer } from '../testing/app.tsx'
import { answer } from '../testing/fake-server.ts'
import { demoUser } from '../testing/samples.ts'

/** What a browser says of a file that an upgrade removed from the server. The test requests a part through its component. */
const { gone } = vi.hoisted(() => {
  const gone = () => {
    throw new TypeError('Failed to fetch dynamically imported module: https://broker.example/assets/a.js')
  }
  return { gone }
})

// Parts that a visitor's tab has not loaded yet.
vi.mock('../features/trading/account/end-notices.tsx', () => ({ EndNotices: gone }))
vi.mock('../features/trading/account/account-card.tsx', () => ({ AccountCard: gone }))
vi.mock('../features/trading/account/tour-bar.tsx', () => ({ TourBar: gone }))
vi.mock('../features/company/company-check.tsx', () => ({ CompanyCheck: gone }))
vi.mock('../features/copying/copied-positions.tsx', () => ({ CopiedPositions: gone }))
vi.mock('../features/copying/copies-equity.tsx', () => ({ CopiesEquity: gone }))
vi.mock('./notices-link.tsx', () => ({ NoticesLink: gone }))
vi.mock('./desktop/desktop-header.tsx', () => ({ DesktopHeader: gone }))
vi.mock('./desktop/workspace.tsx', () => ({ Workspace: gone }))
vi.mock('../features/trading/basics/basics.tsx', () => ({ Basics: gone, AccountBasics: gone }))
vi.mock('../features/funds/balance-plot.tsx', () => ({ BalancePlot: gone }))
vi.mock('../features/trading/orders/order-record.tsx', () => ({ OrderRecord: gone }))
vi.mock('../features/market/chart/chart-handles.tsx', () => ({ ChartHandles: gone }))

/** Part of the frame, which no screen's boundary surrounds. */
const frame = vi.hoisted(() => ({ isBroken: false }))
vi.mock('./navigation.tsx', async (original) => ({
  ...(await original<object>()),
  Navigation: () => {
    if (frame.isBroken) throw new Error('broken')
    return null
  },
}))

withFakeServer()

beforeEach(forgetMissingPart)

const sentence = () => page.getByText(/^A part of the app could not be loaded\./)
const reload = () => page.getByRole('button', { name: 'Reload' })

describe('an old tab after an upgrade', () => {
  test('of a visitor who logs in keeps its screen, and says in one sentence with a button what is missing', async () => {
    await openApp('/')
    await expect.element(page.getByText('EUR/USD').first()).toBeVisible()
    answer(getUser, demoUser())
    setToken('token-of-a-session')
    await expect.element(sentence()).toBeVisible()
    await expect.poll(() => reload().elements().length).toBe(1)
    await expect.element(page.getByText('EUR/USD').first()).toBeVisible()
    // The bell leads to the notices, without its count.
    await expect.element(page.getByRole('link', { name: 'Notices' })).toBeVisible()
  })

  test.each(['/', '/order', '/user', '/trade'])('shows the rest of %s to a user', async (path) => {
    await openApp(path, { as: 'demo' })
    await expect.element(sentence()).toBeVisible()
    await expect.element(page.getByRole('navigation', { name: 'Main screens' })).toBeVisible()
    await expect.element(page.getByText('This screen could not be loaded')).not.toBeInTheDocument()
  })

  test('reloads the page by its button', async () => {
    const pressed = vi.fn()
    useAppVersion.setState({ reload: pressed })
    await openApp('/', { as: 'demo' })
    await reload().click()
    expect(pressed).toHaveBeenCalledOnce()
  })

  test('is never blank: a failure of the frame is one sentence and a button too', async () => {
    frame.isBroken = true
    await openApp('/')
    await expect.element(page.getByText('This screen stopped working')).toBeVisible()
    frame.isBroken = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(page.getByText('EUR/USD').first()).toBeVisible()
  })

  test('says within a sheet that what it shows is missing', async () => {
    await openApp('/trade', { as: 'demo' })
    await page.getByLabelText('Lots', { exact: true }).fill('0.37')
    await page.getByRole('button', { name: 'What do these terms mean?' }).click()
    const sheet = page.getByRole('dialog', { name: 'The terms, with your figures' })
    await expect.element(sheet).toMatchTextContent(/A part of the app could not be loaded/)
    await expect.element(sheet.getByRole('button', { name: 'Reload' })).toBeVisible()
    await expect.element(page.getByLabelText('Lots', { exact: true })).toHaveValue('0.37')
  })

  test('shows the funds without their plot', async () => {
    await openApp('/mine/history', { as: 'real' })
    await expect.element(sentence()).toBeVisible()
    await expect.element(page.getByText(/^Available/).first()).toBeVisible()
  })

  test('of the desktop says the same of its header and its workspace', async () => {
    await openApp('/', { as: 'demo', size: DESKTOP })
    await expect.element(page.getByText('This screen could not be loaded')).toBeVisible()
    await expect.element(reload().first()).toBeVisible()
  })
})
