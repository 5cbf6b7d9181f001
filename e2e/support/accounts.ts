import {
  createDemoAccount,
  listCountries,
  logIn as logInCall,
  register,
  sendEmailCode,
} from '@fairlot/contract'
import { expect, type Locator, type Page } from '@playwright/test'
import { apiOf } from './api.ts'
import { printedBy } from './programs.ts'
import type { ServerProcess } from '../../testing/server-process.ts'

export const PASSWORD = 'four grey herons'

let accounts = 0

/** An address that no other test uses. */
export const newAddress = (): string => `ann.${process.pid}.${(accounts += 1)}@example.com`

/** The last code sent to an address under a subject. Without a mail server it stays in the outbox. */
export async function codeSentTo(server: ServerProcess, address: string, subject: string): Promise<string> {
  const heading = `email to ${address}  ${subject}`
  let code: string | undefined
  const read = async () => {
    const [, ...messages] = (await printedBy('outbox', server)).split(heading)
    return (code = /\b\d{6}\b/.exec(messages.at(-1) ?? '')?.[0])
  }
  await expect.poll(read).toBeDefined()
  return code ?? ''
}

/** The last code in the texts that a mail server or gateway received, once there are `count` of them. */
export async function codeIn(texts: () => readonly string[], count: number): Promise<string> {
  await expect.poll(() => texts().length).toBe(count)
  const [code = ''] =
    texts()
      .at(-1)
      ?.match(/\b\d{6}\b/) ?? []
  expect(code).not.toBe('')
  return code
}

type RealAccount = { readonly address: string; readonly token: string }

/** Opens a real account without the browser; returns its address and a token. Its code is read from the outbox. */
export async function openRealAccount(
  server: ServerProcess,
  codeOf = (account: string) => codeSentTo(server, account, 'Your code to register'),
): Promise<RealAccount> {
  const api = apiOf(server.url, null)
  const address = newAddress()
  await api.request(sendEmailCode, { to: address, purpose: 'register' })
  const code = await codeOf(address)
  const countryId = (await api.request(listCountries, null))[1]?.id ?? null
  const password = { password: PASSWORD, repeatedPassword: PASSWORD }
  const consent = { hasConsented: true, consentVersion: null }
  const rest = { inviteCode: null, captchaId: null }
  const form = { contact: 'email', countryId, account: address, code } as const
  const { token } = await api.request(register, { ...form, ...password, ...consent, ...rest })
  return { address, token }
}

/** Opens a demo account without the browser; returns a session token. */
export async function openDemoAccount({ url }: ServerProcess): Promise<string> {
  const { demoId } = await apiOf(url, null).request(createDemoAccount, null)
  return (await apiOf(url, null).request(logInCall, { demoId })).token
}

/** Logs a page in by a token, for everything it loads from now on. */
export const enterAs = (page: Page, token: string): Promise<unknown> =>
  page.addInitScript((key) => {
    // The initial empty page has no storage.
    if (location.protocol === 'http:') localStorage.setItem('fairlot.token', key)
  }, token)

/** Opens a real account and one of its screens below `/mine`. */
export async function openAsRealUser(page: Page, server: ServerProcess, path: string): Promise<void> {
  await enterAs(page, (await openRealAccount(server)).token)
  await page.goto(`${server.url}/#/mine/${path}`)
}

export const passwordField = (inside: Page | Locator, name: string): Locator =>
  inside.getByRole('textbox', { name, exact: true })

/** Fills in and sends the log-in form. */
export async function logIn(page: Page, account: string, password = PASSWORD): Promise<void> {
  await page.getByRole('textbox', { name: 'E-mail address' }).fill(account)
  await passwordField(page, 'Password').fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Log in', exact: true }).click()
}

/** Enters a password in the form of the registration or the password reset. */
export async function choosePassword(page: Page, label: string, password = PASSWORD): Promise<void> {
  await passwordField(page, label).fill(password)
  await passwordField(page, 'Repeat the password').fill(password)
}

/** Consents to both documents. */
export async function agree(page: Page): Promise<void> {
  for (const consent of await page.getByRole('main').getByRole('checkbox').all()) await consent.check()
}

/** Logs out on the account screen, which is shown. */
export async function logOut(page: Page): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: 'Log out' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL(/#\/$/)
}

/** The description of a field. */
export const noteOf = async (field: Locator): Promise<Locator> =>
  field.page().locator(`[id="${await field.getAttribute('aria-describedby')}"]`)
