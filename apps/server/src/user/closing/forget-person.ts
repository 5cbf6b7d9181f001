import type { Transaction } from 'kysely'
import { REMOVAL } from '../../database/file-schema.ts'
import { identityCase } from '../../database/identity-schema.ts'
import type { Tables } from '../../database/schema.ts'

/**
 * Removes who was behind an account that is closed. What the law wants kept stays: journal, ledger and receipts, which hold no names;
 * deposits and withdrawals with the account they went to and the pictures that prove them; which wording was agreed to, and when;
 * who somebody was whose identity was seen and who has paid in or out; what was said with the support; what operators did. False when this was done before.
 */
export async function forgetPerson(
  within: Transaction<Tables>,
  userId: number,
  at: number,
): Promise<boolean> {
  const id = BigInt(userId)
  const { numUpdatedRows } = await within
    .updateTable('app_user')
    // Nobody is invited by it and nobody opens it; a code of this form is none.
    .set({ closed_at: BigInt(Math.floor(at)), demo_hash: null, invite_code: `closed ${userId}` })
    .where('id', '=', id)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await forgetContact(within, id)
  for (const table of FORGOTTEN) await within.deleteFrom(table).where('user_id', '=', id).execute()
  await within.updateTable('user_activity').set(NOWHERE).where('user_id', '=', id).execute()
  await within.updateTable('consent').set({ address: '' }).where('user_id', '=', id).execute()
  await forgetMethods(within, id, at)
  await forgetIdentity(within, id)
  // Pictures that no case uses: their bytes go with the next round.
  await within
    .updateTable('stored_file')
    .set({ used_by: REMOVAL })
    .where('user_id', '=', id)
    .where('used_by', 'is', null)
    .execute()
  return true
}

/** Rows that go whole. */
const FORGOTTEN = [
  'second_factor',
  'recovery_code',
  'known_login',
  'watched_instrument',
  'news_seen',
  'notice',
  'notice_choice',
  'margin_warned',
] as const

const NOWHERE = { device: '', address: '' }

/** The address or number is free for another account. What it was sent goes with it; what waits still leaves. */
async function forgetContact(within: Transaction<Tables>, id: bigint): Promise<void> {
  const member = await within
    .deleteFrom('member')
    .where('user_id', '=', id)
    .returning(['email', 'email_key', 'phone'])
    .executeTakeFirst()
  if (!member) return
  const contacts = [member.email, member.email_key, member.phone].filter((contact) => contact !== null)
  await within.deleteFrom('verification_code').where('target', 'in', contacts).execute()
  await within
    .deleteFrom('outbox')
    .where('recipient', 'in', contacts)
    .where('state', '!=', 'waiting')
    .execute()
}

/** A withdrawal holds a copy of the method that it was paid to. */
async function forgetMethods(within: Transaction<Tables>, id: bigint, at: number): Promise<void> {
  const rows = await within
    .selectFrom('receiving_method')
    .select(['id', 'details', 'removed_at'])
    .where('user_id', '=', id)
    .execute()
  for (const row of rows)
    await within
      .updateTable('receiving_method')
      .set({
        ...{ details: blanked(row.details), account_key: '' },
        removed_at: row.removed_at ?? BigInt(Math.floor(at)),
      })
      .where('id', '=', row.id)
      .execute()
}

/** The same fields with nothing in them. */
const blanked = (details: string): string =>
  JSON.stringify(JSON.parse(details, (_name, value: unknown) => (typeof value === 'string' ? '' : value)))

/** Documents are kept only of somebody who is verified and whose money has moved; a check that waits ends with the account. */
async function forgetIdentity(within: Transaction<Tables>, id: bigint): Promise<void> {
  const verified = await within
    .selectFrom('verified_person')
    .innerJoin('money_case', 'money_case.account_id', 'verified_person.user_id')
    .select('money_case.id')
    .where('user_id', '=', id)
    .limit(1)
    .executeTakeFirst()
  if (verified) return
  await within.deleteFrom('identity_check').where('user_id', '=', id).execute()
  await within
    .updateTable('stored_file')
    .set({ used_by: REMOVAL })
    .where('user_id', '=', id)
    .where('used_by', '=', identityCase(id))
    .execute()
}
