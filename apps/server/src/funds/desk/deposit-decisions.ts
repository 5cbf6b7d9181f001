import { createKeyedMutex } from '../../platform/concurrency.ts'
import type { CreditPreview, DeskOutcome } from '@fairlot/contract/desk'
import {
  type ArrivalClaim,
  checkCreditLimits,
  convert,
  creditFor,
  decimalText,
  type Deposit,
  type DepositCredit,
  fromUnits,
  isConfirmed,
  isRejection,
  marketRate,
  money,
  type Money,
  MONEY_DECIMALS,
  type Operator,
  pathFrom,
  price,
  type Quote,
  rateText,
  type Request,
  roundedRate,
  SENT_DECIMALS,
  type State,
} from '@fairlot/core'
import type { Approvals, MadeBy } from '../../desk/approvals/approvals.ts'
import type { DeskServices } from '../../desk/desk-services.ts'
import type { DeskOperator } from '../../desk/operators/operators.ts'
import { readEngine } from '../../engine/calls.ts'
import type { Engine } from '../../engine/engine.ts'
import type { ApprovalTable } from '../../platform/database/desk-schema.ts'
import type { Queries } from '../../platform/database/open.ts'
import { atField, isRefusal, type Refusal, refuse } from '../../platform/refusal.ts'
import { contextOf } from '../deposit-channels.ts'
import { amountText } from './money-cases.ts'

/** `amount`: in units of 1e-8 of the currency sent. `arrivedAt`: epoch ms of real time; null for now. */
type Arrived = { readonly id: number; readonly amount: bigint; readonly arrivedAt: number | null }
type Finish = Arrived & { readonly reason: string }
type Refuse = { readonly id: number; readonly outcome: 'rejected' | 'invalid'; readonly reason: string }

const ACT = 'decideDeposit' as const
/** The kind of approval for a credit that needs two operators. */
export const FINISH_DEPOSIT = 'finishDeposit'
export const caseKeyOf = (id: number): string => `deposit:${id}`

/** What to credit: the arrived amount with its rate, or account money for cases from before deposits had a currency. */
type Given = { readonly amount: Money } | { readonly arrived: ArrivalClaim }

/** A credit as calculated now. `isFar`: its rate is so far from the market's that it needs two operators. */
type Calculated = {
  readonly given: Given
  readonly credit: DepositCredit | null
  readonly credited: Money
  readonly isFar: boolean
}

/** Credits what has arrived, or refuses a deposit. Large credits, and those at an unusual rate, need two operators. */
export function createDepositDecisions({ deployment, queries, engineCommands, approvals }: DeskServices) {
  const { engine, market, wallClock } = deployment
  const now = () => market.now()
  const find = (id: number) => findOpen(engine, id)
  /** The bar behind a rate must be complete, and stay after a crash: `verify` compares the rate with it. */
  const keepBars = () => market.candles.flush()
  const calculate = async (
    deposit: Deposit,
    { amount, arrivedAt }: Arrived,
  ): Promise<Calculated | Refusal> => {
    const { sent } = deposit
    if (sent === null) return ofAccountMoney(amount)
    const at = arrivedAt === null ? null : arrivalWithin(deposit, now() - (wallClock() - arrivedAt))
    const needsBar = at !== null && sent.fixedRate === null
    if (needsBar) await keepBars()
    const rate = needsBar ? await rateAt(queries, engine.state(), { currency: sent.currency, at }) : null
    const arrived = { amount, ...(at !== null && { at }), ...(rate !== null && { rate }) }
    const credit = await readEngine(engine, (state) => {
      const found = creditFor(contextOf(state), { ...deposit, sent }, arrived, now())
      return isRejection(found) ? ofField(found) : found
    })
    if (isRefusal(credit)) return credit
    return { given: { arrived }, credit, credited: credit.credited, isFar: credit.isFarFromMid }
  }
  const credit = async (deposit: Deposit, given: Given, by: MadeBy): Promise<Refusal | null> => {
    const done = await engineCommands.execute(
      { ...by, ...entryFor(deposit), after: { ...creditStated(deposit, given), status: 'finished' } },
      { type: 'endDeposit', caseId: deposit.id, outcome: 'finished', ...given },
    )
    return isRefusal(done) ? done : null
  }

  approvals.register(FINISH_DEPOSIT, {
    isDecidedAtSubject: true,
    execute: async (body, approved) => {
      const { id, given } = approvedIn(body)
      const deposit = await find(id)
      return isRefusal(deposit) ? deposit : credit(deposit, given, approved)
    },
  })

  const finish = async (
    operator: DeskOperator,
    form: Finish,
    request?: Request,
  ): Promise<DeskOutcome | Refusal> => {
    const { id, reason } = form
    const deposit = await find(id)
    if (isRefusal(deposit)) return deposit
    const calculated = await calculate(deposit, form)
    if (isRefusal(calculated)) return calculated
    if (!needsSecond(engine.state(), operatorOf(operator), { deposit, calculated, at: now() })) {
      const refusal = await credit(deposit, calculated.given, { operator, reason })
      return refusal ?? { approvalId: null }
    }
    const given = fixed(calculated)
    await keepBars()
    return approvals.request(operator, {
      kind: FINISH_DEPOSIT,
      subject: caseKeyOf(id),
      accountId: deposit.accountId,
      reason,
      request,
      body: { id, ...given },
      before: { told: amountText(deposit.amount) },
      after: {
        ...creditStated(deposit, given),
        ...(calculated.credit && { rate: rateText(calculated.credit.arrived.rate) }),
        credited: amountText(calculated.credited),
      },
    })
  }
  const refuseDeposit = async (
    operator: DeskOperator,
    { id, outcome, reason }: Refuse,
  ): Promise<Refusal | null> => {
    const deposit = await find(id)
    if (isRefusal(deposit)) return deposit
    const done = await engineCommands.execute(
      { operator, ...entryFor(deposit), reason, after: { status: outcome } },
      { type: 'endDeposit', caseId: id, outcome },
    )
    return isRefusal(done) ? done : null
  }
  const once = createOnce(approvals)
  return {
    finish: async (operator: DeskOperator, form: Finish, request?: Request) => {
      const known = await approvals.repeated(request)
      return known ?? once(form.id, () => finish(operator, form, request))
    },
    refuse: (operator: DeskOperator, form: Refuse) => once(form.id, () => refuseDeposit(operator, form)),
    preview: async (operator: DeskOperator, form: Arrived): Promise<CreditPreview | Refusal> => {
      const deposit = await find(form.id)
      if (isRefusal(deposit)) return deposit
      const calculated = await calculate(deposit, form)
      if (isRefusal(calculated)) return calculated
      const state = engine.state()
      const { sent } = deposit
      const { accountCurrency } = state.settings
      return {
        currency: sent?.currency ?? accountCurrency,
        accountCurrency,
        rate: calculated.credit?.arrived.rate ?? null,
        isRateFixed: sent !== null && (sent.fixedRate !== null || sent.currency === accountCurrency),
        rateNow: sent && (marketRate(state, sent.currency)?.rate ?? null),
        credited: calculated.credited,
        needsSecond: needsSecond(state, operatorOf(operator), { deposit, calculated, at: now() }),
      }
    },
  }
}

const FIELDS: Partial<Record<Refusal['rejected'], string>> = {
  amountInvalid: 'amount',
  arrivalInvalid: 'arrivedAt',
}

/** A refusal of the core, with the field of the form that it is about. */
const ofField = (refusal: Refusal): Refusal => {
  const field = FIELDS[refusal.rejected]
  return field === undefined ? refusal : atField(refusal, field)
}

/** For a case from before deposits had a currency: the amount is account money, with at most six decimals. */
function ofAccountMoney(amount: bigint): Calculated | Refusal {
  const digits = 10n ** BigInt(SENT_DECIMALS - MONEY_DECIMALS)
  if (amount <= 0n || amount % digits !== 0n) {
    const text = decimalText(fromUnits(amount, SENT_DECIMALS))
    return refuse('amountInvalid', { amount: text, field: 'amount' })
  }
  const credited = money(amount / digits)
  return { given: { amount: credited }, credit: null, credited, isFar: false }
}

/** Operators enter arrivals to the minute: one in the minute of the report counts as the moment of the report. */
const arrivalWithin = ({ openedAt }: Pick<Deposit, 'openedAt'>, at: number): number =>
  at < openedAt && at > openedAt - MINUTE_MS ? openedAt : at

/** Fixes the rate when the approval is requested: the second operator approves exactly this credit, however late. */
function fixed({ given, credit }: Calculated): Given {
  if (!credit) return given
  const { amount, at, rate } = credit.arrived
  return { arrived: { amount, at, rate } }
}

/** Reads a stored request, whose amounts are text in JSON. */
function approvedIn(body: unknown): { readonly id: number; readonly given: Given } {
  const { id, amount, arrived } = body as {
    readonly id: number
    readonly amount?: string
    readonly arrived?: { readonly amount: string; readonly at: number; readonly rate: string }
  }
  if (!arrived) return { id, given: { amount: money(BigInt(amount ?? 0)) } }
  const claim = { amount: BigInt(arrived.amount), at: arrived.at, rate: BigInt(arrived.rate) }
  return { id, given: { arrived: claim } }
}

/** The credit that waits for a second operator, as stated in its audit entry. */
export const requestedCredit = ({ after }: Pick<ApprovalTable, 'after'>): Readonly<Record<string, string>> =>
  JSON.parse(after ?? '{}') as Readonly<Record<string, string>>

/** The credit as stated in the audit entry; the engine adds its rate and amount. */
const creditStated = ({ sent }: Deposit, given: Given) =>
  'arrived' in given
    ? { arrived: sentText(given.arrived.amount, sent?.currency ?? '') }
    : { credited: amountText(given.amount) }

/** For example `0.5 BTC`. */
export const sentText = (amount: bigint, currency: string): string =>
  `${decimalText(fromUnits(amount, SENT_DECIMALS))} ${currency}`

const operatorOf = ({ id, role }: DeskOperator): Operator => ({
  type: 'operator',
  id,
  role,
  reason: '',
  second: null,
})

type CreditToCheck = { readonly deposit: Deposit; readonly calculated: Calculated; readonly at: number }

/** Whether a credit needs two operators, for its amount within 24 hours or its rate. The engine checks this again. */
function needsSecond(state: State, by: Operator, { deposit, calculated, at }: CreditToCheck): boolean {
  if (isConfirmed(by)) return false
  const { id: caseId, accountId } = deposit
  const sums = { at, destination: null, caseId, accountId, amount: calculated.credited }
  return calculated.isFar || checkCreditLimits(state, by, sums) !== null
}

const findOpen = (engine: Engine, id: number) =>
  readEngine(engine, (state): Deposit | Refusal => {
    const found = state.cases.get(id)
    if (found?.kind === 'deposit') return found
    return refuse(id <= state.lastCaseId ? 'caseEnded' : 'caseNotFound', { caseId: id })
  })

const entryFor = ({ id, accountId, amount, sent }: Deposit) => ({
  act: ACT,
  subject: caseKeyOf(id),
  caseKey: caseKeyOf(id),
  accountId,
  before: {
    ...(sent && { sent: sentText(sent.amount, sent.currency) }),
    told: amountText(amount),
    status: 'open',
  },
})

/** Runs the decisions on a deposit one after the other, and none while an approval is pending. */
function createOnce({ waitingFor }: Pick<Approvals, 'waitingFor'>) {
  const withLock = createKeyedMutex()
  return <T>(id: number, work: () => Promise<T | Refusal>): Promise<T | Refusal> =>
    withLock(String(id), async () => {
      const waiting = await waitingFor(FINISH_DEPOSIT, [caseKeyOf(id)])
      return waiting.size > 0 ? refuse('secondPersonAsked') : work()
    })
}

const MINUTE_MS = 60_000

/**
 * The rate of a currency in the account currency at a moment (epoch ms on the market clock), from the closes of the
 * last full minute before it. In units of 1e-10; null if a pair has no bar so early.
 */
async function rateAt(
  queries: Queries,
  state: State,
  { currency, at }: { readonly currency: string; readonly at: number },
): Promise<bigint | null> {
  const path = pathFrom(state, currency)
  if (!path) return null
  const closes = new Map<number, Quote>()
  for (const { instrument } of path) {
    const source = state.sources.get(instrument.id)?.kind ?? null
    if (source === null) return null
    const bar = await queries
      .selectFrom('candle')
      .select(['close', 'time'])
      .where('instrument_id', '=', BigInt(instrument.id))
      .where('source', '=', source)
      .where('period', '=', '1min')
      .where('time', '<=', BigInt(at - MINUTE_MS))
      .orderBy('time', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (!bar) return null
    const [close, time] = [price(Number(bar.close)), Number(bar.time)]
    closes.set(instrument.id, {
      instrumentId: instrument.id,
      bid: close,
      ask: close,
      time,
      source,
      seq: 0,
      receivedAt: time,
    })
  }
  const conversion = convert(path, (id) => closes.get(id))
  const rate = conversion && roundedRate(conversion.rate)
  return rate === null || rate <= 0n ? null : rate
}
