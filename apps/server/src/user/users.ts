import type { User } from '@fairlot/contract'
import type { Queries } from '../database/open.ts'

/** A user as the contract shows them; null when there is none of this id. */
export async function findUser(queries: Queries, id: number): Promise<User | null> {
  const row = await queries
    .selectFrom('app_user')
    .leftJoin('member', 'member.user_id', 'app_user.id')
    .select(['is_demo', 'invite_code', 'credit_score', 'email', 'calling_code', 'national_number'])
    .where('id', '=', BigInt(id))
    .executeTakeFirst()
  if (!row) return null
  return {
    id,
    uid: String(100_000 + id),
    email: row.email,
    phone: row.national_number,
    areaCode: row.calling_code,
    isDemo: row.is_demo === 1n,
    inviteCode: row.is_demo === 1n ? null : row.invite_code,
    creditScore: Number(row.credit_score),
    identityCheck: 'form',
  }
}
