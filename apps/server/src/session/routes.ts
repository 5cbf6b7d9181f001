import { randomBytes } from 'node:crypto'
import { createDemoAccount, logIn, logOut, type User } from '@fairlot/contract'
import { isRejection } from '@fairlot/core'
import type { Queries } from '../database/open.ts'
import { isUnavailable, type Engine } from '../engine/engine.ts'
import type { Api } from '../plugins/api.ts'
import { createLimit, networkOf } from '../plugins/limits.ts'
import { refuse } from '../plugins/refusal.ts'
import { newSecret, secretHash, type Sessions } from '../plugins/sessions.ts'
import { createFailures } from './failures.ts'

const HOUR_S = 3_600
/** Two of a million users share one of these with a chance of one in ten million. */
const INVITE_CODE_BYTES = 8

export type SessionOptions = {
  readonly queries: Queries
  readonly engine: Engine
  readonly sessions: Sessions
  readonly findUser: (id: number) => Promise<User | null>
  readonly now: () => number
  readonly creditScore: number
  readonly demoAccountsPerHour: number
  readonly failedLoginsPerAddress: number
}

export function registerSession(api: Api, options: SessionOptions): void {
  const { queries, engine, sessions, findUser } = options
  const demoAccounts = createLimit(options.demoAccountsPerHour, HOUR_S)
  const failures = createFailures(options.failedLoginsPerAddress)

  api.visitor(createDemoAccount, async ({ address }) => {
    if (!(await demoAccounts(networkOf(address)))) return refuse('tooManyRequests')
    const answer = await engine.execute({ type: 'openAccount', ledger: 'demo' })
    if (isUnavailable(answer) || isRejection(answer)) return refuse('engineUnavailable')
    const [opened] = answer.entry.events
    if (opened?.type !== 'accountOpened') return refuse('internal')
    const demoId = newSecret()
    // A crash before this leaves an account whose secret nobody was told: without an owner, and without an effect.
    await addDemoUser(options, opened.accountId, demoId)
    return { demoId }
  })

  api.visitor(logIn, async ({ input, address }) => {
    const network = networkOf(address)
    if (await failures.isTooMany(network)) return refuse('tooManyRequests')
    const row = await queries
      .selectFrom('app_user')
      .select('id')
      .where('demo_hash', '=', secretHash(input.demoId))
      .executeTakeFirst()
    const user = row ? await findUser(Number(row.id)) : null
    if (user) return { token: await sessions.start(user.id), user }
    await failures.count(network)
    return refuse('demoIdUnknown')
  })

  api.user(logOut, async ({ token }) => {
    if (token !== null) await sessions.end(token)
    return null
  })
}

/** The person behind a demo account: it shares its id. */
async function addDemoUser(options: SessionOptions, id: number, demoId: string): Promise<void> {
  await options.queries
    .insertInto('app_user')
    .values({
      id: BigInt(id),
      is_demo: 1n,
      demo_hash: secretHash(demoId),
      invite_code: randomBytes(INVITE_CODE_BYTES).toString('hex').toUpperCase(),
      credit_score: BigInt(options.creditScore),
      created_at: BigInt(options.now()),
    })
    .execute()
}
