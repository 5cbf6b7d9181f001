import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * One key for one coin address or bank account, however it was typed. So far the keys of receiving methods differed by
 * letters, network and bank code, and a few of those of destinations too. The details, as they were typed, stay.
 */
export const accountKeys = (): Migration => ({
  up: async (db: Kysely<unknown>) => {
    const methods = (after: bigint) =>
      sql<Method>`select id, details from receiving_method
        where id > ${after} and account_key <> '' order by id limit ${PAGE}`.execute(db)
    await forEachRow(methods, async ({ id, details }) => {
      const key = keyOfDetails(JSON.parse(details) as Partial<Details>)
      await sql`update receiving_method set account_key = ${key} where id = ${id}`.execute(db)
    })
    const destinations = (after: bigint) =>
      sql<Destination>`select id, account_key from payout_destination
        where id > ${after} order by id limit ${PAGE}`.execute(db)
    await forEachRow(destinations, (row) => moveDestination(db, row))
  },
})

type Method = { readonly id: bigint; readonly details: string }
type Destination = { readonly id: bigint; readonly account_key: string }

/** Rows in memory at a time. */
const PAGE = 1_000

async function forEachRow<Row extends { readonly id: bigint }>(
  pageAfter: (id: bigint) => Promise<{ readonly rows: readonly Row[] }>,
  visit: (row: Row) => Promise<void>,
): Promise<void> {
  for (let after = 0n; ;) {
    const { rows } = await pageAfter(after)
    for (const row of rows) await visit(row)
    const last = rows.at(-1)
    if (!last) return
    after = last.id
  }
}

/**
 * The journal knows destinations by number, so two of one account cannot become one: the one that has the key keeps it
 * and counts from now on, the other one is `key #number`.
 */
async function moveDestination(db: Kysely<unknown>, { id, account_key: old }: Destination): Promise<void> {
  const key = keyOfDestination(old)
  if (key === old) return
  const { rows } = await sql`select id from payout_destination where account_key = ${key}`.execute(db)
  const moved = rows.length === 0 ? key : `${key} #${id}`
  await sql`update payout_destination set account_key = ${moved} where id = ${id}`.execute(db)
}

type Details = Readonly<Record<'address' | 'iban' | 'payeeAccount' | 'bic', string>>

function keyOfDetails({ address = '', iban = '', payeeAccount = '', bic = '' }: Partial<Details>): string {
  if (address !== '') return `coin ${plainAddress(address)}`
  return iban === '' ? keyOfAccount(bic, payeeAccount) : `iban ${plainAccount(iban)}`
}

function keyOfDestination(key: string): string {
  const coin = /^coin (.+)$/.exec(key)?.[1]
  if (coin !== undefined) return `coin ${plainAddress(coin)}`
  const [, bic, account] = /^account (\S*) (.+)$/.exec(key) ?? []
  return account === undefined ? key : keyOfAccount(bic ?? '', account)
}

function keyOfAccount(bic: string, account: string): string {
  const plain = plainAccount(account)
  if (/^[A-Z]{2}\d{2}/.test(plain)) return `iban ${plain}`
  return `account ${lettersAndDigits(bic).replace(/^(.{8})XXX$/, '$1')} ${plain}`
}

function plainAddress(address: string): string {
  const small = address.toLowerCase()
  const isOneCase = address === small || address === address.toUpperCase()
  const isSameInAnyCase = /^(?:(?:0x)?[0-9a-f]+|(?:bc|tb|ltc)1[0-9a-z]+)$/i.test(address)
  return isOneCase || isSameInAnyCase ? small : address
}

const lettersAndDigits = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, '').toUpperCase()

/** An IBAN loses the word before it. */
const plainAccount = (account: string): string =>
  lettersAndDigits(account).replace(/^IBAN(?=[A-Z]{2}\d{2})/, '')
