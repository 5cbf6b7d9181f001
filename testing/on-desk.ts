import { valueOf, type Outcome } from '@fairlot/contract'
import {
  confirmDeskFactor,
  decideApproval,
  inviteOperator,
  joinDesk,
  logInToDesk,
  prepareDeskFactor,
  renewDeskFactor,
  type DeskEndpoint,
  type OperatorRole,
} from '@fairlot/contract/desk'
import { shownByApp } from './authenticator.ts'
import { clientOf } from './client.ts'
import type { ServerProcess } from './server-process.ts'

/** The password of all operators; pass it to the server as DESK_PASSWORD. */
export const DESK_PASSWORD = 'nine brass weights'

type At = Pick<ServerProcess, 'url'>

/** An operator with a second factor. */
export type OnDesk = {
  readonly name: string
  readonly role: OperatorRole
  readonly token: string
  /** Secret of the second factor, for `shownByApp`. */
  readonly secret: string
  /** Calls the server directly; a rejection is thrown. */
  readonly request: <Input, Output>(endpoint: DeskEndpoint<Input, Output>, input: Input) => Promise<Output>
  /** The same; a rejection is returned. */
  readonly try: <Input, Output>(
    endpoint: DeskEndpoint<Input, Output>,
    input: Input,
  ) => Promise<Outcome<Output>>
}

/** Time-out of calls. */
const CALL_OPTIONS = { withinMs: 30_000 }

/**
 * When the server requires the second factor again, it is renewed with a code of `secret`, and the call is repeated.
 */
const callsOf = (
  url: string,
  token: string | null,
  secret: string | null = null,
): Pick<OnDesk, 'request' | 'try'> => {
  const client = clientOf(url, token, CALL_OPTIONS)
  const call: OnDesk['try'] = async (endpoint, input) => {
    const outcome = await client.call(endpoint, input)
    if (secret === null || outcome.ok || outcome.reason !== 'secondFactorStale') return outcome
    // When two calls need it at once, one code is enough for both.
    await client.call(renewDeskFactor, { code: shownByApp(secret, 0) })
    return client.call(endpoint, input)
  }
  return { request: async (endpoint, input) => valueOf(await call(endpoint, input)), try: call }
}

async function enrolled(
  url: string,
  { token, self }: { token: string; self: { name: string; role: OperatorRole } },
): Promise<OnDesk> {
  const calls = callsOf(url, token)
  const { secret } = await calls.request(prepareDeskFactor, null)
  await calls.request(confirmDeskFactor, { code: shownByApp(secret, 0) })
  return { name: self.name, role: self.role, token, secret, ...callsOf(url, token, secret) }
}

/** Logs in the first administrator of a new server and sets up the second factor. Once per server. */
export const enrolAdministrator = async ({ url }: At): Promise<OnDesk> =>
  enrolled(
    url,
    await callsOf(url, null).request(logInToDesk, { name: 'admin', password: DESK_PASSWORD, code: null }),
  )

/**
 * An operator who is invited by an administrator and has joined; `second` approves where two operators are needed.
 */
export async function addOperator(
  { url }: At,
  administrator: OnDesk,
  { name, role, second }: { name: string; role: OperatorRole; second?: OnDesk },
): Promise<OnDesk> {
  const invited = await administrator.request(inviteOperator, { name, role, reason: 'a trial' })
  const { approvalId } = invited
  const approved =
    approvalId === null
      ? invited
      : await second?.request(decideApproval, { id: approvalId, isApproved: true, reason: 'a trial' })
  return joinByInvitation({ url }, { invitation: invited.invitation, confirmation: approved?.confirmation })
}

type Keys = {
  readonly invitation: string | null
  readonly confirmation: string | null | undefined
}

/** Joins with two keys, sets a password and a second factor. */
export async function joinByInvitation({ url }: At, { invitation, confirmation }: Keys): Promise<OnDesk> {
  const keys = { invitation: invitation ?? '', confirmation: confirmation ?? '' }
  return enrolled(url, await callsOf(url, null).request(joinDesk, { ...keys, password: DESK_PASSWORD }))
}
