import type { Withdrawal } from '@fairlot/core'
import type { Queries } from '../../database/open.ts'
import type { WithdrawalTable } from '../../database/payment-schema.ts'
import { isRefusal, readEngine, refuse, type Refusal } from '../../http/refusal.ts'
import type { DeskServices } from '../desk-services.ts'
import { moneyCaseSource } from '../waiting/money-case-source.ts'
import { traderWords } from '../waiting/trader-words.ts'
import type { CaseContents, RiskSign, WaitingItem, WaitingSource } from '../waiting/waiting-source.ts'
import { accountFacts, amountText, isVerified, moneyFact, paidFacts, step, textFact } from './money-facts.ts'
import { payToOf } from './pay-to.ts'

type Sources = Pick<DeskServices, 'deployment' | 'queries'>

const DAY_MS = 86_400_000
/** A method so young is worth a look. */
const YOUNG_DAYS = 7

/** Withdrawals whose money is frozen: to be approved, then paid. */
export function withdrawalSource(services: Sources): WaitingSource {
  const { deployment, queries } = services
  const itemsOf = async (found: readonly Withdrawal[]): Promise<WaitingItem[]> => {
    const rows = await rowsOf(queries, found)
    const bound = await boundOf(queries, [...rows.values()])
    return found.map((each) => {
      const row = rows.get(each.id) ?? null
      return itemOf(deployment, each, row, row ? (bound.get(row.method_id) ?? null) : null)
    })
  }
  return moneyCaseSource(deployment.engine, {
    ...{ kind: 'withdrawal', itemsOf },
    contents: (item) => contentsOf(services, item),
  })
}

async function rowsOf(queries: Queries, found: readonly Withdrawal[]): Promise<Map<number, WithdrawalTable>> {
  if (found.length === 0) return new Map()
  const ids = found.map(({ id }) => BigInt(id))
  const rows = await queries.selectFrom('withdrawal').selectAll().where('case_id', 'in', ids).execute()
  return new Map(rows.map((row) => [Number(row.case_id), row]))
}

/** How old the methods are, and how many other people have bound the same account. */
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
  { id, accountId, amount, openedAt }: Withdrawal,
  row: WithdrawalTable | null,
  bound: Bound | null,
): WaitingItem {
  const { accounts, settings } = engine.state()
  const { fourEyesLimit: limit, accountCurrency } = settings
  const status = accounts.get(accountId)?.status
  const isYoung = bound !== null && wallClock() - bound.boundAt < YOUNG_DAYS * DAY_MS
  const signs: (RiskSign | false)[] = [
    bound !== null &&
      bound.others > 0 && { weight: 3, why: `${bound.others} others have bound this account too` },
    amount > limit && {
      weight: 2,
      why: `above ${amountText(limit)} ${accountCurrency}: needs a second person`,
    },
    row === null && { weight: 2, why: 'its details are missing: reject it, the money is free again' },
    isYoung && { weight: 1, why: `its receiving method is younger than ${YOUNG_DAYS} days` },
    status !== undefined && status !== 'active' && { weight: 1, why: 'the account is restricted' },
  ]
  const what = row
    ? `${row.received} ${row.code}${row.protocol ? ` (${row.protocol})` : ''}`
    : 'details missing'
  return {
    ...{ id, kind: 'withdrawal', kindName: 'Withdrawals', title: `Withdrawal ${id}`, accountId, amount },
    what: row && row.approved_at !== null ? `${what}: approved, to be paid` : what,
    since: wallClock() - Math.max(0, market.now() - openedAt),
    asked: row ? approverOf(row) : null,
    ...{ needsSecond: amount > limit, decideAct: 'decideWithdrawal' },
    signs: signs.filter((sign) => sign !== false),
  }
}

/** Above the limit whoever has approved it does not pay it as well. */
const approverOf = ({ approved_by: id, approved_name: name }: WithdrawalTable) =>
  id === null ? null : { id: Number(id), name: name ?? '' }

async function contentsOf(
  { deployment, queries }: Sources,
  { id, accountId, amount, since }: WaitingItem,
): Promise<CaseContents | Refusal> {
  if (accountId === null || amount === null) return refuse('caseEnded')
  const seen = await readEngine(deployment.engine, (state) => {
    const held = state.cases.get(id)
    return { facts: accountFacts(state, accountId), fee: held?.kind === 'withdrawal' ? held.fee : null }
  })
  if (isRefusal(seen)) return seen
  if (seen.fee === null) return refuse('caseEnded')
  const row = await queries
    .selectFrom('withdrawal')
    .selectAll()
    .where('case_id', '=', BigInt(id))
    .executeTakeFirst()
  const verified = await isVerified(queries, accountId)
  const asked = [
    moneyFact('Asked for', amount),
    moneyFact('Fee, all of it', seen.fee),
    ...(row
      ? [
          textFact('To be paid', `${row.received} ${row.code}`),
          textFact('To', payToOf(row)),
          textFact('Memo', row.memo),
        ]
      : []),
    textFact('Identity', verified ? 'verified' : 'not verified', verified ? 'good' : 'bad'),
  ]
  return {
    ...{ reason: '', changes: [], decision: 'withdrawal' },
    facts: [...asked, ...seen.facts, ...(await paidFacts(queries, accountId))],
    steps: stepsOf(row, since),
    words: await traderWords(queries, accountId, (translate) => {
      const currency = deployment.engine.state().settings.accountCurrency
      const values = { number: String(id), amount: amountText(amount), currency, reason: '…' }
      return [
        { when: 'approved', text: translate('mail.withdrawalPaid.text', values) },
        { when: 'refused', text: translate('mail.withdrawalRejected.text', values) },
      ]
    }),
  }
}

function stepsOf(row: WithdrawalTable | undefined, since: number) {
  const asked = step('Asked for, money frozen', 'done', { at: since })
  if (!row || row.approved_at === null)
    return [
      asked,
      step('Approved or rejected', 'now', { note: 'the person reads why' }),
      step('Paid', 'next', { note: 'with its transaction number' }),
    ]
  const by = `${row.approved_name ?? ''} (${row.approved_role ?? ''})`
  return [
    asked,
    step('Approved', 'done', { by, at: Number(row.approved_at) }),
    step('Paid', 'now', { note: 'with its transaction number' }),
  ]
}
