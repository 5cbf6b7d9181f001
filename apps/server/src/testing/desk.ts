import type { DeskEndpoint, OperatorRole } from '@fairlot/contract/desk'
import { valueOf, type CallOptions, type Outcome } from '@fairlot/contract'
import { clientOf } from '../../../../testing/client.ts'
import { secretHash } from '../http/login-sessions.ts'
import { createHasher } from '../auth/password-hash.ts'
import { newTotpSecret } from '../auth/totp.ts'
import { operatorSecret } from '../database/seal-secrets.ts'
import { addOperator } from '../desk/operators/operator-repository.ts'
import type { RunningServer } from './running-server.ts'

/** Somebody at the desk, and their calls. */
export type AtDesk = {
  readonly id: number
  readonly name: string
  readonly role: OperatorRole
  readonly token: string
  /** The answer; a refusal is an exception. */
  ask<Input, Output>(endpoint: DeskEndpoint<Input, Output>, input: Input): Promise<Output>
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

/** An operator of a role who has set everything up and is logged in; written into the tables, for the log-in has tests of its own. */
export async function atDesk(
  { url, deployment }: Pick<RunningServer, 'url' | 'deployment'>,
  role: OperatorRole,
  name = `${role} ${(count += 1)}`,
): Promise<AtDesk> {
  const { queries } = deployment.database
  const at = BigInt(deployment.wallClock())
  const passwordHash = await (hash ??= createHasher().hash(DESK_PASSWORD))
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
  const token = `token of ${name} at ${url}`
  await queries
    .insertInto('operator_session')
    .values({
      ...{ token_hash: secretHash(token), operator_id: BigInt(id), created_at: at, seen_at: at },
      ...{ device: 'test', address: '127.0.0.1' },
    })
    .execute()
  return { id, name, role, token, ...callsAs(url, token) }
}

/** Calls of the desk by a token, or by nobody. */
export function callsAs(url: string, token: string | null): Pick<AtDesk, 'ask' | 'try' | 'refusalOf'> {
  const client = clientOf(url, token)
  return {
    ask: async (endpoint, input) => valueOf(await client.call(endpoint, input)),
    try: client.call,
    refusalOf: async (endpoint, input) => {
      const outcome = await client.call(endpoint, input)
      return outcome.ok ? null : outcome.reason
    },
  }
}
