import type { CaseFact, DeskOutcome } from '@fairlot/contract/desk'
import type { Request, Withdrawal } from '@fairlot/core'
import { textsForUser } from '../../desk/approvals/user-texts.ts'
import type { MadeBy } from '../../desk/approvals/approvals.ts'
import type { OperatorCommand } from '../../desk/audit-log/engine-commands.ts'
import type { DeskServices } from '../../desk/desk-services.ts'
import { type DeskOperator, listOperatorRows } from '../../desk/operators/operators.ts'
import type { CaseContents, RiskSign, WaitingItem, WaitingSource } from '../../desk/waiting/waiting-list.ts'
import { readEngine } from '../../engine/calls.ts'
import type { Queries } from '../../platform/database/open.ts'
import type { WithdrawalTable } from '../../platform/database/payment-schema.ts'
import type { MoneyCaseTable } from '../../platform/database/schema.ts'
import { transactionKey } from '../../platform/database/transaction-number.ts'
import { grouped } from '../../platform/i18n/translate.ts'
import { isRefusal, type Refusal, refuse } from '../../platform/refusal.ts'
import { detailsIn } from '../receiving-methods.ts'
import { isVerified } from '../withdrawals.ts'
import {
  accountFacts,
  amountText,
  moneyCaseSource,
  moneyFact,
  paidFacts,
  shownAmount,
  step,
  textFact,
} from './money-cases.ts'

type Decided = { readonly id: number; readonly reason: string }
type Paid = Decided & { readonly reference: string }

const ACT = 'decideWithdrawal'
/** The kind of approval for rejecting an approved withdrawal, whose money may already be on its way. */
const REJECT_APPROVED = 'rejectApprovedWithdrawal'
const PAYMENT_REFERENCE = 'paymentReference'
const caseKeyOf = (id: number): string => `withdrawal:${id}`

type Held = Pick<Withdrawal, 'accountId' | 'amount' | 'status' | 'approvedBy'>

/** A withdrawal whose money is frozen. */
const findHeld = ({ deployment }: DeskServices, id: number): Promise<Held | Refusal> =>
  readEngine(deployment.engine, (state): Held | Refusal => {
    const found = state.cases.get(id)
    if (found?.kind === 'withdrawal') {
      const { accountId, amount, status, approvedBy } = found
      return { accountId, amount, status, approvedBy }
    }
    return refuse(id <= state.lastCaseId ? 'caseEnded' : 'caseNotFound', { caseId: id })
  })

type Step = {
  readonly command: OperatorCommand
  readonly after: object
  readonly effect?: { readonly name: string; readonly body: unknown }
}

/**
 * A withdrawal is approved by one operator and paid by another. Before its approval one operator may reject it,
 * afterwards two must. The engine decides each case once, whatever is requested concurrently.
 */
export function createWithdrawalDecisions(services: DeskServices) {
  const { engineCommands, approvals } = services
  const decide = async (by: MadeBy, id: number, { command, ...step }: Step): Promise<Refusal | null> => {
    const held = await findHeld(services, id)
    if (isRefusal(held)) return held
    const { accountId, amount, status } = held
    const done = await engineCommands.execute(
      {
        ...by,
        act: ACT,
        subject: caseKeyOf(id),
        caseKey: caseKeyOf(id),
        accountId,
        before: { amount: amountText(amount), status },
        ...step,
      },
      command,
    )
    return isRefusal(done) ? done : null
  }
  const rejection = (id: number): Step => ({
    command: { type: 'endWithdrawal', caseId: id, outcome: 'rejected' },
    after: { status: 'rejected' },
  })

  engineCommands.registerEffect(PAYMENT_REFERENCE, async (within, body) => {
    const { id, reference } = body as { readonly id: number; readonly reference: string }
    await within
      .updateTable('withdrawal')
      .set({ reference, reference_key: transactionKey(reference) })
      .where('case_id', '=', BigInt(id))
      .execute()
  })
  approvals.register(REJECT_APPROVED, {
    isDecidedAtSubject: true,
    execute: (body, approved) => {
      const { id } = body as { readonly id: number }
      return decide(approved, id, rejection(id))
    },
  })

  return {
    approve: (operator: DeskOperator, { id, reason }: Decided) =>
      decide({ operator, reason }, id, {
        command: { type: 'approveWithdrawal', caseId: id },
        after: { status: 'approved' },
      }),
    start: (operator: DeskOperator, { id, reason }: Decided) =>
      decide({ operator, reason }, id, {
        command: { type: 'startPayment', caseId: id },
        after: { status: 'paying' },
      }),
    pay: async (operator: DeskOperator, { id, reference, reason }: Paid): Promise<Refusal | null> => {
      if (transactionKey(reference) === '') return refuse('referenceMissing', { field: 'reference' })
      const held = await findHeld(services, id)
      if (isRefusal(held)) return held
      // Possible only on a desk with a single operator, for money from before the two-operator rules.
      const { hasSecondOperator } = services.deployment.engine.state()
      const isByOne = held.approvedBy === operator.id && !hasSecondOperator
      return decide({ operator, reason }, id, {
        command: { type: 'endWithdrawal', caseId: id, outcome: 'paid' },
        after: { status: 'paid', reference, ...(isByOne && { mode: 'paid by one operator' }) },
        effect: { name: PAYMENT_REFERENCE, body: { id, reference } },
      })
    },
    /** Rejects it, or requests a second operator if it is already approved. */
    reject: async (
      operator: DeskOperator,
      { id, reason }: Decided,
      request?: Request,
    ): Promise<DeskOutcome | Refusal> => {
      const held = await findHeld(services, id)
      if (isRefusal(held)) return held
      if (held.status === 'held')
        return (await decide({ operator, reason }, id, rejection(id))) ?? { approvalId: null }
      const waiting = await approvals.waitingFor(REJECT_APPROVED, [caseKeyOf(id)])
      if (waiting.size > 0) return refuse('secondPersonAsked')
      return approvals.request(operator, {
        kind: REJECT_APPROVED,
        subject: caseKeyOf(id),
        accountId: held.accountId,
        body: { id },
        before: { amount: amountText(held.amount), status: held.status },
        after: { status: 'rejected' },
        reason,
        request,
      })
    },
  }
}

type Sources = Pick<DeskServices, 'deployment' | 'queries'>

const DAY_MS = 86_400_000
/** A receiving method younger than this is a risk sign. */
const YOUNG_DAYS = 7

/** Open withdrawals, which wait for approval or payment. */
export function withdrawalSource(services: Sources): WaitingSource {
  const { deployment, queries } = services
  const itemsOf = async (found: readonly Withdrawal[]): Promise<WaitingItem[]> => {
    const rows = await rowsOf(queries, found)
    const bound = await boundOf(queries, [...rows.values()])
    const names = new Map((await listOperatorRows(queries)).map(({ id, name }) => [id, name]))
    return found.map((each) => {
      const row = rows.get(each.id) ?? null
      return itemOf(deployment, each, row, row ? (bound.get(row.method_id) ?? null) : null, names)
    })
  }
  return moneyCaseSource(deployment.engine, {
    kind: 'withdrawal',
    itemsOf,
    contents: (item) => contentsOf(services, item),
  })
}

async function rowsOf(queries: Queries, found: readonly Withdrawal[]): Promise<Map<number, WithdrawalTable>> {
  if (found.length === 0) return new Map()
  const ids = found.map(({ id }) => BigInt(id))
  const rows = await queries.selectFrom('withdrawal').selectAll().where('case_id', 'in', ids).execute()
  return new Map(rows.map((row) => [Number(row.case_id), row]))
}

/** When a method was bound, and how many other users have bound the same account. */
type Bound = { readonly boundAt: number; readonly others: number }

async function boundOf(queries: Queries, rows: readonly WithdrawalTable[]): Promise<Map<bigint, Bound>> {
  if (rows.length === 0) return new Map()
  const methods = await queries
    .selectFrom('receiving_method')
    .select(['id', 'user_id', 'bound_at', 'account_key'])
    .where('id', 'in', [...new Set(rows.map((row) => row.method_id))])
    .execute()
  const keys = [...new Set(methods.map((method) => method.account_key))]
  const same = await queries
    .selectFrom('receiving_method')
    .select(['account_key', 'user_id'])
    .where('account_key', 'in', keys)
    .execute()
  const users = new Map(
    [...Map.groupBy(same, (each) => each.account_key)].map(([key, found]) => [
      key,
      new Set(found.map((each) => each.user_id)),
    ]),
  )
  return new Map(
    methods.map((method) => [
      method.id,
      { boundAt: Number(method.bound_at), others: (users.get(method.account_key)?.size ?? 1) - 1 },
    ]),
  )
}

function itemOf(
  { engine, market, wallClock }: Sources['deployment'],
  { id, accountId, amount, openedAt, status: step, approvedBy }: Withdrawal,
  row: WithdrawalTable | null,
  bound: Bound | null,
  names: ReadonlyMap<number, string>,
): WaitingItem {
  const { accounts, settings } = engine.state()
  const { fourEyesLimit: limit, accountCurrency } = settings
  const status = accounts.get(accountId)?.status
  const isYoung = bound !== null && wallClock() - bound.boundAt < YOUNG_DAYS * DAY_MS
  const signs: (RiskSign | false)[] = [
    bound !== null &&
      bound.others > 0 && { weight: 3, why: `${bound.others} other users have the same receiving account` },
    amount > limit && { weight: 2, why: `above ${shownAmount(limit)} ${accountCurrency}` },
    row === null && { weight: 2, why: 'details missing: reject it to release the money' },
    isYoung && { weight: 1, why: `receiving method added less than ${YOUNG_DAYS} days ago` },
    status !== undefined && status !== 'active' && { weight: 1, why: 'the account is restricted' },
  ]
  const what = row
    ? `${grouped(row.received)} ${row.code}${row.protocol ? ` (${row.protocol})` : ''}`
    : 'details missing'
  return {
    id,
    kind: 'withdrawal',
    kindName: 'Withdrawals',
    title: `Withdrawal ${id}`,
    accountId,
    amount,
    summary: step === 'held' ? what : `${what}: ${step === 'paying' ? 'being paid' : 'approved, to be paid'}`,
    since: wallClock() - Math.max(0, market.now() - openedAt),
    requestedBy:
      approvedBy === null
        ? null
        : { id: approvedBy, name: names.get(approvedBy) ?? `operator ${approvedBy}` },
    needsSecond: true,
    decidePermission: 'decideWithdrawal',
    signs: signs.filter((sign) => sign !== false),
  }
}

async function contentsOf(
  { deployment, queries }: Sources,
  { id, accountId, amount, since }: WaitingItem,
): Promise<CaseContents | Refusal> {
  if (accountId === null || amount === null) return refuse('caseEnded')
  const seen = await readEngine(deployment.engine, (state) => {
    const held = state.cases.get(id)
    return {
      facts: accountFacts(deployment.engine.core(), accountId, deployment.market.now()),
      fee: held?.kind === 'withdrawal' ? held.fee : null,
    }
  })
  if (isRefusal(seen)) return seen
  if (seen.fee === null) return refuse('caseEnded')
  const row = await queries
    .selectFrom('withdrawal')
    .selectAll()
    .where('case_id', '=', BigInt(id))
    .executeTakeFirst()
  const held = await queries
    .selectFrom('money_case')
    .selectAll()
    .where('id', '=', BigInt(id))
    .executeTakeFirst()
  const names = new Map((await listOperatorRows(queries)).map((each) => [each.id, each.name]))
  const verified = await isVerified(queries, accountId)
  const ownFacts = [
    moneyFact('Requested', amount),
    moneyFact('Total fee', seen.fee),
    ...(row
      ? [
          textFact('To be paid', `${grouped(row.received)} ${row.code}`),
          textFact('To', addressOf(row)),
          ...tagFacts(row),
          textFact('Memo', row.memo),
        ]
      : []),
    textFact('Identity', verified ? 'verified' : 'not verified', verified ? 'good' : 'bad'),
  ]
  return {
    reason: '',
    changes: [],
    decision: 'withdrawal',
    facts: [...ownFacts, ...seen.facts, ...(await paidFacts(queries, accountId))],
    steps: stepsOf(held, since, names),
    texts: await textsForUser(queries, accountId, (translate) => {
      const currency = deployment.engine.state().settings.accountCurrency
      const values = { number: String(id), amount: shownAmount(amount), currency, reason: '…' }
      return [
        { when: 'approved', text: translate('mail.withdrawalPaid.text', values) },
        { when: 'refused', text: translate('mail.withdrawalRejected.text', values) },
      ]
    }),
  }
}

function stepsOf(held: MoneyCaseTable | undefined, since: number, names: ReadonlyMap<number, string>) {
  const by = (id: bigint | null) => (id === null ? '' : (names.get(Number(id)) ?? `operator ${id}`))
  const requested = step('Requested, money frozen', 'done', { at: since })
  if (!held || held.approved_at === null)
    return [
      requested,
      step('Approved or rejected', 'now', { note: 'the user sees the reason' }),
      step('Paid by another operator', 'next', { note: 'with its transaction number' }),
    ]
  return [
    requested,
    step('Approved', 'done', { by: by(held.approved_by), at: Number(held.approved_at) }),
    ...(held.paying_at === null
      ? []
      : [step('Payment started', 'done', { by: by(held.paying_by), at: Number(held.paying_at) })]),
    step('Paid by another operator', 'now', { note: 'with its transaction number' }),
  ]
}

type PaidTo = Pick<WithdrawalTable, 'method' | 'kind'>

/** The tag of the coin address, as it must be entered beside the address. */
const tagFacts = ({ method }: PaidTo): CaseFact[] => {
  const { tag } = detailsIn(method)
  return tag === undefined ? [] : [textFact('Tag or memo', tag)]
}

/** Where a withdrawal is paid to, in one line, from the method as it was when requested. */
export const payToOf = (row: PaidTo): string =>
  [addressOf(row), ...tagFacts(row).map(({ value }) => `tag or memo ${value}`)].join(', ')

function addressOf({ method, kind }: PaidTo): string {
  const details = JSON.parse(method) as Record<string, string | null>
  if (kind === 'coin') return details['address'] ?? ''
  const names = [
    ...(['payeeName', 'iban', 'payeeAccount', 'bankName', 'bic'] as const),
    ...(['routeNumber', 'accountType', 'bankAddress', 'remark'] as const),
  ]
  return names.flatMap((name) => details[name] || []).join(', ')
}
