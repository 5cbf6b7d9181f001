import { forgetMissingPart } from '@fairlot/ui/feedback/missing-part.ts'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { openDesk, PHONE, withFakeServer } from '../testing/app.tsx'

/** What a browser says of a file that an upgrade removed from the server. */
const { gone } = vi.hoisted(() => {
  const gone = (): never => {
    throw new TypeError('Failed to fetch dynamically imported module: https://desk.example/assets/a.js')
  }
  return { gone }
})

vi.mock('../features/risk/risk-screen.tsx', () => ({ RiskScreen: gone }))

vi.mock('@fairlot/ui/overlays/sheet-drawer.tsx', () => ({
  get SheetDrawer() {
    return gone()
  },
}))

/** Part of the frame, which no section's boundary surrounds. */
const frame = vi.hoisted(() => ({ isBroken: false }))
vi.mock('./sections.tsx', async (original) => {
  const real = await original<typeof import('./sections.tsx')>()
  const sectionsFor: typeof real.sectionsFor = (role) => {
    if (frame.isBroken) throw new Error('broken')
    return real.sectionsFor(role)
  }
  return { ...real, sectionsFor }
})

withFakeServer()

beforeEach(forgetMissingPart)

const sentence = () => page.getByText(/^A part of the desk could not be loaded\./)
const reload = () => page.getByRole('button', { name: 'Reload' })

describe('an old tab of the desk after an upgrade', () => {
  test('keeps its screen where the menu cannot be opened, and offers the reload', async () => {
    await openDesk('/settings', { size: PHONE })
    await expect.element(page.getByText('M. Compliance')).toBeVisible()
    await page.getByRole('button', { name: 'Menu' }).click()
    await expect.element(sentence()).toBeVisible()
    await expect.element(reload()).toBeVisible()
    await expect.element(page.getByText('M. Compliance')).toBeVisible()
  })

  test('offers the reload in place of a section that is gone; the others stay', async () => {
    await openDesk('/risk')
    await expect.element(page.getByText('This screen could not be loaded')).toBeVisible()
    await expect.element(reload()).toBeVisible()
    await page.getByRole('link', { name: 'Settings' }).click()
    await expect.element(page.getByText('M. Compliance')).toBeVisible()
  })

  test('hears of a part that fails to load in advance', async () => {
    await openDesk('/settings')
    await expect.element(page.getByText('M. Compliance')).toBeVisible()
    dispatchEvent(new Event('vite:preloadError'))
    await expect.element(sentence()).toBeVisible()
  })

  test('is never blank: a failure of the frame is a sentence and a button too', async () => {
    frame.isBroken = true
    await openDesk('/settings')
    await expect.element(page.getByText('This screen has stopped working')).toBeVisible()
    frame.isBroken = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(page.getByText('M. Compliance')).toBeVisible()
  })
})
