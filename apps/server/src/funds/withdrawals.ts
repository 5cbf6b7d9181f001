import { askWithdrawal, PAGE_ROWS } from '@fairlot/contract'
import type { WithdrawalForm, WithdrawalPage, WithdrawalQuery, WithdrawalView } from '@fairlot/contract'
import type { WithdrawalCurrencyTable } from '../database/content-schema.ts'
import type { ReceivingMethodTable, WithdrawalTable } from '../database/payment-schema.ts'
import type { UserCall } from '../http/api.ts'
import { isRefusal, refuse, resultOf, type Refusal } from '../http/refusal.ts'
import { leftInCurrency } from './day-limits.ts'
import { isRepeat, refusalOfMore } from './open-cases.ts'
import type { CaseServices } from './case-services.ts'
import type { PaymentServices } from './payment-services.ts'
import { findCurrency, quotePayout, type Quoted } from './payout-currencies.ts'
import { findMethod, usableAt } from './method-repository.ts'
import { shownWithdrawal, withdrawalsOf } from './withdrawal-view.ts'

type Payable = { readonly currency: WithdrawalCurrencyTable; readonly method: ReceivingMethodTable }

/** Withdrawals as users ask for them: the money is frozen at once, and the fee that was shown is all that is taken. */
export function createWithdrawals(services: CaseServices) {
  const { queries, engine } = services

  const shown = async (call: UserCall<unknown>, caseId: number): Promise<WithdrawalView | Refusal> => {
    await engine.caughtUp()
    const [row] = await withdrawalsOf(queries, { userId: call.user.id, caseId })
    return row ? shownWithdrawal(row, call.translate) : refuse('caseNotFound', { caseId })
  }
  const changed = async (call: UserCall<unknown>, caseId: number) => {
    const view = await shown(call, caseId)
    services.onSent()
    return view
  }

  return {
    ask: async (call: UserCall<WithdrawalForm>): Promise<WithdrawalView | Refusal> => {
      // One after the other, so that two at once are not both within the limit of the day.
      const caseId = await services.inTurn(`withdrawal ${call.user.id}`, () => open(services, call))
      return isRefusal(caseId) ? caseId : changed(call, caseId)
    },

    list: async ({ user, input, translate }: UserCall<WithdrawalQuery>): Promise<WithdrawalPage> => {
      await engine.caughtUp()
      const { total } = await queries
        .selectFrom('withdrawal')
        .select(({ fn }) => fn.countAll<bigint>().as('total'))
        .where('user_id', '=', BigInt(user.id))
        .where('kind', '=', input.kind)
        .executeTakeFirstOrThrow()
      const page = { limit: PAGE_ROWS, offset: (input.page - 1) * PAGE_ROWS }
      const rows = await withdrawalsOf(queries, { userId: user.id, kind: input.kind }, page)
      return { withdrawals: rows.map((row) => shownWithdrawal(row, translate)), total: Number(total) }
    },

    find: (call: UserCall<{ id: number }>) => shown(call, call.input.id),

    takeBack: async (call: UserCall<{ id: number }>): Promise<WithdrawalView | Refusal> => {
      const { user, input, request } = call
      if (!(await isFreeToTakeBack(services, user.id, input.id))) return refuse('withdrawalApproved')
      const entry = await resultOf(engine, {
        ...{ type: 'cancelWithdrawal', accountId: user.id, caseId: input.id, request },
      })
      if (!isRefusal(entry)) return changed(call, input.id)
      // Of somebody else's case nobody learns whether it was there.
      if (entry.rejected !== 'caseEnded') return entry
      const own = await shown(call, input.id)
      return isRefusal(own) ? own : entry
    },
  }
}

async function open(services: CaseServices, call: UserCall<WithdrawalForm>): Promise<number | Refusal> {
  const { user, input, request } = call
  const payable = await payableOf(services, call)
  if (isRefusal(payable)) return payable
  const quoted = quotePayout(payable.currency, input.amount)
  if (isRefusal(quoted)) return quoted
  if (!(await isRepeat(services, call))) {
    const refusal = await refusalOfAsking(services, call, payable)
    if (refusal) return refusal
  }
  const { amount } = input
  return services.drafts.open({
    ...{ userId: user.id, call: askWithdrawal.name, request, kind: 'withdrawal' },
    row: rowOf(services, call, { quoted, ...payable }),
    command: (named) => ({
      ...{ type: 'requestWithdrawal', accountId: user.id, amount, fee: quoted.fee, request: named },
    }),
  })
}

/** Marks it as taken back, so that nobody approves it at the same time; false for one that is approved: it may be paid already. */
async function isFreeToTakeBack(
  { queries, now }: PaymentServices,
  userId: number,
  caseId: number,
): Promise<boolean> {
  const { numUpdatedRows } = await queries
    .updateTable('withdrawal')
    .set({ taken_back_at: BigInt(now()) })
    .where('case_id', '=', BigInt(caseId))
    .where('user_id', '=', BigInt(userId))
    .where('approved_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 1n) return true
  const own = await withdrawalsOf(queries, { userId, caseId })
  return !own.some((row) => row.status === 'open' && row.approved_at !== null)
}

/** The currency and the method of a withdrawal, which have to be one another's and the user's own. */
async function payableOf(
  { queries }: PaymentServices,
  { user, input }: UserCall<WithdrawalForm>,
): Promise<Payable | Refusal> {
  const currency = await findCurrency(queries, input.currencyId)
  if (!currency) return refuse('currencyNotFound')
  const method = await findMethod(queries, user.id, input.methodId)
  return method?.currency_id === currency.id
    ? { currency, method }
    : refuse('methodNotFound', { field: 'draw_method_id' })
}

/** What stops a withdrawal before the money is looked at; the code of a second factor is taken last, for it is good once. */
async function refusalOfAsking(
  services: PaymentServices,
  { user, input }: UserCall<WithdrawalForm>,
  { currency, method }: Payable,
): Promise<Refusal | null> {
  const { settings, queries, engine, now } = services
  if (settings.unverified_may_withdraw === 0 && !(await isVerified(services, user.id)))
    return refuse('identityUnverified')
  const waitMs = usableAt(method, settings.payout_wait_hours) - now()
  if (waitMs > 0) return refuse('methodTooNew', { noticeMs: waitMs })
  await engine.caughtUp()
  const left = await leftInCurrency({ queries, userId: user.id, now: now() }, currency)
  if (left !== null && input.amount > left)
    return refuse('payoutDayLimitReached', { limit: left, field: 'number' })
  return (
    (await refusalOfMore(engine, user.id, 'withdrawal')) ??
    services.checkSecondFactor(user.id, input.authCode)
  )
}

async function isVerified({ queries }: PaymentServices, userId: number): Promise<boolean> {
  const row = await queries
    .selectFrom('verified_person')
    .select('at')
    .where('user_id', '=', BigInt(userId))
    .executeTakeFirst()
  return row !== undefined
}

type Asked = Payable & { readonly quoted: Quoted }

const rowOf = (
  { now }: PaymentServices,
  { user, input }: UserCall<WithdrawalForm>,
  { quoted, currency, method }: Asked,
): Omit<WithdrawalTable, 'case_id'> => ({
  ...{ user_id: BigInt(user.id), currency_id: currency.id },
  ...{ code: currency.code, protocol: currency.protocol, kind: currency.kind, price: currency.usd_price },
  ...{ received: quoted.received, method_id: method.id, method: method.details, memo: input.memo },
  ...{
    asked_at: BigInt(now()),
    taken_back_at: null,
    approved_at: null,
    approved_by: null,
    approved_name: null,
  },
  ...{ approved_role: null, reference: '' },
})
