import { getStrategy, tryCopy } from '@fairlot/contract'
import { forgetMissingPart } from '@fairlot/ui/feedback/missing-part.ts'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import * as copying from '../testing/copying-samples.ts'
import { openApp, withFakeServer } from '../testing/app.tsx'
import { answer } from '../testing/fake-server.ts'

/** What a browser says of a file that an upgrade removed from the server, when the file is requested. */
const { gone } = vi.hoisted(() => {
  const gone = (): never => {
    throw new TypeError('Failed to fetch dynamically imported module: https://broker.example/assets/a.js')
  }
  return { gone }
})

vi.mock('@fairlot/ui/overlays/sheet-drawer.tsx', () => ({
  get SheetDrawer() {
    return gone()
  },
}))
vi.mock('@fairlot/ui/overlays/confirm-dialog.tsx', () => ({
  get ConfirmDialog() {
    return gone()
  },
}))

withFakeServer()

beforeEach(forgetMissingPart)

const sentence = () => page.getByText(/^A part of the app could not be loaded\./)
const reload = () => page.getByRole('button', { name: 'Reload' })

describe('an old tab after an upgrade, without the files of its overlays', () => {
  test('keeps the order on the ticket when its terms cannot be opened, and says so each time', async () => {
    await openApp('/trade', { as: 'demo' })
    await page.getByLabelText('Lots', { exact: true }).fill('0.37')
    const terms = page.getByRole('button', { name: 'What do these terms mean?' })
    await terms.click()
    await expect.element(sentence()).toBeVisible()
    await expect.element(reload()).toBeVisible()
    forgetMissingPart()
    await terms.click()
    await expect.element(sentence()).toBeVisible()
    await expect.element(page.getByLabelText('Lots', { exact: true })).toHaveValue('0.37')
  })

  test('keeps the terms of a copy that it cannot ask to confirm', async () => {
    answer(getStrategy, copying.strategy())
    answer(tryCopy, copying.dryRun())
    await openApp('/rank/start?id=31', { as: 'demo' })
    await page.getByLabelText('Amount').fill('300')
    await page.getByRole('button', { name: 'Start copying', exact: true }).click()
    await expect.element(sentence()).toBeVisible()
    await expect.element(reload()).toBeVisible()
    await expect.element(page.getByLabelText('Amount')).toHaveValue('300')
  })
})
