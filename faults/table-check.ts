import type { JournalReader } from './journal-reader.ts'
import type { Query, Row } from './place.ts'

const IDS_AT_ONCE = 500

/** Compares the tables with the journal, and the ledger with itself; reads only new rows. */
export type TableCheck = {
  /** Returns problems. Call it once the tables have caught up. */
  run(query: Query, journal: JournalReader): Promise<string[]>
}

type Balance = { readonly balance: bigint; readonly entry: bigint }

export function createTableCheck(): TableCheck {
  const balances = new Map<string, Balance>()
  let lastTransfer = 0n

  const takeTransfer = (row: Row): string[] => {
    const id = number(row['id'])
    const problems = id === lastTransfer + 1n ? [] : [`transfer ${id} comes after ${lastTransfer}`]
    lastTransfer = id
    for (const side of ['debit', 'credit'] as const) {
      const account = String(row[side])
      const before = balances.get(account) ?? { balance: 0n, entry: 0n }
      const amount = side === 'debit' ? -number(row['amount']) : number(row['amount'])
      const now = { balance: number(row[`${side}_balance`]), entry: number(row[`${side}_entry`]) }
      if (now.balance !== before.balance + amount || now.entry !== before.entry + 1n)
        problems.push(`transfer ${id}: the balance of ${account} does not follow from the one before`)
      balances.set(account, now)
    }
    return problems
  }

  const checkLedger = async (query: Query): Promise<string[]> => {
    const rows = await query(`select * from transfer where id > ${lastTransfer} order by id`)
    const problems = rows.flatMap(takeTransfer)
    const kept = await query('select id, balance, entry_count from ledger_account')
    for (const row of kept) {
      const known = balances.get(String(row['id']))
      if (known?.balance !== row['balance'] || known?.entry !== row['entry_count'])
        problems.push(`the balance of ${row['id']} is not the sum of its rows`)
    }
    if (kept.length !== balances.size) problems.push('an account with transfers has no balance')
    const sum = kept.reduce((total, row) => total + number(row['balance']), 0n)
    if (sum !== 0n) problems.push(`the sum of all balances is ${sum}, not zero`)
    return problems
  }

  return {
    run: async (query, journal) => [
      ...(await checkReach(query, journal)),
      ...(await checkLedger(query)),
      ...(await checkOrders(query, journal)),
    ],
  }
}

const number = (value: bigint | string | null | undefined): bigint => BigInt(value ?? 0)

async function checkReach(query: Query, { seq, written }: JournalReader): Promise<string[]> {
  const [row = {}] = await query(
    `select (select journal_seq from projection) as seq, (select count(*) from receipt) as receipts,
     (select count(*) from transfer) as transfers`,
  )
  const problems: string[] = []
  if (number(row['seq']) !== seq) problems.push(`the tables are at journal row ${row['seq']}, not ${seq}`)
  for (const name of ['receipts', 'transfers'] as const) {
    if (Number(row[name]) !== written[name])
      problems.push(`the tables hold ${row[name]} ${name}, the journal ${written[name]}`)
  }
  return problems
}

async function checkOrders(query: Query, journal: JournalReader): Promise<string[]> {
  const problems: string[] = []
  const ids = [...journal.changed]
  for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
    const some = ids.slice(from, from + IDS_AT_ONCE)
    const rows = await query(`select * from trade_order where id in (${some.join(',')})`)
    const byId = new Map(rows.map((row) => [Number(row['id']), row]))
    for (const id of some) problems.push(...orderProblems(id, byId.get(id), journal))
  }
  return problems
}

function orderProblems(id: number, row: Row | undefined, journal: JournalReader): string[] {
  const history = journal.history(id)
  if (!row || !history) return [`order ${id} is in the journal and not in the tables`]
  const reading = [
    history.status,
    history.endReason,
    history.openPrice,
    history.closePrice,
    history.takeProfit,
    history.stopLoss,
  ]
  const names = ['status', 'end_reason', 'open_price', 'close_price', 'take_profit', 'stop_loss']
  return names.flatMap((name, index) =>
    String(row[name]) === String(reading[index])
      ? []
      : [`order ${id}: ${name} is ${row[name]} in the tables, ${reading[index]} in the journal`],
  )
}
