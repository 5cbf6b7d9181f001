import type { PayoutCurrency } from '@fairlot/contract'
import {
  formatDecimal,
  fromUnits,
  money,
  payoutOf,
  PAYOUT_DECIMALS,
  PAYOUT_PRICE_DECIMALS,
  toUnits,
  type Money,
} from '@fairlot/core'
import type { WithdrawalCurrencyTable } from '../platform/database/content-schema.ts'
import type { Queries } from '../platform/database/open.ts'
import { refuse, type Refusal } from '../platform/refusal.ts'
import { leftInCurrency, type Today } from './day-limits.ts'

/** The active payout currencies of a kind, with what this user may still withdraw in each today. */
export async function listPayoutKinds(today: Today, kind: 'coin' | 'bank'): Promise<PayoutCurrency[]> {
  const rows = await today.queries
    .selectFrom('withdrawal_currency')
    .selectAll()
    .where('kind', '=', kind)
    .where('is_on', '=', 1n)
    .orderBy('id')
    .execute()
  return Promise.all(
    rows.map(async (row) => ({
      id: Number(row.id),
      code: row.code,
      network: row.protocol,
      feeRate: money(row.fee),
      feeType: row.fee_type === 'fixed' ? 'fixed' : 'rate',
      minimum: money(row.minimum),
      price: fromUnits(priceOf(row), PAYOUT_PRICE_DECIMALS),
      maximum: row.maximum === null ? null : money(row.maximum),
      leftToday: await leftInCurrency(today, row),
    })),
  )
}

/** An active payout currency. */
export const findCurrency = (queries: Queries, id: number): Promise<WithdrawalCurrencyTable | undefined> =>
  queries
    .selectFrom('withdrawal_currency')
    .selectAll()
    .where('id', '=', BigInt(id))
    .where('is_on', '=', 1n)
    .executeTakeFirst()

export type Quoted = {
  readonly fee: Money
  /** What the user receives, and the price of one unit: as decimals, and in units of 1e-8 and 1e-10. */
  readonly received: string
  readonly receivedUnits: bigint
  readonly price: string
  readonly priceUnits: bigint
}

/** The fee and the payout of an amount. Refused outside the currency's limits, or if nothing would be paid out. */
export function quotePayout(row: WithdrawalCurrencyTable, amount: Money): Quoted | Refusal {
  const feeType = row.fee_type === 'fixed' ? 'fixed' : 'rate'
  const { fee, received } = payoutOf(amount, { feeType, feeRate: row.fee, price: priceOf(row) })
  if (amount <= 0n) return refuse('amountInvalid', { amount, field: 'number' })
  if (amount < row.minimum)
    return refuse('amountBelowMinimum', { least: money(row.minimum), field: 'number' })
  if (row.maximum !== null && amount > row.maximum)
    return refuse('amountAboveMaximum', { limit: money(row.maximum), field: 'number' })
  if (amount <= fee || received === 0n) return refuse('amountBelowFee', { amount: fee, field: 'number' })
  return {
    fee,
    received: plain(received),
    receivedUnits: received,
    price: row.usd_price,
    priceUnits: priceOf(row),
  }
}

const priceOf = ({ usd_price: price }: WithdrawalCurrencyTable): bigint =>
  toUnits(price, PAYOUT_PRICE_DECIMALS) ?? 0n

/** Without trailing zeros. */
const plain = (units: bigint): string => formatDecimal(units, PAYOUT_DECIMALS).replace(/\.?0+$/, '')
