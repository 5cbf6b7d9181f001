import type { ReceivingMethod, ReceivingMethodForm } from '@fairlot/contract'
import type { Queries } from '../database/open.ts'
import type { ReceivingMethodTable } from '../database/payment-schema.ts'

const HOUR_MS = 3_600_000

/** What there is to know of an address or account, apart from whose it is. */
export type MethodDetails = Pick<
  ReceivingMethodForm,
  | 'address'
  | 'bankName'
  | 'bankAddress'
  | 'bic'
  | 'payeeName'
  | 'payeeAccount'
  | 'routeNumber'
  | 'payeeAddress'
  | 'postCode'
  | 'iban'
  | 'accountType'
>

/** Details as a row holds them: JSON of our own. */
export const detailsIn = (text: string): MethodDetails => JSON.parse(text) as MethodDetails

/** A method of a user that is not removed. */
export const findMethod = (
  queries: Queries,
  userId: number,
  id: number,
): Promise<ReceivingMethodTable | undefined> =>
  queries
    .selectFrom('receiving_method')
    .selectAll()
    .where('id', '=', BigInt(id))
    .where('user_id', '=', BigInt(userId))
    .where('removed_at', 'is', null)
    .executeTakeFirst()

export type WhichMethods = { readonly kind: 'coin' | 'bank'; readonly currencyId: number | null }

/** Those of a user that are not removed, the newest first. */
export const methodsOf = (
  queries: Queries,
  userId: number,
  { kind, currencyId }: WhichMethods,
): Promise<ReceivingMethodTable[]> =>
  queries
    .selectFrom('receiving_method')
    .selectAll()
    .where('user_id', '=', BigInt(userId))
    .where('kind', '=', kind)
    .where('removed_at', 'is', null)
    .$if(currencyId !== null, (q) => q.where('currency_id', '=', BigInt(currencyId ?? 0)))
    .orderBy('id', 'desc')
    .execute()

/** From when on a method is paid to, epoch ms. */
export const usableAt = ({ bound_at: boundAt }: ReceivingMethodTable, waitHours: number): number =>
  Number(boundAt) + waitHours * HOUR_MS

type Currency = ReceivingMethod['currency']

export const shownMethod = (
  row: ReceivingMethodTable,
  currency: Currency,
  waitHours: number,
): ReceivingMethod => ({
  ...{ id: Number(row.id), kind: row.kind === 'bank' ? 'bank' : 'coin', currencyId: Number(row.currency_id) },
  ...detailsIn(row.details),
  ...{ currency, boundAt: Number(row.bound_at), usableAt: usableAt(row, waitHours) },
})
