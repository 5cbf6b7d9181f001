import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { listCountries, register, sendEmailCode } from '@fairlot/contract'
import { expect, type Locator, type Page } from '@playwright/test'
import { apiOf } from './api.ts'
import type { ServerProcess } from '../../testing/server-process.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const run = promisify(execFile)

export const PASSWORD = 'four grey herons'

let accounts = 0

/** An address that no other journey uses. */
export const newAddress = (): string => `ann.${process.pid}.${(accounts += 1)}@example.com`

/** What `npm run outbox` prints of a server: with no mail server to go to, messages stay there. */
async function outboxOf({ dataDir }: ServerProcess): Promise<string> {
  const node = join(ROOT, 'node_modules/.bin/node')
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir }
  return (await run(node, ['apps/server/src/outbox.ts'], { cwd: ROOT, env })).stdout
}

/** The last code that was sent to an address under a subject. */
export async function codeSentTo(server: ServerProcess, address: string, subject: string): Promise<string> {
  const heading = `email to ${address}  ${subject}`
  const read = async () => (await outboxOf(server)).split(heading).at(-1) ?? ''
  await expect.poll(read).toMatch(/\b\d{6}\b/)
  return /\b\d{6}\b/.exec(await read())?.[0] ?? ''
}

/** The last code in texts that a real mail server or gateway has taken, once there are so many of them. */
export async function codeIn(texts: () => readonly string[], count: number): Promise<string> {
  await expect.poll(() => texts().length).toBe(count)
  const [code = ''] =
    texts()
      .at(-1)
      ?.match(/\b\d{6}\b/) ?? []
  expect(code).not.toBe('')
  return code
}

/** Opens a real account past the browser; answers its address. Its code is in the outbox, where no mail server takes it away. */
export async function openRealAccount(
  server: ServerProcess,
  codeOf = (account: string) => codeSentTo(server, account, 'Your code to register'),
): Promise<string> {
  const api = apiOf(server.url, null)
  const account = newAddress()
  await api.ask(sendEmailCode, { to: account, purpose: 'register' })
  const code = await codeOf(account)
  const countryId = (await api.ask(listCountries, null))[1]?.id ?? null
  const password = { password: PASSWORD, repeatedPassword: PASSWORD }
  const consent = { hasConsented: true, consentVersion: null }
  const rest = { inviteCode: null, captchaId: null }
  await api.ask(register, { contact: 'email', countryId, account, code, ...password, ...consent, ...rest })
  return account
}

export const passwordField = (inside: Page | Locator, name: string): Locator =>
  inside.getByRole('textbox', { name, exact: true })

/** Fills in the form of the login and sends it. */
export async function logIn(page: Page, account: string, password = PASSWORD): Promise<void> {
  await page.getByRole('textbox', { name: 'E-mail address' }).fill(account)
  await passwordField(page, 'Password').fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Log in' }).click()
}

/** Chooses a password in the form of the registration or of a forgotten one. */
export async function choosePassword(page: Page, label: string, password = PASSWORD): Promise<void> {
  await passwordField(page, label).fill(password)
  await passwordField(page, 'The same password again').fill(password)
}

/** Agrees to both documents. */
export async function agree(page: Page): Promise<void> {
  for (const consent of await page.getByRole('main').getByRole('checkbox').all()) await consent.check()
}

/** Logs out in the user centre, which is shown. */
export async function logOut(page: Page): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: 'Log out' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL(/#\/$/)
}

/** The sentence that stands with a field. */
export const noteOf = async (field: Locator): Promise<Locator> =>
  field.page().locator(`[id="${await field.getAttribute('aria-describedby')}"]`)
