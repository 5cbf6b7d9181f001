import {
  PAYOUT_DECIMALS,
  PAYOUT_PRICE_DECIMALS,
  toUnits,
  type Event,
  type PayoutMethodBound,
  type PayoutQuote,
  type State,
} from '@fairlot/core'
import { SETTINGS_OF_TWO } from '@fairlot/contract/desk'
import { bodyHash } from '../desk/approvals/approvals.ts'
import { isByDeployment } from '../desk/audit-log/audit-log.ts'
import { accountKey } from '../funds/account-numbers.ts'
import { detailsIn, methodDigest } from '../funds/receiving-methods.ts'
import { isAppSetting } from '../platform/config/app-settings.ts'
import type { ApprovalTable, DeskActTable } from '../platform/database/desk-schema.ts'
import type { Queries } from '../platform/database/open.ts'
import type { ReceivingMethodTable } from '../platform/database/payment-schema.ts'
import type { MoneyCaseTable } from '../platform/database/schema.ts'
import { firstDifference } from './figure.ts'
import { createPager } from './pager.ts'

type Approval = Pick<DeskActTable, 'operator_id' | 'operator_name' | 'role'>

/** Operators, payments and settings: compared with the journal and the latest audit entry about each. */
export function createDeskRows(queries: Queries) {
  const approvedWithdrawals = new Map<string, Approval>()
  const references = new Map<string, string>()
  const settings = new Map<
    string,
    { readonly value: unknown; readonly from: unknown; readonly before: unknown }
  >()
  /** Whether a start has recorded the settings of two operators: those of an older database have no entry yet. */
  let hasFirstValues = false
  /** The first audit entry of each pair of operator and name. */
  const called = new Map<string, { readonly id: bigint; readonly name: string; readonly entry: bigint }>()

  const call = (entry: bigint, id: bigint, name: string | null) => {
    const key = `${id} ${name}`
    if (name !== null && !called.has(key)) called.set(key, { id, name, entry })
  }

  const follow = (row: DeskActTable, after: Readonly<Record<string, unknown>>) => {
    const { act, subject } = row
    if (act === 'decideWithdrawal' && after['status'] === 'approved') approvedWithdrawals.set(subject, row)
    if (act === 'decideWithdrawal' && typeof after['reference'] === 'string')
      references.set(subject, after['reference'])
    if (act === 'changeSettings' && Object.hasOwn(after, 'value'))
      settings.set(subject.replace('setting:', ''), {
        value: after['value'],
        from: after['holdsFrom'] ?? null,
        before: (JSON.parse(row.before ?? '{}') as { readonly value?: unknown }).value,
      })
    if (act === 'changeSettings' && isByDeployment(row)) hasFirstValues = true
  }

  const payouts = createPayoutRows(queries)

  return {
    /** Events of the journal, in their order. */
    take: payouts.take,
    observe: (row: DeskActTable) => {
      call(row.id, row.operator_id, row.operator_name)
      if (row.second_id !== null) call(row.id, row.second_id, row.second_name)
      if (row.outcome !== 'done' || row.after === null) return
      const after = JSON.parse(row.after) as Readonly<Record<string, unknown>>
      if (!Object.hasOwn(after, 'asked') && !Object.hasOwn(after, 'approval')) follow(row, after)
    },
    finish: async function* (state: State): AsyncGenerator<string> {
      const operators = await queries.selectFrom('operator').select(['id', 'name']).execute()
      const names = new Map(operators.map(({ id, name }) => [id, name]))
      for (const { id, name, entry } of called.values()) {
        const difference = firstDifference(name, names.get(id) ?? name, `name of operator ${id}`)
        if (difference !== null) yield `audit entry ${entry}: ${difference}`
      }
      yield* operatorFaults(queries, state, new Set([...called.values()].map(({ id }) => Number(id))))
      yield* payouts.finish(state)
      yield* paymentFaults(queries, { approved: approvedWithdrawals, references })
      const stored = await queries.selectFrom('setting').selectAll().execute()
      for (const row of stored) {
        const { name } = row
        const expected = settings.get(name)
        settings.delete(name)
        const isRecorded = hasFirstValues || !SETTINGS_OF_TWO.includes(name)
        if (!expected && isAppSetting(name) && isRecorded)
          yield `setting ${name}: no audit entry says that it was changed`
        if (!expected) continue
        const holdsFrom = row.holds_from === null ? null : new Date(Number(row.holds_from)).toISOString()
        const difference =
          firstDifference(row.value, expected.value, `setting ${name}: value`) ??
          firstDifference(holdsFrom, expected.from, `setting ${name}: holds_from`) ??
          (expected.from === null
            ? null
            : firstDifference(row.value_before, expected.before, `setting ${name}: value_before`))
        if (difference !== null) yield `${difference}, as the audit log says`
      }
      for (const [name, { value }] of settings) {
        // Any other has no row once it has its default again.
        if (SETTINGS_OF_TWO.includes(name))
          yield `setting ${name}: value is missing, it should be "${String(value)}"`
      }
    },
  }
}

type Payments = {
  readonly approved: ReadonlyMap<string, Approval>
  readonly references: ReadonlyMap<string, string>
}

/** Operators follow from the journal: no row may be changed or added, and none of an operator in the audit log removed. */
async function* operatorFaults(
  queries: Queries,
  { operators, hasOperators }: Pick<State, 'operators' | 'hasOperators'>,
  inAuditLog: ReadonlySet<number>,
): AsyncGenerator<string> {
  if (!hasOperators) return
  const missing = new Set([...inAuditLog].filter((id) => operators.get(id)?.hasJoined))
  for (const row of await queries.selectFrom('operator').selectAll().orderBy('id').execute()) {
    missing.delete(Number(row.id))
    const journaled = operators.get(Number(row.id))
    const name = `operator ${row.id}`
    if (!journaled) yield `${name} is not in the journal`
    else {
      const difference =
        firstDifference(row.role, journaled.role, `${name}: role`) ??
        firstDifference(row.is_on === 1n, journaled.isActive, `${name}: is_on`)
      if (difference !== null) yield difference
    }
  }
  for (const id of missing) yield `operator ${id} is in the journal and not in the tables`
}

/** The row of a payment belongs to the account of its case, and was approved by the operator in the audit log. */
async function* paymentFaults(queries: Queries, { approved, references }: Payments): AsyncGenerator<string> {
  for (const kind of ['deposit', 'withdrawal'] as const) {
    const strays = await queries
      .selectFrom(kind)
      .leftJoin('money_case', 'money_case.id', 'case_id')
      .select(['case_id', 'user_id', 'money_case.kind as found', 'money_case.account_id'])
      .where((row) =>
        row.or([
          row('money_case.id', 'is', null),
          row('money_case.kind', '<>', kind),
          row('money_case.account_id', '<>', row.ref('user_id')),
        ]),
      )
      .orderBy('case_id')
      .limit(1)
      .execute()
    for (const { case_id: id, user_id: userId, found, account_id: account } of strays)
      yield found === kind
        ? `${kind} ${id}: user_id is ${userId}, it should be ${account}`
        : `${kind} ${id} is not in the journal`
  }
  const pager = createPager((after, limit) =>
    queries
      .selectFrom('withdrawal')
      .innerJoin('money_case', 'money_case.id', 'case_id')
      .select(['case_id as id', 'approved_by', 'reference', 'status'])
      .where('case_id', '>', after)
      .orderBy('case_id')
      .limit(limit)
      .execute(),
  )
  for (let row = await pager.next(); row; row = await pager.next()) {
    const name = `withdrawal ${row.id}`
    const entry = approved.get(`withdrawal:${row.id}`)
    const reference = row.status === 'paid' ? references.get(name.replace(' ', ':')) : undefined
    const difference =
      (row.approved_by === null ? null : approverDifference(row, entry, name)) ??
      (reference === undefined ? null : firstDifference(row.reference, reference, `${name}: reference`))
    if (difference !== null) yield difference
  }
}

function approverDifference(
  row: Pick<MoneyCaseTable, 'approved_by'>,
  entry: Approval | undefined,
  name: string,
): string | null {
  if (!entry) return `${name} is approved, and no audit entry says so`
  return firstDifference(row.approved_by, entry.operator_id, `${name}: approved_by`)
}

/** Approvals: each row agrees with the audit entries of its request and of its decision. */
type Requested = {
  readonly id: bigint
  /** Null in entries older than this field. */
  readonly bodyHash: unknown
}

export function createApprovalRows(queries: Queries) {
  /** The audit entries of the same request, the oldest first. */
  const requested = new Map<string, Requested[]>()
  const ends = new Map<string, DeskActTable>()
  return {
    observe: (row: DeskActTable) => {
      if (row.outcome !== 'done' || row.after === null) return
      const after = JSON.parse(row.after) as Readonly<Record<string, unknown>>
      if (Object.hasOwn(after, 'approval') && row.case_key !== null) ends.set(row.case_key, row)
      if (!Object.hasOwn(after, 'asked')) return
      const key = JSON.stringify([
        String(row.operator_id),
        row.operator_name,
        row.role,
        row.subject,
        row.reason,
        row.before ?? 'null',
        JSON.stringify(after['asked'] ?? null),
      ])
      const known = requested.get(key)
      const request = { id: row.id, bodyHash: after['bodyHash'] ?? null }
      if (known) known.push(request)
      else requested.set(key, [request])
    },
    finish: async function* (): AsyncGenerator<string> {
      const pager = createPager<ApprovalTable>((after, limit) =>
        queries
          .selectFrom('approval')
          .selectAll()
          .where('id', '>', after)
          .orderBy('id')
          .limit(limit)
          .execute(),
      )
      for (let row = await pager.next(); row; row = await pager.next()) {
        const requests = requested.get(requestOf(row)) ?? []
        const hash = bodyHash(row.body)
        const matching = requests.findIndex((each) => each.bodyHash === null || each.bodyHash === hash)
        if (requests.length === 0)
          yield `approval ${row.id}: no audit entry says that ${row.asked_name} asked for it, as it is`
        else if (matching < 0)
          yield `approval ${row.id}: what is to be done is not what audit entry ${requests[0]?.id} says`
        requests.splice(Math.max(0, matching), 1)
        const fault = endFault(row, ends.get(`approval:${row.id}`))
        if (fault !== null) yield `approval ${row.id}: ${fault}`
        ends.delete(`approval:${row.id}`)
      }
      for (const [entry] of requested.values())
        if (entry !== undefined)
          yield `audit entry ${entry.id} asks for a second operator, and no approval does`
      for (const [caseKey, { id }] of ends)
        if (caseKey.startsWith('approval:')) yield `audit entry ${id} ends ${caseKey}, which is not there`
    },
  }
}

const requestOf = (row: ApprovalTable): string =>
  JSON.stringify([
    String(row.asked_by),
    row.asked_name,
    row.asked_role,
    row.subject,
    row.reason,
    row.before ?? 'null',
    row.after ?? 'null',
  ])

/** A waiting row may name an operator whose approval failed; no audit entry names them. */
function endFault(row: ApprovalTable, end: DeskActTable | undefined): string | null {
  if (!end) return row.status === 'waiting' ? null : `it is ${row.status}, and no audit entry says so`
  const { approval } = JSON.parse(end.after ?? '{}') as { readonly approval: unknown }
  return (
    firstDifference(row.status, approval, 'status') ??
    firstDifference(row.decided_by, end.operator_id, 'decided_by') ??
    firstDifference(row.decided_name, end.operator_name, 'decided_name') ??
    firstDifference(row.decided_role, end.role, 'decided_role') ??
    firstDifference(row.decided_reason, end.reason, 'decided_reason') ??
    firstDifference(row.subject, end.subject, 'subject')
  )
}

/** Receiving methods and the payouts of withdrawals, compared with the journal. */
type Held = { readonly accountId: number; readonly payout: PayoutQuote }

function createPayoutRows(queries: Queries) {
  const methods = new Map<number, PayoutMethodBound>()
  const removed = new Set<number>()
  const held = new Map<number, Held>()

  return {
    /** Events of the journal, in their order. */
    take: (event: Event) => {
      if (event.type === 'payoutMethodBound') methods.set(event.methodId, event)
      if (event.type === 'payoutMethodRemoved') removed.add(event.methodId)
      if (event.type === 'withdrawalHeld' && event.payout)
        held.set(event.caseId, { accountId: event.accountId, payout: event.payout })
    },
    finish: async function* (state: State): AsyncGenerator<string> {
      // A row that a crash prevented is written after the next start.
      const left = await queries.selectFrom('follow_up').select('id').limit(1).executeTakeFirst()
      const isSettled = left === undefined
      if (state.hasOperators) yield* methodFaults(queries, { methods, removed, isSettled }, state)
      yield* withdrawalFaults(queries, { methods, held, isSettled }, state)
    },
  }
}

type Bound = {
  readonly methods: ReadonlyMap<number, PayoutMethodBound>
  readonly removed: ReadonlySet<number>
  readonly isSettled: boolean
}

/** No receiving method changes, appears or disappears without the journal. */
async function* methodFaults(
  queries: Queries,
  { methods, removed, isSettled }: Bound,
  { accounts }: Pick<State, 'accounts'>,
): AsyncGenerator<string> {
  const missing = new Set(methods.keys())
  const pager = createPager((after, limit) =>
    queries
      .selectFrom('receiving_method')
      .leftJoin('payout_destination', 'payout_destination.id', 'receiving_method.destination')
      .selectAll('receiving_method')
      .select('payout_destination.account_key as destination_key')
      .where('receiving_method.id', '>', after)
      .orderBy('receiving_method.id')
      .limit(limit)
      .execute(),
  )
  for (let row = await pager.next(); row; row = await pager.next()) {
    missing.delete(Number(row.id))
    const name = `payout method ${row.id}`
    const bound = methods.get(Number(row.id))
    if (!bound) {
      yield `${name} is not in the journal`
      continue
    }
    // Closing an account erases these details.
    const isErased = accounts.get(bound.accountId)?.status === 'closed'
    const isRemoved = removed.has(bound.methodId)
    const difference =
      firstDifference(row.user_id, BigInt(bound.accountId), `${name}: user_id`) ??
      firstDifference(row.destination, BigInt(bound.destination), `${name}: destination`) ??
      (isErased ? null : detailsDifference(row, bound, name)) ??
      (isErased || (isRemoved && !isSettled)
        ? null
        : firstDifference(row.removed_at === null, !isRemoved, `${name}: whether it is offered`))
    if (difference !== null) yield difference
  }
  for (const id of isSettled ? missing : [])
    yield `payout method ${id} is in the journal and not in the tables`
}

function detailsDifference(
  row: ReceivingMethodTable & { readonly destination_key: string | null },
  { destination, digest }: PayoutMethodBound,
  name: string,
): string | null {
  const changed = firstDifference(methodDigest(row, row.salt ?? ''), digest, `${name}: digest of its details`)
  if (changed !== null) return changed
  const key = accountKey(detailsIn(row.details))
  // Two destinations that turned out to be one account (migrations 0056, 0068): the second one's key ends with its number.
  const isSecond = row.destination_key === `${key} #${destination}`
  return (
    firstDifference(row.account_key, key, `${name}: account_key`) ??
    (isSecond
      ? null
      : firstDifference(row.destination_key, key, `payout destination ${destination}: account_key`))
  )
}

type Withdrawals = {
  readonly methods: ReadonlyMap<number, PayoutMethodBound>
  readonly held: ReadonlyMap<number, Held>
  readonly isSettled: boolean
}

/** The journal fixes price, amount and destination of a payout when a withdrawal is accepted; older withdrawals have no quote. */
async function* withdrawalFaults(
  queries: Queries,
  { methods, held, isSettled }: Withdrawals,
  { accounts }: Pick<State, 'accounts'>,
): AsyncGenerator<string> {
  const missing = new Set(held.keys())
  const pager = createPager((after, limit) =>
    queries
      .selectFrom('withdrawal')
      .leftJoin('receiving_method', 'receiving_method.id', 'withdrawal.method_id')
      .selectAll('withdrawal')
      .select(['case_id as id', 'receiving_method.salt'])
      .where('case_id', '>', after)
      .orderBy('case_id')
      .limit(limit)
      .execute(),
  )
  for (let row = await pager.next(); row; row = await pager.next()) {
    const caseId = Number(row.case_id)
    missing.delete(caseId)
    const known = held.get(caseId)
    if (!known) continue
    const { accountId, payout } = known
    const name = `withdrawal ${caseId}`
    const isErased = accounts.get(accountId)?.status === 'closed'
    const bound = methods.get(payout.methodId)
    const digest = methodDigest({ ...row, user_id: BigInt(accountId), details: row.method }, row.salt ?? '')
    const difference =
      firstDifference(toUnits(row.price, PAYOUT_PRICE_DECIMALS), payout.price, `${name}: price`) ??
      firstDifference(toUnits(row.received, PAYOUT_DECIMALS), payout.received, `${name}: received`) ??
      firstDifference(row.currency_id, BigInt(payout.currencyId), `${name}: currency_id`) ??
      firstDifference(row.method_id, BigInt(payout.methodId), `${name}: method_id`) ??
      (isErased || !bound ? null : firstDifference(digest, bound.digest, `${name}: digest of its method`))
    if (difference !== null) yield difference
  }
  for (const id of isSettled ? missing : []) yield `withdrawal ${id} is in the journal and not in the tables`
}
