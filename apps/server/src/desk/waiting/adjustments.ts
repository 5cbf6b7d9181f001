import {
  decimalText,
  figuresOf,
  fromUnits,
  isPriced,
  money,
  MONEY_DECIMALS,
  withdrawable,
  type Adjustment,
  type Money,
  type State,
} from '@fairlot/core'
import type { CaseFact } from '@fairlot/contract/desk'
import { isRefusal, readEngine, refuse, type Refusal } from '../../http/refusal.ts'
import type { Queries } from '../../database/open.ts'
import type { DeskOperator } from '../operator.ts'
import type { DeskServices } from '../desk-services.ts'
import { findOperator, listOperatorRows } from '../operators/operator-repository.ts'
import { moneyCaseSource } from './money-case-source.ts'
import { traderWords } from './trader-words.ts'
import type { CaseContents, RiskSign, WaitingItem, WaitingSource } from './waiting-source.ts'

/** An adjustment this many times above the limit of four eyes stands out. */
const HUGE = 10n

const caseKeyOf = (id: number): string => `adjustment:${id}`

/** Corrections of money that wait for approval: asked for by one, and above the limit never approved by the same. */
export function adjustmentSource({ deployment, queries }: DeskServices): WaitingSource {
  const { engine, market } = deployment
  const itemsOf = async (found: readonly Adjustment[]): Promise<WaitingItem[]> => {
    const names = new Map((await listOperatorRows(queries)).map(({ id, name }) => [id, name]))
    const reasons = await reasonsOf(queries)
    return found.map((each) => {
      const asked = { id: each.askedBy, name: names.get(each.askedBy) ?? `operator ${each.askedBy}` }
      const item = itemOf(engine.state(), each, asked, reasons.get(each.id) ?? '')
      // Opened on the market clock, which may be that of a recording; people wait by their own.
      return { ...item, since: deployment.wallClock() - Math.max(0, market.now() - each.openedAt) }
    })
  }
  return moneyCaseSource(engine, {
    ...{ kind: 'adjustment', itemsOf },
    contents: (item) => contentsOf({ deployment, queries }, item),
  })
}

/** Ends an adjustment, in the engine and among the acts. */
export const createAdjustmentDecision =
  ({ deployment, engineActs }: DeskServices) =>
  async (by: DeskOperator, { id, isApproved, reason }: Decision): Promise<Refusal | null> => {
    const found = await readEngine(deployment.engine, (state) => state.cases.get(id) ?? null)
    if (isRefusal(found)) return found
    const asked = found?.kind === 'adjustment' ? found : null
    const outcome = isApproved ? 'approved' : 'refused'
    const amount = asked && textOf(asked.amount)
    const done = await engineActs.execute(
      {
        ...{ operator: by, act: 'decideAdjustment', subject: caseKeyOf(id), caseKey: caseKeyOf(id), reason },
        ...{ accountId: asked?.accountId ?? null, before: { amount, status: 'open' } },
        after: { amount, status: outcome },
      },
      { type: 'endAdjustment', caseId: id, outcome },
    )
    return isRefusal(done) ? done : null
  }

type Decision = { readonly id: number; readonly isApproved: boolean; readonly reason: string }

const textOf = (amount: Money): string => decimalText(fromUnits(amount, MONEY_DECIMALS))

/** `10000` as `10,000`. */
const grouped = (amount: Money): string => Number(textOf(amount)).toLocaleString('en')

function itemOf(
  { settings, accounts }: State,
  { id, accountId, amount }: Adjustment,
  asked: WaitingItem['asked'],
  reason: string,
): Omit<WaitingItem, 'since'> {
  const { fourEyesLimit: limit, accountCurrency } = settings
  const size = amount < 0n ? -amount : amount
  const status = accounts.get(accountId)?.status
  const signs: (RiskSign | false)[] = [
    size > limit * HUGE && { weight: 3, why: `more than ${HUGE} times the limit of four eyes` },
    size > limit && { weight: 2, why: `above ${grouped(limit)} ${accountCurrency}: needs a second person` },
    amount < 0n && { weight: 1, why: 'takes money away' },
    status !== undefined && status !== 'active' && { weight: 1, why: 'the account is restricted' },
  ]
  return {
    ...{ id, kind: 'adjustment', kindName: 'Adjustments', title: `Adjustment ${id}`, what: reason },
    ...{ accountId, amount, asked, needsSecond: size > limit },
    ...{ decideAct: 'decideAdjustment', signs: signs.filter((sign) => sign !== false) },
  }
}

type Sources = Pick<DeskServices, 'deployment' | 'queries'>

async function contentsOf(
  { deployment, queries }: Sources,
  { id, accountId, amount, asked, since }: WaitingItem,
): Promise<CaseContents | Refusal> {
  if (accountId === null || amount === null) return refuse('caseEnded')
  const facts = await readEngine(deployment.engine, (state) => factsOf(state, accountId, amount))
  if (isRefusal(facts)) return facts
  const reason = (await reasonsOf(queries)).get(id) ?? ''
  const asker = asked ? await findOperator(queries, asked.id) : null
  return {
    ...{ reason, changes: [], decision: 'adjustment' },
    facts: [...facts, ...(await paidOf(queries, accountId))],
    steps: [
      {
        title: 'Asked',
        state: 'done',
        by: asker && `${asker.name} (${asker.role})`,
        at: since,
        note: reason,
      },
      {
        title: 'Approved or refused',
        state: 'now',
        by: null,
        at: null,
        note: 'with a reason; the person reads it',
      },
      { title: 'Booked', state: 'next', by: null, at: null, note: 'in the same moment, once approved' },
    ],
    words: await traderWords(queries, accountId, (translate) => [
      { when: 'now', text: `${translate('activity.act.adjustmentAsked')} · ${reason}` },
      { when: 'approved', text: translate('activity.act.adjustmentEnded', { outcome: 'approved' }) },
      { when: 'approved', text: translate('memo.adjustment') },
      { when: 'refused', text: translate('activity.act.adjustmentEnded', { outcome: 'refused' }) },
    ]),
  }
}

/** Read while the memory is held: values of their own. */
function factsOf(state: State, accountId: number, amount: Money): CaseFact[] {
  const account = state.accounts.get(accountId)
  if (!account) return []
  const { balance } = account.available
  const after = money(balance + amount)
  const figures = isPriced(state, account) ? figuresOf(state, account) : null
  const most = figures && withdrawable(figures)
  return [
    {
      label: 'Account',
      format: 'text',
      value: account.status,
      tone: account.status === 'active' ? 'plain' : 'bad',
    },
    moneyFact('Balance', balance),
    moneyFact('Balance after it', after, after < 0n ? 'bad' : 'plain'),
    most === null
      ? {
          label: 'Could leave at most',
          format: 'text',
          value: 'not known: a position has no price',
          tone: 'bad',
        }
      : moneyFact('Could leave at most', most, money(most + amount) < 0n ? 'bad' : 'plain'),
  ]
}

const moneyFact = (label: string, amount: Money, tone: CaseFact['tone'] = 'plain'): CaseFact => ({
  ...{ label, format: 'money', value: textOf(amount), tone },
})

async function reasonsOf(queries: Queries): Promise<Map<number, string>> {
  const rows = await queries
    .selectFrom('money_case')
    .select(['id', 'asked_reason'])
    .where('status', '=', 'open')
    .where('kind', '=', 'adjustment')
    .execute()
  return new Map(rows.map((row) => [Number(row.id), row.asked_reason]))
}

/** What an account has paid in and out so far. */
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
    moneyFact('Deposits so far', sumOf('deposit', 'credited')),
    moneyFact('Withdrawals so far', sumOf('withdrawal', 'amount')),
    moneyFact('Adjustments so far', sumOf('adjustment', 'amount')),
  ]
}
