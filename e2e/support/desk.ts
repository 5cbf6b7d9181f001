import { valueOf } from '@fairlot/contract'
import {
  confirmDeskFactor,
  decideApproval,
  inviteOperator,
  joinDesk,
  listOperators,
  logInToDesk,
  prepareDeskFactor,
  renewInvitation,
  type DeskEndpoint,
  type OperatorRole,
} from '@fairlot/contract/desk'
import { expect, type Page } from '@playwright/test'
import { clientOf } from '../../testing/client.ts'
import type { ServerProcess } from '../../testing/server-process.ts'
import { shownByApp } from './authenticator.ts'

/** The password of everybody at the desk; give it as DESK_PASSWORD to the server of a journey. */
export const DESK_PASSWORD = 'nine brass weights'

/** Somebody at the desk whose second factor is set up. */
export type OnDesk = {
  readonly name: string
  readonly role: OperatorRole
  readonly token: string
  /** Of the second factor, for `shownByApp`. */
  readonly secret: string
  /** Calls past the browser; a refusal is an exception. */
  readonly ask: <Input, Output>(endpoint: DeskEndpoint<Input, Output>, input: Input) => Promise<Output>
}

const asker = (url: string, token: string | null): OnDesk['ask'] => {
  const client = clientOf(url, token)
  return async (endpoint, input) => valueOf(await client.call(endpoint, input))
}

async function enrolled(
  url: string,
  { token, self }: { token: string; self: { name: string; role: OperatorRole } },
): Promise<OnDesk> {
  const ask = asker(url, token)
  const { secret } = await ask(prepareDeskFactor, null)
  await ask(confirmDeskFactor, { code: shownByApp(secret, 0) })
  return { name: self.name, role: self.role, token, secret, ask }
}

/** The first administrator of a fresh server, set up past the browser. Once for each server. */
export const enrolAdministrator = async ({ url }: ServerProcess): Promise<OnDesk> =>
  enrolled(url, await asker(url, null)(logInToDesk, { name: 'admin', password: DESK_PASSWORD, code: null }))

/** A colleague, invited by an administrator and joined; `second` agrees where one person is not enough. */
export async function addOperator(
  { url }: ServerProcess,
  administrator: OnDesk,
  { name, role, second }: { name: string; role: OperatorRole; second?: OnDesk },
): Promise<OnDesk> {
  const invited = await administrator.ask(inviteOperator, { name, role, reason: 'a journey' })
  const { approvalId } = invited
  if (approvalId !== null)
    await second?.ask(decideApproval, { id: approvalId, isApproved: true, reason: 'a journey' })
  const invitation = invited.invitation ?? (await renewed(administrator, name))
  return enrolled(url, await asker(url, null)(joinDesk, { invitation, password: DESK_PASSWORD }))
}

async function renewed({ ask }: OnDesk, name: string): Promise<string> {
  const { operators } = await ask(listOperators, null)
  const id = operators.find((operator) => operator.name === name)?.id ?? 0
  return (await ask(renewInvitation, { id, reason: 'a journey' })).invitation
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
