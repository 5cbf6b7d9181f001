import type { ChargeAccount, ChargeChannel } from '@fairlot/contract'
import type { Queries } from '../database/open.ts'

/** The addresses that are switched on. */
export async function listChannels(queries: Queries): Promise<ChargeChannel[]> {
  const rows = await queries
    .selectFrom('deposit_channel')
    .selectAll()
    .where('is_on', '=', 1n)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    ...{ id: Number(row.id), currency: row.currency_code },
    ...{ network: row.protocol_code, address: row.address },
  }))
}

/** The currencies of the accounts that are switched on. */
export async function listCurrencies(queries: Queries): Promise<{ currency: string }[]> {
  const rows = await queries
    .selectFrom('wire_account')
    .select('currency_code')
    .distinct()
    .where('is_on', '=', 1n)
    .orderBy('currency_code')
    .execute()
  return rows.map((row) => ({ currency: row.currency_code }))
}

/** The accounts that are switched on: of one currency, or all. */
export async function listAccounts(queries: Queries, currency: string | null): Promise<ChargeAccount[]> {
  const rows = await queries
    .selectFrom('wire_account')
    .selectAll()
    .where('is_on', '=', 1n)
    .$if(currency !== null, (q) => q.where('currency_code', '=', currency ?? ''))
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    ...{ id: Number(row.id), bankName: row.bank_name, bankAddress: row.bank_address, bic: row.bank_swift },
    ...{ payeeName: row.payee_name, payeeAccount: row.payee_account, remark: row.bank_remark },
  }))
}

/** Where a deposit goes, and how much may come in there on a day; null for no limit. */
export type Channel = {
  readonly kind: 'coin' | 'bank'
  readonly id: number
  readonly currency: string
  readonly network: string
  readonly address: string
  readonly dayLimit: bigint | null
}

/** A channel that is switched on. */
export async function findChannel(
  queries: Queries,
  kind: 'coin' | 'bank',
  id: number,
): Promise<Channel | null> {
  if (kind === 'coin') {
    const row = await queries
      .selectFrom('deposit_channel')
      .selectAll()
      .where('id', '=', BigInt(id))
      .where('is_on', '=', 1n)
      .executeTakeFirst()
    if (!row) return null
    const { currency_code: currency, protocol_code: network, address, day_limit: dayLimit } = row
    return { kind, id, currency, network, address, dayLimit }
  }
  const row = await queries
    .selectFrom('wire_account')
    .selectAll()
    .where('id', '=', BigInt(id))
    .where('is_on', '=', 1n)
    .executeTakeFirst()
  if (!row) return null
  const { currency_code: currency, payee_account: address, day_limit: dayLimit } = row
  return { kind, id, currency, network: row.bank_name, address, dayLimit }
}
