import { expect, type Browser, type Page } from '@playwright/test'
import { shownByApp } from '../../testing/authenticator.ts'
import { DESK_PASSWORD, type OnDesk } from '../../testing/on-desk.ts'
import type { ServerProcess } from '../../testing/server-process.ts'
import { listenForComplaints } from './complaints.ts'

export {
  addOperator,
  DESK_PASSWORD,
  enrolAdministrator,
  joinByInvitation,
  type OnDesk,
} from '../../testing/on-desk.ts'

const DESKTOP = { width: 1440, height: 900 }

/** A desk page in its own browser context. Closing it fails if the browser has complained. */
export async function deskPage(
  browser: Browser,
): Promise<{ readonly page: Page; readonly close: () => Promise<void> }> {
  const context = await browser.newContext({ viewport: DESKTOP })
  const complaints = listenForComplaints(context)
  return {
    page: await context.newPage(),
    close: async () => {
      await context.close()
      expect(complaints.received(), 'the browser complained').toEqual([])
    },
  }
}

/** Logs in at the desk with name, password and the code of the app, `steps` of 30 s from now. */
export async function logInAtDesk(page: Page, { url }: ServerProcess, { name, secret }: OnDesk, steps = 1) {
  await page.goto(`${url}/desk/`)
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByLabel('Password', { exact: true }).fill(DESK_PASSWORD)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.getByRole('textbox', { name: /code/i }).fill(shownByApp(secret, steps))
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await expect(page.getByRole('navigation', { name: 'Sections' })).toBeVisible()
}

/** Opens the desk at a path such as `/waiting`, already logged in. */
export async function openDesk(page: Page, { url }: ServerProcess, { token }: OnDesk, path = '/') {
  await page.addInitScript((value) => sessionStorage.setItem('fairlot.desk.token', value), token)
  await page.goto(`${url}/desk/#${path}`)
}
