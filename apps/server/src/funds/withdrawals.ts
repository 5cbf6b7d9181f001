import {
  requestWithdrawal,
  WITHDRAWAL_WIRE_NAMES,
  type WithdrawalForm,
  type WithdrawalPage,
  type WithdrawalQuery,
  type WithdrawalView,
} from '@fairlot/contract'
import {
  type Decimal,
  decimalText,
  fromUnits,
  money,
  MONEY_DECIMALS,
  PAYOUT_PRICE_DECIMALS,
  readDecimal,
  toUnits,
} from '@fairlot/core'
import { resultOf } from '../engine/calls.ts'
import type { WithdrawalCurrencyTable } from '../platform/database/content-schema.ts'
import type { Queries } from '../platform/database/open.ts'
import type { ReceivingMethodTable, WithdrawalTable } from '../platform/database/payment-schema.ts'
import type { MoneyCaseTable } from '../platform/database/schema.ts'
import type { UserCall } from '../platform/http/api.ts'
import type { Translate } from '../platform/i18n/translate.ts'
import { atField, isRefusal, type Refusal, refuse } from '../platform/refusal.ts'
import { leftInCurrency } from './day-limits.ts'
import { destinationOf, detailsIn, findMethod, usableAt } from './receiving-methods.ts'
import {
  type CaseServices,
  earlierCase,
  type PaymentServices,
  refusalOfAnotherCase,
} from './payment-cases.ts'
import { findCurrency, type Quoted, quotePayout } from './payout-currencies.ts'
import { ONE_ROW, type RowSlice, sliceOf } from './row-slice.ts'

type Payable = { readonly currency: WithdrawalCurrencyTable; readonly method: ReceivingMethodTable }

/** Users' withdrawals. The money is frozen at once; only the fee that the user was shown is charged. */
export function createWithdrawals(services: CaseServices) {
  const { queries, engine } = services

  const shown = async (call: UserCall<unknown>, caseId: number): Promise<WithdrawalView | Refusal> => {
    await engine.caughtUp()
    const [row] = await withdrawalsOf(queries, { userId: call.user.id, caseId })
    return row ? shownWithdrawal(row, call.translate) : refuse('caseNotFound', { caseId })
  }
  const changed = async (call: UserCall<unknown>, caseId: number) => {
    const view = await shown(call, caseId)
    services.onSubmitted()
    return view
  }

  return {
    request: async (call: UserCall<WithdrawalForm>): Promise<WithdrawalView | Refusal> => {
      // One at a time, so that two concurrent requests cannot both pass the daily limit.
      const caseId = await services.withLock(`withdrawal ${call.user.id}`, () => open(services, call))
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
      const which = { userId: user.id, kind: input.kind }
      const rows = await withdrawalsOf(queries, which, sliceOf(input))
      return { withdrawals: rows.map((row) => shownWithdrawal(row, translate)), total: Number(total) }
    },

    find: (call: UserCall<{ id: number }>) => shown(call, call.input.id),

    cancel: async (call: UserCall<{ id: number }>): Promise<WithdrawalView | Refusal> => {
      const { user, input, request } = call
      const entry = await resultOf(engine, {
        type: 'cancelWithdrawal',
        accountId: user.id,
        caseId: input.id,
        request,
      })
      if (!isRefusal(entry)) return changed(call, input.id)
      // Cases of other users look like unknown ones.
      if (entry.rejected !== 'caseEnded') return entry
      const own = await shown(call, input.id)
      return isRefusal(own) ? own : entry
    },
  }
}

async function open(services: CaseServices, call: UserCall<WithdrawalForm>): Promise<number | Refusal> {
  const earlier = await earlierCase(services, call)
  if (earlier !== null) return earlier
  const asked = await quotedOf(services, call)
  if (isRefusal(asked)) return asked
  const refusal = await refusalOfRequest(services, call, asked)
  if (refusal) return refusal
  // Operators may have changed the price, or switched the currency off, while the request was checked.
  return services.withCurrency(String(asked.currency.id), async () => {
    const payable = await quotedOf(services, call)
    return isRefusal(payable) ? payable : freeze(services, call, payable)
  })
}

/** Has the engine take a withdrawal at its quote. */
async function freeze(
  services: CaseServices,
  call: UserCall<WithdrawalForm>,
  payable: NewWithdrawal,
): Promise<number | Refusal> {
  const { user, input, request } = call
  const { amount } = input
  const { currency, method, quoted } = payable
  const payout = {
    methodId: Number(method.id),
    destination: await destinationOf(services.queries, method),
    currencyId: Number(currency.id),
    price: quoted.priceUnits,
    received: quoted.receivedUnits,
  }
  const opened = await services.cases.open({
    userId: user.id,
    call: requestWithdrawal.name,
    request,
    kind: 'withdrawal',
    row: rowOf(services, call, payable),
    command: (named) => ({
      type: 'requestWithdrawal',
      accountId: user.id,
      amount,
      fee: quoted.fee,
      payout,
      request: named,
    }),
  })
  return isRefusal(opened) && OF_AMOUNT.has(opened.rejected)
    ? atField(opened, WITHDRAWAL_WIRE_NAMES.amount)
    : opened
}

/** What the engine refuses for the amount. */
const OF_AMOUNT: ReadonlySet<Refusal['rejected']> = new Set(['amountInvalid', 'notEnoughMoney'])

/** What a withdrawal pays at the quote in force; a refusal where that is another one than its owner was shown. */
async function quotedOf(
  services: PaymentServices,
  call: UserCall<WithdrawalForm>,
): Promise<NewWithdrawal | Refusal> {
  const payable = await payableOf(services, call)
  if (isRefusal(payable)) return payable
  const quoted = quotePayout(payable.currency, call.input.amount)
  return isRefusal(quoted) ? quoted : (refusalOfQuote(call.input, quoted) ?? { ...payable, quoted })
}

/** The currency and the receiving method of a withdrawal. The method must belong to the user and to the currency. */
async function payableOf(
  { queries }: PaymentServices,
  { user, input }: UserCall<WithdrawalForm>,
): Promise<Payable | Refusal> {
  const currency = await findCurrency(queries, input.currencyId)
  if (!currency) return refuse('currencyNotFound', { field: WITHDRAWAL_WIRE_NAMES.currencyId })
  const method = await findMethod(queries, user.id, input.methodId)
  return method?.currency_id === currency.id
    ? { currency, method }
    : refuse('methodNotFound', { field: WITHDRAWAL_WIRE_NAMES.methodId })
}

/** Checks a request before its money. The second factor comes last, as its code can be used only once. */
async function refusalOfRequest(
  services: PaymentServices,
  { user, input }: UserCall<WithdrawalForm>,
  { currency, method }: Payable,
): Promise<Refusal | null> {
  const { settings, queries, engine, now } = services
  if (settings.unverified_may_withdraw === 0 && !(await isVerified(queries, user.id)))
    return refuse('identityUnverified')
  const waitMs = usableAt(method, settings.payout_wait_hours) - now()
  if (waitMs > 0) return refuse('methodTooNew', { noticeMs: waitMs })
  await engine.caughtUp()
  const left = await leftInCurrency({ queries, userId: user.id, now: now() }, currency)
  if (left !== null && input.amount > left)
    return refuse('payoutDayLimitReached', { limit: left, field: 'number' })
  return (
    (await refusalOfAnotherCase(engine, user.id, 'withdrawal')) ??
    services.checkSecondFactor(user.id, input.authCode, 'withdrawal')
  )
}

/** Refuses a request with an outdated quote, with the current figures. */
function refusalOfQuote(
  { quotedFee, quotedPrice, quotedReceived }: WithdrawalForm,
  quoted: Quoted,
): Refusal | null {
  const price = readDecimal(quoted.price, PAYOUT_PRICE_DECIMALS)
  const received = readDecimal(quoted.received, PAYOUT_PRICE_DECIMALS)
  const isSame =
    (quotedFee === null || quotedFee === quoted.fee) &&
    (quotedPrice === null || isSameDecimal(quotedPrice, price)) &&
    (quotedReceived === null || isSameDecimal(quotedReceived, received))
  return isSame
    ? null
    : refuse('payoutQuoteChanged', {
        quotedFee: decimalText(fromUnits(quoted.fee, MONEY_DECIMALS)),
        quotedPrice: quoted.price,
        quotedReceived: quoted.received,
      })
}

const isSameDecimal = (one: Decimal, other: Decimal | null): boolean =>
  other !== null && toUnits(one, PAYOUT_PRICE_DECIMALS) === toUnits(other, PAYOUT_PRICE_DECIMALS)

/** Whether operators have verified a user's identity. */
export async function isVerified(queries: Queries, userId: number): Promise<boolean> {
  const row = await queries
    .selectFrom('verified_person')
    .select('at')
    .where('user_id', '=', BigInt(userId))
    .executeTakeFirst()
  return row !== undefined
}

type NewWithdrawal = Payable & { readonly quoted: Quoted }

const rowOf = (
  { now }: PaymentServices,
  { user, input }: UserCall<WithdrawalForm>,
  { quoted, currency, method }: NewWithdrawal,
): Omit<WithdrawalTable, 'case_id' | 'reference_key'> => ({
  user_id: BigInt(user.id),
  currency_id: currency.id,
  code: currency.code,
  protocol: currency.protocol,
  kind: currency.kind,
  price: currency.usd_price,
  received: quoted.received,
  method_id: method.id,
  method: method.details,
  memo: input.memo,
  asked_at: BigInt(now()),
  reference: '',
})

/** A withdrawal with its case, and the roles of the operators who decided it. */
export type WithdrawalRow = WithdrawalTable &
  Pick<
    MoneyCaseTable,
    | 'amount'
    | 'fee'
    | 'status'
    | 'opened_at'
    | 'ended_at'
    | 'ended_by'
    | 'ended_reason'
    | 'approved_at'
    | 'paying_at'
  > & {
    readonly ended_role: string | null
    readonly approved_role: string | null
    readonly paying_role: string | null
  }

export type WhichWithdrawals = {
  readonly userId: number
  readonly kind?: 'coin' | 'bank'
  readonly caseId?: number
}

/** Withdrawals of a user, newest first. The tables must be up to date. */
function withdrawalsOf(
  queries: Queries,
  { userId, kind, caseId }: WhichWithdrawals,
  { limit, offset, before }: RowSlice = ONE_ROW,
): Promise<WithdrawalRow[]> {
  return queries
    .selectFrom('withdrawal')
    .innerJoin('money_case', 'money_case.id', 'withdrawal.case_id')
    .leftJoin('operator as ender', 'ender.id', 'money_case.ended_by')
    .leftJoin('operator as approver', 'approver.id', 'money_case.approved_by')
    .leftJoin('operator as payer', 'payer.id', 'money_case.paying_by')
    .selectAll('withdrawal')
    .select(['amount', 'fee', 'status', 'opened_at', 'ended_at', 'ended_by', 'ended_reason'])
    .select(['approved_at', 'paying_at'])
    .select(['ender.role as ended_role', 'approver.role as approved_role', 'payer.role as paying_role'])
    .where('user_id', '=', BigInt(userId))
    .$if(kind !== undefined, (q) => q.where('withdrawal.kind', '=', kind ?? ''))
    .$if(caseId !== undefined, (q) => q.where('case_id', '=', BigInt(caseId ?? 0)))
    .$if(before !== null, (q) => q.where('case_id', '<', before ?? 0n))
    .orderBy('case_id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

type Status = WithdrawalView['status']
type Step = WithdrawalView['steps'][number]

const ENDS: readonly Status[] = ['paid', 'rejected', 'cancelled']

const statusOf = ({ status, approved_at: approvedAt }: WithdrawalRow): Status =>
  ENDS.find((end) => end === status) ?? (approvedAt === null ? 'waiting' : 'approved')

function shownWithdrawal(row: WithdrawalRow, translate: Translate): WithdrawalView {
  const status = statusOf(row)
  const details = detailsIn(row.method)
  const isOpen = status === 'waiting' || status === 'approved'
  return {
    id: Number(row.case_id),
    amount: money(row.amount),
    fee: money(row.fee),
    received: decimal(row.received),
    status,
    statusName: translate(`withdrawal.status.${status}`),
    createdAt: Number(row.opened_at),
    kind: row.kind === 'bank' ? 'bank' : 'coin',
    address: details.address,
    tag: details.tag ?? '',
    payeeAccount: details.iban || details.payeeAccount,
    memo: row.memo,
    currency: { code: row.code, network: row.protocol },
    price: decimal(row.price),
    methodId: Number(row.method_id),
    remark: status === 'rejected' ? row.ended_reason : '',
    reference: status === 'paid' ? row.reference : '',
    steps: stepsOf(row, status, translate),
    holder: isOpen ? translate('withdrawal.role.finance') : '',
  }
}

function stepsOf(row: WithdrawalRow, status: Status, translate: Translate): Step[] {
  const role = (name: string) => translate(`withdrawal.role.${name}`)
  const requested: Step = { kind: 'asked', at: Number(row.opened_at), role: role('user'), reason: '' }
  const stepOf = (kind: Step['kind'], at: bigint | null, by: string | null): Step[] =>
    at === null ? [] : [{ kind, at: Number(at), role: role(by ?? 'finance'), reason: '' }]
  const taken = [
    requested,
    ...stepOf('approved', row.approved_at, row.approved_role),
    // A payment that was started and completed at once is one step.
    ...(row.paying_at === row.ended_at ? [] : stepOf('paying', row.paying_at, row.paying_role)),
  ]
  if (status === 'waiting' || status === 'approved') return taken
  const by = row.ended_by === null ? 'user' : (row.ended_role ?? 'finance')
  const reason = status === 'rejected' ? row.ended_reason : ''
  return [...taken, { kind: status, at: Number(row.ended_at ?? 0), role: role(by), reason }]
}

const decimal = (text: string): Decimal => readDecimal(text, PAYOUT_PRICE_DECIMALS) ?? (0 as Decimal)
