import type { Deposit } from '@fairlot/core'
import { isRefusal, readEngine, refuse, type Refusal } from '../../http/refusal.ts'
import type { DepositTable } from '../../database/payment-schema.ts'
import type { Queries } from '../../database/open.ts'
import type { DeskServices } from '../desk-services.ts'
import { moneyCaseSource } from '../waiting/money-case-source.ts'
import { traderWords } from '../waiting/trader-words.ts'
import type { CaseContents, RiskSign, WaitingItem, WaitingSource } from '../waiting/waiting-source.ts'
import { accountFacts, amountText, paidFacts, step, textFact } from './money-facts.ts'

type Sources = Pick<DeskServices, 'deployment' | 'queries'>

/** Deposits that users have told of. */
export function depositSource(services: Sources): WaitingSource {
  const { deployment, queries } = services
  const itemsOf = async (found: readonly Deposit[]): Promise<WaitingItem[]> => {
    const rows = await rowsOf(queries, found)
    const doubles = await doublesOf(queries, [...rows.values()])
    return found.map((each) =>
      itemOf(deployment, each, rows.get(each.id) ?? null, doubles.get(each.id) ?? []),
    )
  }
  return moneyCaseSource(deployment.engine, {
    ...{ kind: 'deposit', itemsOf },
    contents: (item) => contentsOf(services, item),
  })
}

async function rowsOf(queries: Queries, found: readonly Deposit[]): Promise<Map<number, DepositTable>> {
  if (found.length === 0) return new Map()
  const ids = found.map(({ id }) => BigInt(id))
  const rows = await queries.selectFrom('deposit').selectAll().where('case_id', 'in', ids).execute()
  return new Map(rows.map((row) => [Number(row.case_id), row]))
}

/** Other deposits with the same picture, by the deposit that they double. */
async function doublesOf(
  queries: Queries,
  rows: readonly DepositTable[],
): Promise<Map<number, readonly number[]>> {
  if (rows.length === 0) return new Map()
  const hashes = [...new Set(rows.map((row) => row.proof_hash))]
  const same = await queries
    .selectFrom('deposit')
    .select(['case_id', 'proof_hash'])
    .where('proof_hash', 'in', hashes)
    .orderBy('case_id')
    .execute()
  const byHash = Map.groupBy(same, (row) => row.proof_hash)
  return new Map(
    rows.map((row) => {
      const others = (byHash.get(row.proof_hash) ?? []).filter((each) => each.case_id !== row.case_id)
      return [Number(row.case_id), others.map((each) => Number(each.case_id))]
    }),
  )
}

function itemOf(
  { engine, market, wallClock }: Sources['deployment'],
  { id, accountId, amount, openedAt }: Deposit,
  row: DepositTable | null,
  doubles: readonly number[],
): WaitingItem {
  const { accounts, settings } = engine.state()
  const { fourEyesLimit: limit, accountCurrency } = settings
  const status = accounts.get(accountId)?.status
  const isElsewhere = row !== null && row.shown_address !== '' && row.shown_address !== row.address
  const signs: (RiskSign | false)[] = [
    doubles.length > 0 && { weight: 3, why: `the same picture as deposit ${doubles.join(', ')}` },
    isElsewhere && { weight: 2, why: 'the screen had shown another address' },
    amount > limit && {
      weight: 2,
      why: `above ${amountText(limit)} ${accountCurrency}: needs a second person`,
    },
    row === null && { weight: 2, why: 'its details are missing: the server died while it was told' },
    status !== undefined && status !== 'active' && { weight: 1, why: 'the account is restricted' },
  ]
  const way = row ? `${row.currency_code} by ${row.protocol_code}` : 'way unknown'
  return {
    ...{ id, kind: 'deposit', kindName: 'Deposits', title: `Deposit ${id}`, what: way, accountId, amount },
    since: wallClock() - Math.max(0, market.now() - openedAt),
    ...{ asked: null, needsSecond: amount > limit, decideAct: 'decideDeposit' },
    signs: signs.filter((sign) => sign !== false),
  }
}

async function contentsOf(
  { deployment, queries }: Sources,
  { id, accountId, amount, since }: WaitingItem,
): Promise<CaseContents | Refusal> {
  if (accountId === null || amount === null) return refuse('caseEnded')
  const facts = await readEngine(deployment.engine, (state) => accountFacts(state, accountId))
  if (isRefusal(facts)) return facts
  const row = await queries
    .selectFrom('deposit')
    .selectAll()
    .where('case_id', '=', BigInt(id))
    .executeTakeFirst()
  const told = row
    ? [
        textFact('Told', `${amountText(amount)} ${row.currency_code}`),
        textFact('Way', row.protocol_code),
        textFact('Sent to', row.address),
      ]
    : []
  const values = { number: String(id), amount: amountText(amount), currency: '', reason: '…' }
  return {
    ...{ reason: '', changes: [], decision: 'deposit' },
    facts: [...told, ...facts, ...(await paidFacts(queries, accountId))],
    steps: [
      step('Told by the person', 'done', { at: since }),
      step('Compared with what has arrived', 'now', { note: 'the amount that arrived is what is credited' }),
      step('Credited', 'next', { note: 'once' }),
    ],
    words: await traderWords(queries, accountId, (translate) => [
      { when: 'approved', text: translate('mail.depositFinished.text', values) },
      { when: 'refused', text: translate('mail.depositRejected.text', values) },
    ]),
  }
}
