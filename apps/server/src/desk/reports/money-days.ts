import type { Queries } from '../../database/open.ts'
import type { MoneyDayTable } from '../../database/report-schema.ts'
import type { CountedRows } from './counted-rows.ts'
import { utcDayOf } from './utc-day.ts'

const ROWS = 2_000

/** Counts the next transfers after one. Financing that is booked late counts for its own night. */
export async function countTransfers(within: Queries, after: bigint): Promise<CountedRows> {
  const rows = await within
    .selectFrom('transfer')
    .select(['id', 'at', 'debit', 'credit', 'amount', 'kind'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(ROWS)
    .execute()
  const sums = new Map<string, MoneyDayTable>()
  for (const { at, debit, credit, amount, kind } of rows) {
    const house = [credit, debit].find((id) => id.startsWith('house:'))
    // What is only held or released stays with its user.
    if (house === undefined) continue
    const day = BigInt(utcDayOf(Number(at)))
    const ledger = house.split(':')[1] ?? ''
    const key = `${day} ${ledger} ${kind}`
    const sum = sums.get(key) ?? { day, ledger, kind, amount: 0n, count: 0n }
    sums.set(key, {
      ...sum,
      amount: sum.amount + (house === credit ? amount : -amount),
      count: sum.count + 1n,
    })
  }
  if (sums.size > 0) await addSums(within, [...sums.values()])
  return { last: rows.at(-1) ?? null, isAll: rows.length < ROWS }
}

const addSums = (within: Queries, rows: readonly MoneyDayTable[]) =>
  within
    .insertInto('money_day')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['day', 'ledger', 'kind']).doUpdateSet((set) => ({
        amount: set('money_day.amount', '+', set.ref('excluded.amount')),
        count: set('money_day.count', '+', set.ref('excluded.count')),
      })),
    )
    .execute()
