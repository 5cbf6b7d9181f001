import type { CaseStep, DeskChange } from '@fairlot/contract/desk'
import { money, type Deposit, type Money } from '@fairlot/core'
import type { ApprovalTable } from '../../database/desk-schema.ts'
import { isRefusal, readEngine, refuse, type Refusal } from '../../http/refusal.ts'
import type { DepositTable } from '../../database/payment-schema.ts'
import type { Queries } from '../../database/open.ts'
import type { DeskServices } from '../desk-services.ts'
import { moneyCaseSource } from '../waiting/money-case-source.ts'
import { traderWords } from '../waiting/trader-words.ts'
import type { CaseContents, RiskSign, WaitingItem, WaitingSource } from '../waiting/waiting-source.ts'
import { caseKeyOf, FINISH } from './deposit-decisions.ts'
import { relatedCases, twinSigns, twinsOf, type Twin } from './deposit-twins.ts'
import { accountFacts, amountText, paidFacts, step, textFact } from './money-facts.ts'

type Sources = Pick<DeskServices, 'deployment' | 'queries' | 'approvals' | 'traders'>

/** What stands beside a deposit: its row, the cases that it may double, and the approval that it waits for. */
type Beside = {
  readonly row: DepositTable | null
  readonly twins: readonly Twin[]
  readonly approval: ApprovalTable | null
}

/** Deposits that users have told of. One that waits for a second person stays the same case. */
export function depositSource(services: Sources): WaitingSource {
  const { deployment } = services
  const itemsOf = async (found: readonly Deposit[]): Promise<WaitingItem[]> => {
    const beside = await besideOf(
      services,
      found.map(({ id }) => id),
    )
    return found.map((each) => itemOf(deployment, each, beside(each.id)))
  }
  return moneyCaseSource(deployment.engine, {
    ...{ kind: 'deposit', itemsOf },
    contents: (item) => contentsOf(services, item),
  })
}

async function besideOf(services: Sources, ids: readonly number[]): Promise<(id: number) => Beside> {
  const rows = await rowsOf(services.queries, ids)
  const twins = await twinsOf(services, [...rows.values()])
  const approvals = await services.approvals.waitingAt(FINISH, ids.map(caseKeyOf))
  return (id) => ({
    ...{ row: rows.get(id) ?? null, twins: twins.get(id) ?? [] },
    approval: approvals.get(caseKeyOf(id)) ?? null,
  })
}

async function rowsOf(queries: Queries, ids: readonly number[]): Promise<Map<number, DepositTable>> {
  if (ids.length === 0) return new Map()
  const rows = await queries
    .selectFrom('deposit')
    .selectAll()
    .where('case_id', 'in', ids.map(BigInt))
    .execute()
  return new Map(rows.map((row) => [Number(row.case_id), row]))
}

function itemOf(
  { engine, market, wallClock }: Sources['deployment'],
  { id, accountId, amount, openedAt }: Deposit,
  { row, twins, approval }: Beside,
): WaitingItem {
  const { accounts, settings } = engine.state()
  const { fourEyesLimit: limit, accountCurrency } = settings
  const status = accounts.get(accountId)?.status
  const isElsewhere = row !== null && row.shown_address !== '' && row.shown_address !== row.address
  const signs: (RiskSign | false)[] = [
    ...twinSigns(twins),
    approval !== null && { weight: 1, why: 'needs a second person' },
    isElsewhere && { weight: 2, why: 'the screen had shown another address' },
    approval === null &&
      amount > limit && {
        weight: 2,
        why: `above ${amountText(limit)} ${accountCurrency}: needs a second person`,
      },
    row === null && { weight: 2, why: 'its details are missing: the server died while it was told' },
    status !== undefined && status !== 'active' && { weight: 1, why: 'the account is restricted' },
  ]
  const credited = approval && creditedBy(approval)
  const way = row ? `${row.currency_code} by ${row.protocol_code}` : 'way unknown'
  return {
    ...{ id, kind: 'deposit', kindName: 'Deposits', title: `Deposit ${id}`, accountId },
    amount: credited ?? amount,
    what: approval ? `${way}: a second person decides` : way,
    since: wallClock() - Math.max(0, market.now() - openedAt),
    asked: approval && { id: Number(approval.asked_by), name: approval.asked_name },
    ...{ needsSecond: approval !== null || amount > limit, decideAct: 'decideDeposit' },
    signs: signs.filter((sign) => sign !== false),
  }
}

async function contentsOf(
  services: Sources,
  { id, accountId, since }: WaitingItem,
): Promise<CaseContents | Refusal> {
  if (accountId === null) return refuse('caseEnded')
  const { deployment, queries } = services
  const seen = await readEngine(deployment.engine, (state) => {
    const found = state.cases.get(id)
    const { accountCurrency } = state.settings
    const told = found?.kind === 'deposit' ? found.amount : null
    return { facts: accountFacts(state, accountId), amount: told, accountCurrency }
  })
  if (isRefusal(seen)) return seen
  const { facts, amount, accountCurrency } = seen
  if (amount === null) return refuse('caseEnded')
  const { row, twins, approval } = (await besideOf(services, [id]))(id)
  const told = row
    ? [
        textFact('Told', `${amountText(amount)} ${row.currency_code}`),
        textFact('Way', row.protocol_code),
        textFact('Sent to', row.address),
        textFact('Transaction number', row.reference),
      ]
    : []
  const credited = approval ? creditedBy(approval) : amount
  const values = { number: String(id), amount: amountText(credited), currency: accountCurrency, reason: '…' }
  return {
    reason: approval?.reason ?? '',
    changes: approval ? [creditOf(amount, creditedBy(approval))] : [],
    ...(approval ? { decision: 'approval', approvalId: Number(approval.id) } : { decision: 'deposit' }),
    related: await relatedCases(queries, twins),
    facts: [...told, ...facts, ...(await paidFacts(queries, accountId))],
    steps: stepsOf(since, approval),
    words: await traderWords(queries, accountId, (translate) => [
      { when: 'approved', text: translate('mail.depositFinished.text', values) },
      { when: 'refused', text: translate('mail.depositRejected.text', values) },
      { when: 'refused', text: translate('mail.depositInvalid.text', values) },
    ]),
  }
}

/** What the first person has confirmed; amounts come back from JSON as text. */
const creditedBy = ({ body }: ApprovalTable): Money =>
  money(BigInt((JSON.parse(body) as { readonly amount: string }).amount))

const creditOf = (told: Money, credited: Money): DeskChange => ({
  ...{ field: 'Credited', before: `${amountText(told)} told`, after: amountText(credited) },
})

function stepsOf(since: number, approval: ApprovalTable | null): CaseStep[] {
  const told = step('Told by the person', 'done', { at: since })
  if (approval === null)
    return [
      told,
      step('Compared with what has arrived', 'now', { note: 'the amount that arrived is what is credited' }),
      step('Credited', 'next', { note: 'once' }),
    ]
  const by = `${approval.asked_name} (${approval.asked_role})`
  const compared = { by, at: Number(approval.asked_at), note: approval.reason }
  return [
    told,
    step('Compared with what has arrived', 'done', compared),
    step('A second person approves or refuses', 'now', { note: 'never the one who asked' }),
    step('Credited', 'next', { note: 'once' }),
  ]
}
