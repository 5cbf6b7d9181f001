import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { listAreas, register, sendEmailCode } from '@fairlot/contract'
import { expect, type Locator, type Page } from '@playwright/test'
import { apiOf } from './api.ts'
import type { RunningServer } from './server.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const run = promisify(execFile)

export const PASSWORD = 'four grey herons'

let accounts = 0

/** An address that no other journey uses. */
export const newAddress = (): string => `ann.${process.pid}.${(accounts += 1)}@example.com`

/** What `npm run outbox` prints of a server: with no mail server to go to, messages stay there. */
async function outboxOf({ dataDir }: RunningServer): Promise<string> {
  const node = join(ROOT, 'node_modules/.bin/node')
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir }
  return (await run(node, ['apps/server/src/outbox.ts'], { cwd: ROOT, env })).stdout
}

/** The last code that was sent to an address under a subject. */
export async function codeSentTo(server: RunningServer, address: string, subject: string): Promise<string> {
  const heading = `email to ${address}  ${subject}`
  const read = async () => (await outboxOf(server)).split(heading).at(-1) ?? ''
  await expect.poll(read).toMatch(/\b\d{6}\b/)
  return /\b\d{6}\b/.exec(await read())?.[0] ?? ''
}

/** Opens a real account past the browser; answers its address. */
export async function openRealAccount(server: RunningServer): Promise<string> {
  const api = apiOf(server.url, null)
  const account = newAddress()
  await api.ask(sendEmailCode, { to: account, purpose: 'register' })
  const code = await codeSentTo(server, account, 'Your code to register')
  const areaId = (await api.ask(listAreas, null))[1]?.id ?? null
  const password = { password: PASSWORD, repeatedPassword: PASSWORD }
  const consent = { hasConsented: true, consentVersion: null }
  const rest = { inviteCode: null, captchaId: null }
  await api.ask(register, { contact: 'email', areaId, account, code, ...password, ...consent, ...rest })
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

/** The sentence that stands with a field. */
export const noteOf = async (field: Locator): Promise<Locator> =>
  field.page().locator(`[id="${await field.getAttribute('aria-describedby')}"]`)
