import { listInvited, PAGE_ROWS } from '@fairlot/contract'
import type { Queries } from '../platform/database/open.ts'
import type { Api } from '../platform/http/api.ts'

const HIDDEN = '•••'
const DIGITS_SHOWN = 2

/**
 * Masks a contact so that a friend recognizes it and nobody else can use it: the first letters of an e-mail address and
 * its host, with the top-level domain, or the last two digits of a phone number.
 */
export function maskedContact(email: string | null, phone: string | null): string {
  const [name, host] = email?.split('@') ?? []
  if (name !== undefined && host !== undefined) {
    const ending = host.slice(host.lastIndexOf('.'))
    return `${firstOf(name)}${HIDDEN}@${firstOf(host)}${HIDDEN}${ending}`
  }
  return phone === null ? HIDDEN : `${HIDDEN}${phone.slice(-DIGITS_SHOWN)}`
}

/** The first character, which may be two UTF-16 units. */
const firstOf = (text: string): string => /^./u.exec(text)?.[0] ?? ''

/** The users that a user has invited: only the masked contact and the date of each. */
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
      name: maskedContact(email, phone),
      joinedAt: Number(created_at),
    }))
    return { invited, total: Number(total) }
  })
}
