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

/** A page of the desk in a browser profile of its own, on a wide screen. Closing it fails where the browser has complained. */
export async function deskPage(
  browser: Browser,
): Promise<{ readonly page: Page; readonly close: () => Promise<void> }> {
  const context = await browser.newContext({ viewport: DESKTOP })
  const complaints = listenForComplaints(context)
  return {
    page: await context.newPage(),
    close: async () => {
      await context.close()
      expect(complaints.heard(), 'the browser complained').toEqual([])
    },
  }
}

/** Logs in at the desk as people do: name, password, and the code of the app, `steps` of 30 s from now. */
export async function logInAtDesk(page: Page, { url }: ServerProcess, { name, secret }: OnDesk, steps = 1) {
  await page.goto(`${url}/desk/`)
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByLabel('Password', { exact: true }).fill(DESK_PASSWORD)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('textbox', { name: /code/i }).fill(shownByApp(secret, steps))
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page.getByRole('navigation', { name: 'Parts of the desk' })).toBeVisible()
}

/** Opens the desk in a page as somebody who has logged in before, at a path such as `/waiting`. */
export async function openDesk(page: Page, { url }: ServerProcess, { token }: OnDesk, path = '/') {
  await page.addInitScript((value) => sessionStorage.setItem('fairlot.desk.token', value), token)
  await page.goto(`${url}/desk/#${path}`)
}
