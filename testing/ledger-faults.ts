import type { Queries } from '../apps/server/src/platform/database/open.ts'

/** Faults of the ledger tables: gaps in the numbers, balances that do not follow. */
export async function ledgerFaults(queries: Queries): Promise<string[]> {
  const faults: string[] = []
  const last = new Map<string, { balance: bigint; entry: bigint }>()
  const check = (id: bigint, account: string, change: bigint, balance: bigint, entry: bigint) => {
    const before = last.get(account) ?? { balance: 0n, entry: 0n }
    if (balance !== before.balance + change)
      faults.push(`transfer ${id}: balance of ${account} does not follow`)
    if (entry !== before.entry + 1n) faults.push(`transfer ${id}: entry of ${account} does not follow`)
    last.set(account, { balance, entry })
  }
  const transfers = await queries.selectFrom('transfer').selectAll().orderBy('id').execute()
  transfers.forEach((row, index) => {
    if (row.id !== BigInt(index + 1)) faults.push(`transfer ${row.id} is row ${index + 1}`)
    check(row.id, row.debit, -row.amount, row.debit_balance, row.debit_entry)
    check(row.id, row.credit, row.amount, row.credit_balance, row.credit_entry)
  })
  for (const { id, balance, entry_count } of await queries
    .selectFrom('ledger_account')
    .selectAll()
    .execute()) {
    const known = last.get(id)
    if (known?.balance !== balance || known.entry !== entry_count)
      faults.push(`balance of ${id} is not the last one`)
  }
  return faults
}
