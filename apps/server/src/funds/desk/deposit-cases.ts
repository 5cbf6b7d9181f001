import type { CaseFact, CaseStep, DeskChange, RelatedCase } from '@fairlot/contract/desk'
import {
  type Deposit,
  isRejection,
  money,
  type Money,
  MONEY_DECIMALS,
  rateOfSent,
  rateText,
  type SentMoney,
  toUnits,
} from '@fairlot/core'
import { textsForUser } from '../../desk/approvals/user-texts.ts'
import type { DeskServices } from '../../desk/desk-services.ts'
import type { CaseContents, RiskSign, WaitingItem, WaitingSource } from '../../desk/waiting/waiting-list.ts'
import { readEngine } from '../../engine/calls.ts'
import type { ApprovalTable } from '../../platform/database/desk-schema.ts'
import type { Queries } from '../../platform/database/open.ts'
import type { DepositTable } from '../../platform/database/payment-schema.ts'
import { transactionKey } from '../../platform/database/transaction-number.ts'
import { isRefusal, type Refusal, refuse } from '../../platform/refusal.ts'
import { caseKeyOf, FINISH_DEPOSIT, requestedCredit, sentText } from './deposit-decisions.ts'
import { accountFacts, moneyCaseSource, paidFacts, shownAmount, step, textFact } from './money-cases.ts'

type Sources = Pick<DeskServices, 'deployment' | 'queries' | 'approvals' | 'shared'>

/** A deposit's row, its possible duplicates and its pending approval. */
type DepositDetails = {
  readonly row: DepositTable | null
  readonly duplicates: readonly Duplicate[]
  readonly approval: ApprovalTable | null
}

/** Reported deposits. A deposit that waits for a second operator stays the same case. */
export function depositSource(services: Sources): WaitingSource {
  const { deployment } = services
  const itemsOf = async (found: readonly Deposit[]): Promise<WaitingItem[]> => {
    const detailsById = await detailsOf(
      services,
      found.map(({ id }) => id),
    )
    return found.map((each) => itemOf(deployment, each, detailsById(each.id)))
  }
  return moneyCaseSource(deployment.engine, {
    kind: 'deposit',
    itemsOf,
    contents: (item) => contentsOf(services, item),
  })
}

async function detailsOf(services: Sources, ids: readonly number[]): Promise<(id: number) => DepositDetails> {
  const rows = await rowsOf(services.queries, ids)
  const duplicates = await duplicatesOf(services, [...rows.values()])
  const approvals = await services.approvals.waitingFor(FINISH_DEPOSIT, ids.map(caseKeyOf))
  return (id) => ({
    row: rows.get(id) ?? null,
    duplicates: duplicates.get(id) ?? [],
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
  { row, duplicates, approval }: DepositDetails,
): WaitingItem {
  const { accounts, settings } = engine.state()
  const { fourEyesLimit: limit, accountCurrency } = settings
  const status = accounts.get(accountId)?.status
  const isElsewhere = row !== null && row.shown_address !== '' && row.shown_address !== row.address
  const signs: (RiskSign | false)[] = [
    ...duplicateSigns(duplicates),
    approval !== null && { weight: 1, why: 'needs a second operator' },
    isElsewhere && { weight: 2, why: 'the user was shown another address' },
    approval === null &&
      amount > limit && {
        weight: 2,
        why: `above ${shownAmount(limit)} ${accountCurrency}: needs a second operator`,
      },
    row === null && { weight: 2, why: 'details missing: the server stopped during the report' },
    status !== undefined && status !== 'active' && { weight: 1, why: 'the account is restricted' },
  ]
  const credited = approval && creditedBy(approval)
  const way = row ? `${row.currency_code} by ${row.protocol_code}` : 'unknown method'
  return {
    id,
    kind: 'deposit',
    kindName: 'Deposits',
    title: `Deposit ${id}`,
    accountId,
    amount: credited ?? amount,
    summary: approval ? `${way}: a second operator decides` : way,
    since: wallClock() - Math.max(0, market.now() - openedAt),
    requestedBy: approval && { id: Number(approval.asked_by), name: approval.asked_name },
    needsSecond: approval !== null || amount > limit,
    decidePermission: 'decideDeposit',
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
    const deposit = found?.kind === 'deposit' ? { amount: found.amount, sent: found.sent } : null
    const rate = deposit?.sent ? rateOfSent(state, deposit.sent) : null
    return {
      facts: accountFacts(deployment.engine.core(), accountId, deployment.market.now()),
      deposit,
      rate: rate && !isRejection(rate) ? rate.rate : null,
      accountCurrency,
    }
  })
  if (isRefusal(seen)) return seen
  const { facts, deposit, rate, accountCurrency } = seen
  if (deposit === null) return refuse('caseEnded')
  const { amount, sent } = deposit
  const { row, duplicates, approval } = (await detailsOf(services, [id]))(id)
  const reportFacts = row
    ? [
        textFact(
          'Sent',
          sent
            ? sentText(sent.amount, sent.currency)
            : `${shownAmount(amount)} ${accountCurrency}, reported without a currency`,
        ),
        ...(sent ? rateFacts(sent, { amount, rate, accountCurrency }) : []),
        textFact('Method', row.protocol_code),
        textFact('Sent to', row.address),
        ...(row.tag === '' ? [] : [textFact('Tag or memo', row.tag)]),
        textFact('Transaction number', row.reference),
      ]
    : []
  const credited = approval ? creditedBy(approval) : amount
  const requested = approval ? requestedCredit(approval) : {}
  const values = {
    number: String(id),
    amount: shownAmount(credited),
    currency: accountCurrency,
    reason: '…',
    hasRate: sent ? 'yes' : 'no',
    arrived: (requested['arrived'] ?? '…').split(' ')[0] ?? '…',
    sentCurrency: sent?.currency ?? '',
    rate: requested['rate'] ?? (rate === null ? '…' : rateText(rate)),
  }
  const refusedValues = {
    ...values,
    amount: sent ? sentText(sent.amount, sent.currency) : shownAmount(amount),
  }
  return {
    reason: approval?.reason ?? '',
    changes: approval ? creditOf(amount, approval) : [],
    ...(approval ? { decision: 'approval', approvalId: Number(approval.id) } : { decision: 'deposit' }),
    related: await relatedCases(queries, duplicates),
    facts: [...reportFacts, ...facts, ...(await paidFacts(queries, accountId))],
    steps: stepsOf(since, approval),
    texts: await textsForUser(queries, accountId, (translate) => [
      { when: 'approved', text: translate('mail.depositFinished.text', values) },
      { when: 'refused', text: translate('mail.depositRejected.text', refusedValues) },
      { when: 'refused', text: translate('mail.depositInvalid.text', refusedValues) },
    ]),
  }
}

type Valuation = { readonly amount: Money; readonly rate: bigint | null; readonly accountCurrency: string }

const rateFacts = (
  { currency, fixedRate }: SentMoney,
  { amount, rate, accountCurrency }: Valuation,
): CaseFact[] => [
  textFact('Value when reported', `${shownAmount(amount)} ${accountCurrency}`),
  textFact(
    fixedRate === null ? 'Rate now' : 'Fixed rate',
    rate === null ? 'unknown' : `1 ${currency} = ${rateText(rate)} ${accountCurrency}`,
    rate === null ? 'bad' : 'plain',
  ),
]

/** The amount that the first operator confirmed, in the account currency. */
const creditedBy = (approval: ApprovalTable): Money =>
  money(toUnits(requestedCredit(approval)['credited'] ?? '', MONEY_DECIMALS) ?? 0n)

function creditOf(reported: Money, approval: ApprovalTable): DeskChange[] {
  const { arrived, rate } = requestedCredit(approval)
  const line = (field: string, after: string | undefined): DeskChange[] =>
    after === undefined ? [] : [{ field, before: null, after }]
  return [
    ...line('Received', arrived),
    ...line('Rate', rate),
    {
      field: 'Credited',
      before: `${shownAmount(reported)} reported`,
      after: shownAmount(creditedBy(approval)),
    },
  ]
}

function stepsOf(since: number, approval: ApprovalTable | null): CaseStep[] {
  const reported = step('Reported by the user', 'done', { at: since })
  if (approval === null)
    return [
      reported,
      step('Compared with the money received', 'now', {
        note: 'the amount received is credited, at the rate of the time it arrived',
      }),
      step('Credited', 'next', { note: 'once' }),
    ]
  const by = `${approval.asked_name} (${approval.asked_role})`
  const compared = { by, at: Number(approval.asked_at), note: approval.reason }
  return [
    reported,
    step('Compared with the money received', 'done', compared),
    step('A second operator approves or rejects', 'now', { note: 'never the operator who requested it' }),
    step('Credited', 'next', { note: 'once' }),
  ]
}

/** What two cases have in common. */
type Match = 'number' | 'picture' | 'similarPicture'

/** Another case, of any user, that may be the same transfer. */
type Duplicate = {
  readonly caseKey: string
  readonly accountId: number | null
  readonly matchedBy: Match
}

type DuplicateSources = {
  readonly queries: Queries
  readonly shared: Pick<DeskServices['shared'], 'pictures'>
}
type Row = Pick<DepositTable, 'case_id' | 'proof' | 'reference_key'>

const keyOf = (row: Row): string => `deposit:${row.case_id}`

/** For each deposit, the cases with the same transaction number, the same picture or a similar one; each once, by its strongest match. */
async function duplicatesOf(
  { queries, shared: { pictures } }: DuplicateSources,
  rows: readonly Row[],
): Promise<ReadonlyMap<number, readonly Duplicate[]>> {
  const like = await pictures.like(rows.map((row) => row.proof))
  const named = await casesWithReference(
    queries,
    rows.map((row) => row.reference_key),
  )
  return new Map(
    rows.map((row) => {
      const duplicates = new Map<string, Duplicate>()
      const add = (duplicate: Duplicate) => {
        if (duplicate.caseKey !== keyOf(row) && !duplicates.has(duplicate.caseKey))
          duplicates.set(duplicate.caseKey, duplicate)
      }
      for (const duplicate of named.get(row.reference_key) ?? []) add(duplicate)
      const pictured = like.get(row.proof) ?? []
      for (const { caseKey, userId, isSame } of pictured.toSorted((a, b) => +b.isSame - +a.isSame))
        add({ caseKey, accountId: userId, matchedBy: isSame ? 'picture' : 'similarPicture' })
      return [Number(row.case_id), [...duplicates.values()]]
    }),
  )
}

/** Other cases with a transaction number, for the operator who enters that number. */
export async function casesByReference(
  queries: Queries,
  reference: string,
  ownNumber: number,
): Promise<RelatedCase[]> {
  const key = transactionKey(reference)
  const found = (await casesWithReference(queries, [key])).get(key) ?? []
  return relatedCases(
    queries,
    found.filter(({ caseKey }) => Number(caseKey.split(':')[1]) !== ownNumber),
  )
}

/** Deposits and paid withdrawals by the keys of their transaction numbers. */
async function casesWithReference(
  queries: Queries,
  given: readonly string[],
): Promise<ReadonlyMap<string, readonly Duplicate[]>> {
  const keys = [...new Set(given)].filter((key) => key !== '')
  if (keys.length === 0) return new Map()
  const found = []
  for (const kind of ['deposit', 'withdrawal'] as const)
    for (const row of await queries
      .selectFrom(kind)
      .select(['case_id', 'user_id', 'reference_key'])
      .where('reference_key', 'in', keys)
      .orderBy('case_id')
      .execute())
      found.push({ ...row, kind })
  return new Map(
    [...Map.groupBy(found, (row) => row.reference_key)].map(([key, same]) => [
      key,
      same.map((row) => ({
        caseKey: `${row.kind}:${row.case_id}`,
        accountId: Number(row.user_id),
        matchedBy: 'number' as const,
      })),
    ]),
  )
}

const MATCHES: Readonly<Record<Match, { readonly weight: RiskSign['weight']; readonly why: string }>> = {
  number: { weight: 3, why: 'same transaction number' },
  picture: { weight: 3, why: 'same picture' },
  similarPicture: { weight: 2, why: 'picture that looks the same' },
}

/** `deposit:7` as `deposit 7`. */
const named = (caseKey: string): string => caseKey.replace(':', ' ')

/** The risk signs of possible duplicates. */
const duplicateSigns = (duplicates: readonly Duplicate[]): RiskSign[] =>
  (['number', 'picture', 'similarPicture'] as const).flatMap((match) => {
    const cases = duplicates
      .filter((duplicate) => duplicate.matchedBy === match)
      .map(({ caseKey }) => named(caseKey))
    const { weight, why } = MATCHES[match]
    return cases.length === 0 ? [] : [{ weight, why: `${why} as ${cases.join(', ')}` }]
  })

/** The duplicates as shown with the deposit, with their status. */
async function relatedCases(queries: Queries, duplicates: readonly Duplicate[]): Promise<RelatedCase[]> {
  const numbers = duplicates.map(({ caseKey }) => BigInt(caseKey.split(':')[1] ?? 0))
  const rows =
    numbers.length === 0
      ? []
      : await queries
          .selectFrom('money_case')
          .select(['id', 'kind', 'status'])
          .where('id', 'in', numbers)
          .execute()
  const stateOf = new Map(rows.map((row) => [`${row.kind}:${row.id}`, row.status]))
  return duplicates.map(({ caseKey, accountId, matchedBy: match }) => {
    const state = stateOf.get(caseKey) ?? ''
    const title = named(caseKey)
    return {
      caseKey,
      accountId,
      state,
      waits: state === 'open',
      why: MATCHES[match].why,
      title: title.charAt(0).toUpperCase() + title.slice(1),
    }
  })
}
