/** The person behind an account: one registered user, and the demo accounts that the user has shown to be theirs. */
import type { Queries } from '../platform/database/open.ts'
import { refuse, type Refusal } from '../platform/refusal.ts'
import { secretHash } from '../platform/security/secrets.ts'

export type Publisher = {
  /** The own accounts of the person, copies not among them. */
  readonly accountIds: readonly number[]
  readonly isRegistered: boolean
  /** Works for the broker: an operator recorded it, or an operator logs in to the desk by the user's e-mail address. */
  readonly isStaff: boolean
}

/** The person behind an own account, demo or real. */
export async function publisherOf(queries: Queries, accountId: number): Promise<Publisher> {
  const link = await queries
    .selectFrom('demo_owner')
    .select('user_id')
    .where('demo_id', '=', BigInt(accountId))
    .executeTakeFirst()
  const userId = link?.user_id ?? BigInt(accountId)
  const demos = await queries
    .selectFrom('demo_owner')
    .select('demo_id')
    .where('user_id', '=', userId)
    .orderBy('demo_id')
    .execute()
  const ids = [userId, ...demos.map(({ demo_id }) => demo_id)]
  // Closing an account deletes its row here: then nobody registered is behind its demo accounts any more.
  const registered = await queries
    .selectFrom('member')
    .select('email_key')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return {
    accountIds: ids.map(Number),
    isRegistered: registered !== undefined,
    isStaff: await isStaff(queries, ids, registered?.email_key ?? null),
  }
}

async function isStaff(queries: Queries, ids: readonly bigint[], email: string | null): Promise<boolean> {
  const recorded = await queries
    .selectFrom('staff_user')
    .select('user_id')
    .where('user_id', 'in', ids)
    .executeTakeFirst()
  if (recorded || email === null) return recorded !== undefined
  const operator = await queries
    .selectFrom('operator')
    .select('id')
    .where('name_key', '=', email)
    .where('is_on', '=', 1n)
    .executeTakeFirst()
  return operator !== undefined
}

type Claim = {
  readonly userId: number
  /** The secret of the demo account. */
  readonly secret: string
  /** The accounts whose strategies an account copies now. */
  readonly copiedBy: (accountId: number) => readonly number[]
}

/**
 * Records that the demo account with this secret belongs to a registered user. Doing it again changes nothing. Refused
 * while it copies a strategy of that user, as nobody copies themselves.
 */
export async function claimDemo(
  queries: Queries,
  { userId, secret, copiedBy }: Claim,
): Promise<null | Refusal> {
  const demo = await queries
    .selectFrom('app_user')
    .select('id')
    .where('demo_hash', '=', secretHash(secret))
    .executeTakeFirst()
  if (!demo) return refuse('demoIdUnknown', { field: 'demo_id' })
  const { accountIds } = await publisherOf(queries, userId)
  if (copiedBy(Number(demo.id)).some((id) => accountIds.includes(id))) return refuse('demoCopiesOwnStrategy')
  await queries
    .insertInto('demo_owner')
    .values({ demo_id: demo.id, user_id: BigInt(userId) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { user_id: owner } = await queries
    .selectFrom('demo_owner')
    .select('user_id')
    .where('demo_id', '=', demo.id)
    .executeTakeFirstOrThrow()
  return Number(owner) === userId ? null : refuse('demoOfAnother')
}
