import type { Transaction } from 'kysely'
import type { Tables } from './schema.ts'

type Numbered =
  | 'approval'
  | 'content_item'
  | 'content_text'
  | 'legal_version'
  | 'legal_text'
  | 'company'
  | 'news_feed'
  | 'deposit_channel'
  | 'wire_account'
  | 'withdrawal_currency'
  | 'instrument_category'
  | 'payment_change'

/** The next free id of a table. Writers of the desk run one at a time, so it stays free until it is used. */
export async function nextId(within: Transaction<Tables>, table: Numbered): Promise<bigint> {
  const { most } = await within
    .selectFrom(table)
    .select((select) => select.fn.max('id').as('most'))
    .executeTakeFirstOrThrow()
  return ((most as bigint | null) ?? 0n) + 1n
}
