import type { DepositAccount, DepositAddress } from '@fairlot/contract'
import {
  type DecisionContext,
  marketRate,
  openBy,
  pathFrom,
  powerOfTen,
  type Priced,
  RATE_DECIMALS,
  rateOfSent,
  type State,
} from '@fairlot/core'
import type { Engine } from '../engine/engine.ts'
import type { DepositChannelTable, WireAccountTable } from '../platform/database/content-schema.ts'
import type { Queries } from '../platform/database/open.ts'
import {
  leftForChannel,
  type LimitColumns,
  type LimitedChannel,
  limitsAt,
  smallerOf,
  type Today,
} from './day-limits.ts'

/** The rate of a channel, as users see it. */
type Valuation = Pick<DepositAddress, 'rate' | 'isRateFixed' | 'accountCurrency'>
type ChannelFacts = Omit<DepositAddress, 'id' | 'leftToday' | keyof Valuation>
type AccountFacts = Omit<DepositAccount, 'id' | 'leftToday' | keyof Valuation>

/** The value of one unit now; null if it is unknown, so that nothing could be credited. */
function valuationOf(state: State, row: Parameters<typeof rateNow>[1]): Valuation | null {
  const rate = rateNow(state, row)
  if (rate === null) return null
  return {
    rate,
    isRateFixed: fixedRateOf(state, row) !== null || row.currency_code === state.settings.accountCurrency,
    accountCurrency: state.settings.accountCurrency,
  }
}

type Offered<Row> = { readonly row: Row; readonly valuation: Valuation }

/** Channels whose deposits could not be credited are not offered. */
const offered = <Row extends Parameters<typeof rateNow>[1]>(
  state: State,
  rows: readonly Row[],
): Offered<Row>[] =>
  rows.flatMap((row) => {
    const valuation = valuationOf(state, row)
    return valuation ? [{ row, valuation }] : []
  })

/** The active deposit addresses, with what this user may still deposit to each today. */
export async function listChannels(today: Today, state: State): Promise<DepositAddress[]> {
  const rows = await today.queries
    .selectFrom('deposit_channel')
    .selectAll()
    .where('is_on', '=', 1n)
    .orderBy('id')
    .execute()
  return Promise.all(
    offered(state, rows).map(async ({ row, valuation }) => ({
      id: Number(row.id),
      ...channelFacts(row),
      ...valuation,
      leftToday: await leftToday(today, 'coin', row),
    })),
  )
}

/** The currencies of the active bank accounts. */
export async function listCurrencies(queries: Queries, state: State): Promise<{ currency: string }[]> {
  const rows = await queries
    .selectFrom('wire_account')
    .select(['currency_code', 'fixed_rate'])
    .distinct()
    .where('is_on', '=', 1n)
    .orderBy('currency_code')
    .execute()
  return [...new Set(offered(state, rows).map(({ row }) => row.currency_code))].map((currency) => ({
    currency,
  }))
}

/** The active bank accounts of one currency or of all, with what this user may still deposit to each today. */
export async function listAccounts(
  today: Today,
  state: State,
  currency: string | null,
): Promise<DepositAccount[]> {
  const rows = await today.queries
    .selectFrom('wire_account')
    .selectAll()
    .where('is_on', '=', 1n)
    .$if(currency !== null, (q) => q.where('currency_code', '=', currency ?? ''))
    .orderBy('id')
    .execute()
  return Promise.all(
    offered(state, rows).map(async ({ row, valuation }) => ({
      id: Number(row.id),
      ...accountFacts(row),
      ...valuation,
      leftToday: await leftToday(today, 'bank', row),
    })),
  )
}

/** A deposit address as users see it. */
export const channelFacts = (
  row: Pick<DepositChannelTable, 'currency_code' | 'protocol_code' | 'address' | 'tag'>,
): ChannelFacts => ({
  currency: row.currency_code,
  network: row.protocol_code,
  address: row.address,
  tag: row.tag,
})

/** A bank account for deposits as users see it. */
export const accountFacts = (
  row: Omit<WireAccountTable, 'id' | 'version' | 'changed_at' | 'is_on' | 'fixed_rate' | keyof LimitColumns>,
): AccountFacts => ({
  bankName: row.bank_name,
  bankAddress: row.bank_address,
  bic: row.bank_swift,
  payeeName: row.payee_name,
  payeeAccount: row.payee_account,
  remark: row.bank_remark,
})

async function leftToday(today: Today, kind: 'coin' | 'bank', row: LimitColumns & { readonly id: bigint }) {
  const limits = limitsAt(row, today.now)
  const { all, own } = await leftForChannel(today, { kind, id: Number(row.id), ...limits })
  return smallerOf(all, own)
}

/** A deposit address or bank account, with its daily limits for all users and for each user; null for no limit. */
export type Channel = LimitedChannel & {
  readonly currency: string
  readonly network: string
  readonly address: string
  /** The tag or memo of the address; empty for none. */
  readonly tag: string
  /** The value of one unit, in units of 1e-10; null for the market rate. */
  readonly fixedRate: bigint | null
}

/** An active channel. */
export async function findChannel(
  {
    queries,
    engine,
    now,
  }: { readonly queries: Queries; readonly engine: Pick<Engine, 'state'>; readonly now: () => number },
  kind: 'coin' | 'bank',
  id: number,
): Promise<Channel | null> {
  const state = engine.state()
  if (kind === 'coin') {
    const row = await queries
      .selectFrom('deposit_channel')
      .selectAll()
      .where('id', '=', BigInt(id))
      .where('is_on', '=', 1n)
      .executeTakeFirst()
    if (!row) return null
    const { currency_code: currency, protocol_code: network, address, tag } = row
    const fixedRate = fixedRateOf(state, row)
    return { kind, id, currency, network, address, tag, fixedRate, ...limitsAt(row, now()) }
  }
  const row = await queries
    .selectFrom('wire_account')
    .selectAll()
    .where('id', '=', BigInt(id))
    .where('is_on', '=', 1n)
    .executeTakeFirst()
  if (!row) return null
  const { currency_code: currency, payee_account: address } = row
  const fixedRate = fixedRateOf(state, row)
  return { kind, id, currency, network: row.bank_name, address, tag: '', fixedRate, ...limitsAt(row, now()) }
}

/** Coins pegged to a currency: they count one for one if no pair prices them and no rate is fixed. */
const PEGS: Readonly<Record<string, string>> = { USDT: 'USD' }

type Valued = { readonly currency_code: string; readonly fixed_rate: bigint | null }
export type Market = Pick<State, 'instruments' | 'settings' | 'quotes'>

/** The fixed rate of a channel: its own, or one for a coin pegged to the account currency. Null for the market rate. */
function fixedRateOf(market: Market, { currency_code: currency, fixed_rate: rate }: Valued): bigint | null {
  if (rate !== null) return rate
  const isPegged = PEGS[currency] === market.settings.accountCurrency
  return isPegged && pathFrom(market, currency) === null ? powerOfTen(RATE_DECIMALS) : null
}

/** The rate of a channel's currency now, in units of 1e-10; null if neither it nor the market has one. */
export function rateNow(market: Market, row: Valued): bigint | null {
  const priced = rateOfSent(market, { currency: row.currency_code, fixedRate: fixedRateOf(market, row) })
  return 'rejected' in priced ? null : priced.rate
}

/** The rate that a fixed rate is compared with: the market's, or that of the coin's peg. */
export function referenceRate(market: Market, currency: string): Pick<Priced, 'rate'> | null {
  const peg = fixedRateOf(market, { currency_code: currency, fixed_rate: null })
  return marketRate(market, currency) ?? (peg === null ? null : { rate: peg })
}

/** The state with its trading hours, as the core's decisions need it. */
export const contextOf = (state: State): DecisionContext => ({
  state,
  isOpen: openBy(state.calendar, state.sources),
})
