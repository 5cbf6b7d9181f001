import type { ChargeAccount, ChargeChannel } from '@fairlot/contract'
import type { DepositChannelTable, WireAccountTable } from '../database/content-schema.ts'
import type { Queries } from '../database/open.ts'
import { leftByChannel, smallerOf, type LimitedChannel, type Today } from './day-limits.ts'

/** The addresses that are switched on, with what this person may still pay in there today. */
export async function listChannels(today: Today): Promise<ChargeChannel[]> {
  const rows = await today.queries
    .selectFrom('deposit_channel')
    .selectAll()
    .where('is_on', '=', 1n)
    .orderBy('id')
    .execute()
  return Promise.all(
    rows.map(async (row) => ({
      ...{ id: Number(row.id), ...channelFacts(row) },
      leftToday: await leftToday(today, 'coin', row),
    })),
  )
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

/** The accounts that are switched on, of one currency or all, with what this person may still pay in there today. */
export async function listAccounts(today: Today, currency: string | null): Promise<ChargeAccount[]> {
  const rows = await today.queries
    .selectFrom('wire_account')
    .selectAll()
    .where('is_on', '=', 1n)
    .$if(currency !== null, (q) => q.where('currency_code', '=', currency ?? ''))
    .orderBy('id')
    .execute()
  return Promise.all(
    rows.map(async (row) => ({
      ...{ id: Number(row.id), ...accountFacts(row) },
      leftToday: await leftToday(today, 'bank', row),
    })),
  )
}

/** What is told of an address to whoever pays in. */
export const channelFacts = (
  row: Pick<DepositChannelTable, 'currency_code' | 'protocol_code' | 'address'>,
): Omit<ChargeChannel, 'id' | 'leftToday'> => ({
  ...{ currency: row.currency_code, network: row.protocol_code, address: row.address },
})

/** What is told of a bank account to whoever pays in. */
export const accountFacts = (
  row: Omit<WireAccountTable, 'id' | 'version' | 'changed_at' | 'is_on' | 'day_limit' | 'person_day_limit'>,
): Omit<ChargeAccount, 'id' | 'leftToday'> => ({
  ...{ bankName: row.bank_name, bankAddress: row.bank_address, bic: row.bank_swift },
  ...{ payeeName: row.payee_name, payeeAccount: row.payee_account, remark: row.bank_remark },
})

type Limits = { readonly day_limit: bigint | null; readonly person_day_limit: bigint | null }

const limitsOf = (row: Limits) => ({ dayLimit: row.day_limit, personDayLimit: row.person_day_limit })

async function leftToday(today: Today, kind: 'coin' | 'bank', row: Limits & { readonly id: bigint }) {
  const { all, own } = await leftByChannel(today, { kind, id: Number(row.id), ...limitsOf(row) })
  return smallerOf(all, own)
}

/** Where a deposit goes, and how much may come in there on a day, from everybody and from one person; null for no limit. */
export type Channel = LimitedChannel & {
  readonly currency: string
  readonly network: string
  readonly address: string
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
    const { currency_code: currency, protocol_code: network, address } = row
    return { kind, id, currency, network, address, ...limitsOf(row) }
  }
  const row = await queries
    .selectFrom('wire_account')
    .selectAll()
    .where('id', '=', BigInt(id))
    .where('is_on', '=', 1n)
    .executeTakeFirst()
  if (!row) return null
  const { currency_code: currency, payee_account: address } = row
  return { kind, id, currency, network: row.bank_name, address, ...limitsOf(row) }
}
