import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { plainAddress } from '../plain-address.ts'

type Tables = {
  receiving_method: { id: bigint; details: string; account_key: string }
  payout_destination: { id: bigint; account_key: string }
}

/** Rows in memory at a time. */
const PAGE = 1_000

/** The keys of coin addresses that can be written in several ways, of TON, Litecoin and Bitcoin Cash. */
export const plainAddresses = (): Migration => ({
  up: async (db: Kysely<unknown>) => {
    for (const table of ['receiving_method', 'payout_destination'] as const)
      await writeKeys(db as Kysely<Tables>, table)
  },
})

async function writeKeys(db: Kysely<Tables>, table: keyof Tables): Promise<void> {
  for (let after = 0n; ;) {
    const rows = await db
      .selectFrom(table)
      .select(['id', 'account_key'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE)
      .execute()
    for (const { id, account_key: old } of rows) {
      const key = keyOf(old)
      if (key === old) continue
      const written = table === 'payout_destination' ? await freeKey(db, key, id) : key
      await db.updateTable(table).set({ account_key: written }).where('id', '=', id).execute()
    }
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.id
  }
}

/** A tag, or the number of a destination that is not the first of its account, stays behind the address. */
const keyOf = (key: string): string =>
  key.replace(/^coin (\S+)/, (_whole, address: string) => `coin ${plainAddress(address)}`)

/**
 * The journal knows destinations by number, so two of one account cannot become one: the one that has the key keeps it
 * and counts from now on, the other one is `key #number`.
 */
async function freeKey(db: Kysely<Tables>, key: string, id: bigint): Promise<string> {
  const taken = await db
    .selectFrom('payout_destination')
    .select('id')
    .where('account_key', '=', key)
    .executeTakeFirst()
  return taken ? `${key} #${id}` : key
}
