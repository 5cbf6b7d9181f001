import type { ReceivingMethod, ReceivingMethodForm, ReceivingMethodQuery } from '@fairlot/contract'
import type { Transaction } from 'kysely'
import type { WithdrawalCurrencyTable } from '../database/content-schema.ts'
import type { ReceivingMethodTable } from '../database/payment-schema.ts'
import type { Tables } from '../database/schema.ts'
import { noteActivity } from '../database/user-activity.ts'
import type { UserCall } from '../http/api.ts'
import { isRefusal, refuse, type Refusal } from '../http/refusal.ts'
import { writeNotice } from '../notifications/notice-row.ts'
import { accountKeyOf, detailsOf, refusalOfDetails } from './method-check.ts'
import { methodsOf, shownMethod } from './method-repository.ts'
import type { PaymentServices } from './payment-services.ts'
import { findCurrency } from './payout-currencies.ts'

/** Methods that a user may have bound at once. */
const METHODS_MAX = 20

type Bound = { readonly row: ReceivingMethodTable; readonly isNew: boolean }

/** Coin addresses and bank accounts that users are paid at. */
export function createReceivingMethods(services: PaymentServices) {
  const { queries, settings, now } = services
  // Numbers are given one after the other.
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work)
    last = turn.catch(() => null)
    return turn
  }

  const bind = async (
    { user, input, device, address }: UserCall<ReceivingMethodForm>,
    currency: WithdrawalCurrencyTable,
  ) => {
    const details = detailsOf(input)
    const refusal = refusalOfDetails(input.kind, currency.protocol, details)
    if (refusal) return refusal
    const barrier = await services.checkIdentity(user.id, input.password, input.authCode)
    if (barrier) return barrier
    const row = {
      ...{ user_id: BigInt(user.id), currency_id: currency.id, kind: input.kind, bound_at: BigInt(now()) },
      ...{ details: JSON.stringify(details), account_key: accountKeyOf(currency.protocol, details) },
      removed_at: null,
    }
    const contact = await services.contactOf(user.id)
    const bound = await inTurn(() =>
      queries.transaction().execute(async (within) => {
        const added = await add(within, row)
        if (isRefusal(added) || !added.isNew) return added
        await noteActivity(within, { userId: user.id, kind: 'methodBound', at: now(), device, address })
        const account = shortened(row.account_key)
        if (contact) await services.notifier.write('methodBound', contact, { account }, within)
        await writeNotice(within, { userId: user.id, at: now(), fact: { kind: 'methodBound', account } })
        return added
      }),
    )
    if (!isRefusal(bound) && bound.isNew) services.notifier.send()
    return bound
  }

  return {
    bind: async (call: UserCall<ReceivingMethodForm>): Promise<ReceivingMethod | Refusal> => {
      const currency = await findCurrency(queries, call.input.currencyId)
      if (currency?.kind !== call.input.kind) return refuse('currencyNotFound', { field: 'draw_id' })
      const bound = await bind(call, currency)
      return isRefusal(bound) ? bound : shownMethod(bound.row, named(currency), settings.payout_wait_hours)
    },

    list: async ({ user, input }: UserCall<ReceivingMethodQuery>): Promise<ReceivingMethod[]> => {
      const currencies = await queries.selectFrom('withdrawal_currency').selectAll().execute()
      const byId = new Map(currencies.map((row) => [row.id, named(row)]))
      const rows = await methodsOf(queries, user.id, input)
      return rows.map((row) => {
        const gone = { id: Number(row.currency_id), code: '', network: '' }
        return shownMethod(row, byId.get(row.currency_id) ?? gone, settings.payout_wait_hours)
      })
    },

    remove: (call: UserCall<{ id: number }>): Promise<null | Refusal> =>
      queries.transaction().execute((within) => remove(within, call, now())),
  }
}

async function remove(
  within: Transaction<Tables>,
  { user, input, device, address }: UserCall<{ id: number }>,
  at: number,
): Promise<null | Refusal> {
  const { numUpdatedRows } = await within
    .updateTable('receiving_method')
    .set({ removed_at: BigInt(at) })
    .where('id', '=', BigInt(input.id))
    .where('user_id', '=', BigInt(user.id))
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) return refuse('methodNotFound')
  await noteActivity(within, { userId: user.id, kind: 'methodRemoved', at, device, address })
  return null
}

const named = ({ id, code, protocol }: WithdrawalCurrencyTable) => ({
  id: Number(id),
  code,
  network: protocol,
})

/** Binds what is not bound yet: a repeat finds what it has bound. */
async function add(
  within: Transaction<Tables>,
  row: Omit<ReceivingMethodTable, 'id'>,
): Promise<Bound | Refusal> {
  const own = await within
    .selectFrom('receiving_method')
    .selectAll()
    .where('user_id', '=', row.user_id)
    .where('removed_at', 'is', null)
    .execute()
  const same = own.find((each) => each.currency_id === row.currency_id && each.details === row.details)
  if (same) return { row: same, isNew: false }
  if (own.length >= METHODS_MAX) return refuse('tooManyMethods', { most: METHODS_MAX })
  const { most } = await within
    .selectFrom('receiving_method')
    .select((select) => select.fn.max('id').as('most'))
    .executeTakeFirstOrThrow()
  const added = { ...row, id: ((most as bigint | null) ?? 0n) + 1n }
  await within.insertInto('receiving_method').values(added).execute()
  return { row: added, isNew: true }
}

/** Its end is enough to know it by. */
const shortened = (accountKey: string): string => `…${accountKey.slice(-6)}`
