import { listInvited, PAGE_ROWS } from '@fairlot/contract'
import type { Queries } from '../database/open.ts'
import type { Api } from '../http/api.ts'
import { maskedContact } from './masked-contact.ts'

/** Who came by the invitation of a user. The date is all that is said of them beside a masked name. */
export function registerInvitations(api: Api, queries: Queries): void {
  api.user(listInvited, async ({ user, input: { page } }) => {
    const joined = queries
      .selectFrom('member')
      .innerJoin('app_user', 'app_user.id', 'member.user_id')
      .where('member.invited_by', '=', BigInt(user.id))
    const { total } = await joined.select(({ fn }) => fn.countAll().as('total')).executeTakeFirstOrThrow()
    const rows = await joined
      .select(['member.email', 'member.phone', 'app_user.created_at'])
      .orderBy('member.user_id', 'desc')
      .limit(PAGE_ROWS)
      .offset((page - 1) * PAGE_ROWS)
      .execute()
    const invited = rows.map(({ email, phone, created_at }) => ({
      ...{ name: maskedContact(email, phone), joinedAt: Number(created_at) },
    }))
    return { invited, total: Number(total) }
  })
}
