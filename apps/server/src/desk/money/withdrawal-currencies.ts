import type { Transaction } from 'kysely'
import type { Queries } from '../../database/open.ts'
import type { WithdrawalCurrencyTable } from '../../database/content-schema.ts'
import type { Tables } from '../../database/schema.ts'
import { isRefusal, refuse, type Refusal } from '../../http/refusal.ts'
import type { DeskServices } from '../desk-services.ts'
import { nextId } from '../next-id.ts'
import type { DeskOperator } from '../operator.ts'
import { refusalOfCurrency, withoutMargins, type CurrencyForm } from './payment-forms.ts'
import { currencyRow, shownCurrency } from './payment-rows.ts'

type Saved = { readonly id: number; readonly version: number }
type Asked = CurrencyForm & { readonly id: number | null; readonly version: number; readonly reason: string }

/** What withdrawals are paid in, with fee and price: what it costs is shown to users before they ask for one. */
export function createCurrencyChanges({ queries, acts, hub, now }: DeskServices) {
  return async (
    operator: DeskOperator,
    { id, version, reason, ...given }: Asked,
  ): Promise<Saved | Refusal> => {
    const form = withoutMargins(given)
    const refusal = refusalOfCurrency(form)
    if (refusal) return refusal
    const row = id === null ? null : await find(queries, id)
    const saved = await acts.perform(
      {
        ...{ operator, act: 'editPaymentSetup', subject: `withdrawalCurrency:${id ?? 'new'}`, reason },
        ...{ before: row && shownCurrency(row), after: form },
      },
      (within) => (id === null ? insert(within, form, now()) : renew(within, { id, version }, form, now())),
    )
    if (!isRefusal(saved)) hub.changed('payments')
    return saved
  }
}

const find = async (queries: Queries, id: number): Promise<WithdrawalCurrencyTable | null> =>
  (await queries
    .selectFrom('withdrawal_currency')
    .selectAll()
    .where('id', '=', BigInt(id))
    .executeTakeFirst()) ?? null

async function insert(within: Transaction<Tables>, form: CurrencyForm, at: number): Promise<Saved> {
  const id = await nextId(within, 'withdrawal_currency')
  await within
    .insertInto('withdrawal_currency')
    .values({ ...currencyRow(form), id, version: 1n, changed_at: BigInt(at) })
    .execute()
  return { id: Number(id), version: 1 }
}

async function renew(
  within: Transaction<Tables>,
  { id, version }: Saved,
  form: CurrencyForm,
  at: number,
): Promise<Saved | Refusal> {
  const { numUpdatedRows } = await within
    .updateTable('withdrawal_currency')
    .set({ ...currencyRow(form), version: BigInt(version + 1), changed_at: BigInt(at) })
    .where('id', '=', BigInt(id))
    .where('version', '=', BigInt(version))
    .executeTakeFirst()
  if (numUpdatedRows === 1n) return { id, version: version + 1 }
  return refuse((await find(within, id)) ? 'formOutdated' : 'paymentRowNotFound')
}
