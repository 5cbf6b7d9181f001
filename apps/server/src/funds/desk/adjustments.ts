import {
  type Core,
  decimalText,
  fromUnits,
  money,
  MONEY_DECIMALS,
  withdrawableAtFreshPrices,
  type Adjustment,
  type Money,
  type State,
} from '@fairlot/core'
import type { CaseFact } from '@fairlot/contract/desk'
import { isRefusal, refuse, type Refusal } from '../../platform/refusal.ts'
import { readEngine } from '../../engine/calls.ts'
import type { Queries } from '../../platform/database/open.ts'
import { type DeskOperator, findOperator, listOperatorRows } from '../../desk/operators/operators.ts'
import type { DeskServices } from '../../desk/desk-services.ts'
import { moneyCaseSource, moneyFact, shownAmount, STATUS_LABELS, step, textFact } from './money-cases.ts'
import { textsForUser } from '../../desk/approvals/user-texts.ts'
import type { CaseContents, RiskSign, WaitingItem, WaitingSource } from '../../desk/waiting/waiting-list.ts'

/** An adjustment this many times above the limit of one operator is a high risk. */
const HUGE = 10n

const caseKeyOf = (id: number): string => `adjustment:${id}`

/** Adjustments that wait for approval, always by another operator than the requester. */
export function adjustmentSource({ deployment, queries }: DeskServices): WaitingSource {
  const { engine, market } = deployment
  const itemsOf = async (found: readonly Adjustment[]): Promise<WaitingItem[]> => {
    const names = new Map((await listOperatorRows(queries)).map(({ id, name }) => [id, name]))
    const reasons = await reasonsOf(queries)
    return found.map((each) => {
      const requestedBy = { id: each.askedBy, name: names.get(each.askedBy) ?? `operator ${each.askedBy}` }
      const item = itemOf(engine.state(), each, requestedBy, reasons.get(each.id) ?? '')
      // Cases open on the market clock, which may replay a recording; operators see how long they have really waited.
      return { ...item, since: deployment.wallClock() - Math.max(0, market.now() - each.openedAt) }
    })
  }
  return moneyCaseSource(engine, {
    kind: 'adjustment',
    itemsOf,
    contents: (item) => contentsOf({ deployment, queries }, item),
  })
}

/** Decides an adjustment. */
export const createAdjustmentDecision =
  ({ deployment, engineCommands }: DeskServices) =>
  async (by: DeskOperator, { id, isApproved, reason }: Decision): Promise<Refusal | null> => {
    const found = await readEngine(deployment.engine, (state) => state.cases.get(id) ?? null)
    if (isRefusal(found)) return found
    const adjustment = found?.kind === 'adjustment' ? found : null
    const outcome = isApproved ? 'approved' : 'refused'
    const amount = adjustment && textOf(adjustment.amount)
    const done = await engineCommands.execute(
      {
        operator: by,
        act: 'decideAdjustment',
        subject: caseKeyOf(id),
        caseKey: caseKeyOf(id),
        reason,
        accountId: adjustment?.accountId ?? null,
        before: { amount, status: 'open' },
        after: { amount, status: outcome },
      },
      { type: 'endAdjustment', caseId: id, outcome },
    )
    return isRefusal(done) ? done : null
  }

type Decision = { readonly id: number; readonly isApproved: boolean; readonly reason: string }

const textOf = (amount: Money): string => decimalText(fromUnits(amount, MONEY_DECIMALS))

function itemOf(
  { settings, accounts }: State,
  { id, accountId, amount }: Adjustment,
  requestedBy: WaitingItem['requestedBy'],
  reason: string,
): Omit<WaitingItem, 'since'> {
  const { fourEyesLimit: limit, accountCurrency } = settings
  const size = amount < 0n ? -amount : amount
  const status = accounts.get(accountId)?.status
  const signs: (RiskSign | false)[] = [
    size > limit * HUGE && { weight: 3, why: `more than ${HUGE} times the two-operator limit` },
    size > limit && {
      weight: 2,
      why: `above ${shownAmount(limit)} ${accountCurrency}: needs a second operator`,
    },
    amount < 0n && { weight: 1, why: 'reduces the balance' },
    status !== undefined && status !== 'active' && { weight: 1, why: 'the account is restricted' },
  ]
  return {
    id,
    kind: 'adjustment',
    kindName: 'Adjustments',
    title: `Adjustment ${id}`,
    summary: reason,
    accountId,
    amount,
    requestedBy,
    needsSecond: true,
    decidePermission: 'decideAdjustment',
    signs: signs.filter((sign) => sign !== false),
  }
}

type Sources = Pick<DeskServices, 'deployment' | 'queries'>

async function contentsOf(
  { deployment, queries }: Sources,
  { id, accountId, amount, requestedBy, since }: WaitingItem,
): Promise<CaseContents | Refusal> {
  if (accountId === null || amount === null) return refuse('caseEnded')
  const facts = await readEngine(deployment.engine, () =>
    factsOf(deployment.engine.core(), { accountId, amount, at: deployment.market.now() }),
  )
  if (isRefusal(facts)) return facts
  const reason = (await reasonsOf(queries)).get(id) ?? ''
  const requester = requestedBy ? await findOperator(queries, requestedBy.id) : null
  return {
    reason,
    changes: [],
    decision: 'adjustment',
    facts: [...facts, ...(await paidOf(queries, accountId))],
    steps: [
      step('Requested', 'done', {
        by: requester && `${requester.name} (${requester.role})`,
        at: since,
        note: reason,
      }),
      step('Approved or rejected', 'now', { note: 'with a reason, which the user sees' }),
      step('Booked', 'next', { note: 'at once after the approval' }),
    ],
    texts: await textsForUser(queries, accountId, (translate) => [
      { when: 'now', text: `${translate('activity.act.adjustmentAsked')} · ${reason}` },
      { when: 'approved', text: translate('activity.act.adjustmentEnded', { outcome: 'approved' }) },
      { when: 'approved', text: translate('memo.adjustment') },
      { when: 'refused', text: translate('activity.act.adjustmentEnded', { outcome: 'refused' }) },
    ]),
  }
}

/** Called inside `engine.read`, so it copies values. */
function factsOf(
  context: Core,
  { accountId, amount, at }: { readonly accountId: number; readonly amount: Money; readonly at: number },
): CaseFact[] {
  const account = context.state.accounts.get(accountId)
  if (!account) return []
  const { balance } = account.available
  const after = money(balance + amount)
  const most = withdrawableAtFreshPrices(context, account, at)
  return [
    textFact('Account', STATUS_LABELS[account.status], account.status === 'active' ? 'plain' : 'bad'),
    moneyFact('Balance', balance),
    moneyFact('Balance afterwards', after, after < 0n ? 'bad' : 'plain'),
    moneyFact('Maximum withdrawable', most, money(most + amount) < 0n ? 'bad' : 'plain'),
  ]
}

async function reasonsOf(queries: Queries): Promise<Map<number, string>> {
  const rows = await queries
    .selectFrom('money_case')
    .select(['id', 'asked_reason'])
    .where('status', '=', 'open')
    .where('kind', '=', 'adjustment')
    .execute()
  return new Map(rows.map((row) => [Number(row.id), row.asked_reason]))
}

/** Totals of an account's deposits, withdrawals and adjustments. */
async function paidOf(queries: Queries, accountId: number): Promise<CaseFact[]> {
  const sums = await queries
    .selectFrom('money_case')
    .select(['kind', (select) => select.fn.sum('credited').as('credited')])
    .select((select) => select.fn.sum('amount').as('amount'))
    .where('account_id', '=', BigInt(accountId))
    .where('status', 'in', ['finished', 'paid', 'approved'])
    .groupBy('kind')
    .execute()
  const sumOf = (kind: string, column: 'credited' | 'amount') =>
    money(BigInt(sums.find((row) => row.kind === kind)?.[column] ?? 0))
  return [
    moneyFact('Total deposits', sumOf('deposit', 'credited')),
    moneyFact('Total withdrawals', sumOf('withdrawal', 'amount')),
    moneyFact('Total adjustments', sumOf('adjustment', 'amount')),
  ]
}
