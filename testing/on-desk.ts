import { valueOf, type Outcome } from '@fairlot/contract'
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
import { shownByApp } from './authenticator.ts'
import { clientOf } from './client.ts'
import type { ServerProcess } from './server-process.ts'

/** The password of everybody at the desk; give it as DESK_PASSWORD to the server. */
export const DESK_PASSWORD = 'nine brass weights'

type At = Pick<ServerProcess, 'url'>

/** Somebody at the desk whose second factor is set up. */
export type OnDesk = {
  readonly name: string
  readonly role: OperatorRole
  readonly token: string
  /** Of the second factor, for `shownByApp`. */
  readonly secret: string
  /** Calls past the browser; a refusal is an exception. */
  readonly ask: <Input, Output>(endpoint: DeskEndpoint<Input, Output>, input: Input) => Promise<Output>
  /** The same; what went wrong is a value. */
  readonly try: <Input, Output>(
    endpoint: DeskEndpoint<Input, Output>,
    input: Input,
  ) => Promise<Outcome<Output>>
}

/** A call that is not answered in this time counts as lost. */
const PATIENCE = { withinMs: 30_000 }

const callsOf = (url: string, token: string | null): Pick<OnDesk, 'ask' | 'try'> => {
  const client = clientOf(url, token, PATIENCE)
  return { ask: async (endpoint, input) => valueOf(await client.call(endpoint, input)), try: client.call }
}

async function enrolled(
  url: string,
  { token, self }: { token: string; self: { name: string; role: OperatorRole } },
): Promise<OnDesk> {
  const calls = callsOf(url, token)
  const { secret } = await calls.ask(prepareDeskFactor, null)
  await calls.ask(confirmDeskFactor, { code: shownByApp(secret, 0) })
  return { name: self.name, role: self.role, token, secret, ...calls }
}

/** The first administrator of a fresh server, set up past the browser. Once for each server. */
export const enrolAdministrator = async ({ url }: At): Promise<OnDesk> =>
  enrolled(
    url,
    await callsOf(url, null).ask(logInToDesk, { name: 'admin', password: DESK_PASSWORD, code: null }),
  )

/** A colleague, invited by an administrator and joined; `second` agrees where one person is not enough. */
export async function addOperator(
  { url }: At,
  administrator: OnDesk,
  { name, role, second }: { name: string; role: OperatorRole; second?: OnDesk },
): Promise<OnDesk> {
  const invited = await administrator.ask(inviteOperator, { name, role, reason: 'a trial' })
  const { approvalId } = invited
  if (approvalId !== null)
    await second?.ask(decideApproval, { id: approvalId, isApproved: true, reason: 'a trial' })
  return joinByInvitation({ url }, invited.invitation ?? (await renewed(administrator, name)))
}

/** Whoever an invitation is for, once they have chosen a password and set up a second factor. */
export const joinByInvitation = async ({ url }: At, invitation: string): Promise<OnDesk> =>
  enrolled(url, await callsOf(url, null).ask(joinDesk, { invitation, password: DESK_PASSWORD }))

async function renewed({ ask }: OnDesk, name: string): Promise<string> {
  const { operators } = await ask(listOperators, null)
  const id = operators.find((operator) => operator.name === name)?.id ?? 0
  return (await ask(renewInvitation, { id, reason: 'a trial' })).invitation
}
