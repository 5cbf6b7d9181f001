import type { DeskEndpoint, OperatorRole } from '@fairlot/contract/desk'
import { valueOf, type CallOptions, type Outcome } from '@fairlot/contract'
import { clientOf } from '../../../../testing/client.ts'
import { secretHash } from '../platform/security/secrets.ts'
import { newTotpSecret } from '../platform/security/second-factor.ts'
import { operatorSecret } from '../platform/database/data-key.ts'
import { addOperator } from '../desk/operators/operators.ts'
import { journalOperator } from './engine-setup.ts'
import type { RunningServer } from './running-server.ts'

/** An operator, and their calls. */
export type AtDesk = {
  readonly id: number
  readonly name: string
  readonly role: OperatorRole
  readonly token: string
  /** The answer; a refusal is an exception. */
  request<Input, Output>(endpoint: DeskEndpoint<Input, Output>, input: Input): Promise<Output>
  try<Input, Output>(
    endpoint: DeskEndpoint<Input, Output>,
    input: Input,
    options?: CallOptions<AbortSignal>,
  ): Promise<Outcome<Output>>
  /** The code of the refusal; null for a success. */
  refusalOf<Input, Output>(endpoint: DeskEndpoint<Input, Output>, input: Input): Promise<string | null>
}

export const DESK_PASSWORD = 'stacked brass weights 5'

let count = 0
let hash: Promise<string> | null = null

/** An operator of a role with a second factor and a session, written to the tables: the log-in has tests of its own. */
export async function atDesk(
  { url, deployment }: Pick<RunningServer, 'url' | 'deployment'>,
  role: OperatorRole,
  name = `${role} ${(count += 1)}`,
): Promise<AtDesk> {
  const { queries } = deployment.database
  const at = BigInt(deployment.wallClock())
  const passwordHash = await (hash ??= deployment.hasher.hash(DESK_PASSWORD))
  const id = await queries.transaction().execute(async (within) => {
    const added = await addOperator(within, { name, role, password_hash: passwordHash }, Number(at))
    await within
      .updateTable('operator')
      .set({
        totp_secret: deployment.vault.seal(newTotpSecret(), operatorSecret(added)),
        totp_confirmed_at: at,
      })
      .where('id', '=', BigInt(added))
      .execute()
    return added
  })
  await journalOperator(deployment, { operatorId: id, role, hasJoined: true })
  const token = `token of ${name} at ${url}`
  await queries
    .insertInto('operator_session')
    .values({
      token_hash: secretHash(token),
      operator_id: BigInt(id),
      created_at: at,
      seen_at: at,
      device: 'test',
      address: '127.0.0.1',
      factor_at: at,
    })
    .execute()
  /** As if a code had just been given, however far the test has moved the clock: the check itself has tests of its own. */
  const confirmFactor = async ({ needsFreshFactor }: DeskEndpoint) => {
    if (!needsFreshFactor) return
    await queries
      .updateTable('operator_session')
      .set({ factor_at: BigInt(deployment.wallClock()) })
      .where('token_hash', '=', secretHash(token))
      .execute()
  }
  return { id, name, role, token, ...callsAs(url, token, confirmFactor) }
}

let invitedCount = 0

/** An operator who was invited and has not joined, written to the tables with unknown keys. */
export async function invitedColleague(
  { deployment }: Pick<RunningServer, 'deployment'>,
  role: OperatorRole = 'support',
): Promise<{ readonly id: number; readonly name: string }> {
  const name = `Invited ${(invitedCount += 1)}`
  const id = await deployment.database.queries
    .transaction()
    .execute((within) => addOperator(within, { name, role }, deployment.wallClock()))
  await journalOperator(deployment, { operatorId: id, role, hasJoined: false })
  return { id, name }
}

/** Calls to the desk with a token, or without one; `before` runs before each call. */
export function callsAs(
  url: string,
  token: string | null,
  before: (endpoint: DeskEndpoint) => Promise<void> = async () => undefined,
): Pick<AtDesk, 'request' | 'try' | 'refusalOf'> {
  const client = clientOf(url, token)
  const call: AtDesk['try'] = async (endpoint, input, options) => {
    await before(endpoint)
    return client.call(endpoint, input, options)
  }
  return {
    request: async (endpoint, input) => valueOf(await call(endpoint, input)),
    try: call,
    refusalOf: async (endpoint, input) => {
      const outcome = await call(endpoint, input)
      return outcome.ok ? null : outcome.reason
    },
  }
}
