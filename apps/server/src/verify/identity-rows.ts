import { identityCase, type IdentityCheckTable } from '../platform/database/identity-schema.ts'
import type { DeskActTable } from '../platform/database/desk-schema.ts'
import type { Queries } from '../platform/database/open.ts'
import { firstDifference } from './figure.ts'

/** A row is written with its audit entry; their times differ by this at most, ms. */
const TOGETHER_MS = 600_000

type Finding = { readonly entry: DeskActTable; readonly identity: string; readonly faults: unknown }

type Known = {
  /** The latest finding about each user. */
  readonly findings: Map<bigint, Finding>
  /** The latest decision on the documents of each user, and how many there were. */
  readonly decisions: Map<bigint, Finding & { readonly count: bigint }>
}

/** Verified users and their documents: every verification, rejection and withdrawal is in the audit log. */
export function createIdentityRows(queries: Queries) {
  const known: Known = { findings: new Map(), decisions: new Map() }
  const { findings, decisions } = known
  return {
    observe: (entry: DeskActTable) => {
      const { act, outcome, account_id: userId, subject } = entry
      if (act !== 'verifyPerson' || outcome !== 'done' || userId === null || entry.after === null) return
      const after = JSON.parse(entry.after) as Readonly<Record<string, unknown>>
      const { identity, faults } = after
      if (Object.hasOwn(after, 'asked') || Object.hasOwn(after, 'approval')) return
      if (typeof identity !== 'string') return
      const finding = { entry, identity, faults }
      findings.set(userId, finding)
      if (subject === identityCase(userId))
        decisions.set(userId, { ...finding, count: (decisions.get(userId)?.count ?? 0n) + 1n })
    },
    finish: async function* (): AsyncGenerator<string> {
      yield* verifiedFaults(queries, findings)
      yield* documentFaults(queries, known)
    },
  }
}

async function* verifiedFaults(queries: Queries, findings: Known['findings']): AsyncGenerator<string> {
  const verified = new Set<bigint>()
  for (const row of await queries.selectFrom('verified_person').selectAll().orderBy('user_id').execute()) {
    verified.add(row.user_id)
    const name = `verified person ${row.user_id}`
    const found = findings.get(row.user_id)
    if (!found || !isVerified(found)) {
      yield `${name}: the audit log does not say that their identity was seen`
      continue
    }
    const difference =
      firstDifference(row.operator_id, found.entry.operator_id, `${name}: operator_id`) ??
      firstDifference(row.reason.trim(), found.entry.reason, `${name}: reason`) ??
      timeDifference(row.at, found.entry, `${name}: at`)
    if (difference !== null) yield difference
  }
  for (const [userId, found] of findings)
    if (isVerified(found) && !verified.has(userId))
      yield `audit entry ${found.entry.id} says that user ${userId} is verified, the tables do not`
}

const isVerified = ({ identity }: Finding): boolean => identity === 'verified' || identity === 'approved'

function timeDifference(at: bigint | null, entry: DeskActTable, name: string): string | null {
  return at !== null && Math.abs(Number(at - entry.at)) <= TOGETHER_MS
    ? null
    : firstDifference(at, entry.at, name)
}

async function* documentFaults(queries: Queries, { findings, decisions }: Known): AsyncGenerator<string> {
  const rows = await queries
    .selectFrom('identity_check')
    .leftJoin('stored_file as front_file', 'front_file.key', 'identity_check.front')
    .leftJoin('stored_file as reverse_file', 'reverse_file.key', 'identity_check.reverse')
    .selectAll('identity_check')
    .select(['front_file.user_id as front_owner', 'reverse_file.user_id as reverse_owner'])
    .orderBy('identity_check.user_id')
    .execute()
  for (const row of rows) {
    const userId = row.user_id
    const name = `identity check of user ${userId}`
    const finding = findings.get(userId)
    // Verified without documents, or revoked, after this check was decided.
    const isOverruled = finding !== undefined && ['verified', 'unverified'].includes(finding.identity)
    const isWaiting = row.status === 'waiting'
    const decided = isWaiting || isOverruled ? null : finding?.identity
    const difference =
      (decided === null ? null : firstDifference(row.status, decided, `${name}: status`)) ??
      decisionDifference(row, decisions.get(userId), name) ??
      firstDifference(row.front_owner, userId, `${name}: the owner of its front`) ??
      firstDifference(row.reverse_owner, userId, `${name}: the owner of its reverse`)
    if (difference !== null) yield difference
  }
}

/** Each submission is decided before the next one. */
function decisionDifference(
  { status, times_sent, decided_at, faults }: IdentityCheckTable,
  decision: (Finding & { readonly count: bigint }) | undefined,
  name: string,
): string | null {
  const isWaiting = status === 'waiting'
  const sent = (decision?.count ?? 0n) + (isWaiting ? 1n : 0n)
  return (
    firstDifference(times_sent, sent, `${name}: times_sent`) ??
    (isWaiting || !decision
      ? firstDifference(decided_at, null, `${name}: decided_at`)
      : timeDifference(decided_at, decision.entry, `${name}: decided_at`)) ??
    (isWaiting || !decision
      ? firstDifference(faults, '', `${name}: faults`)
      : firstDifference(faults === '' ? [] : JSON.parse(faults), decision.faults ?? [], `${name}: faults`))
  )
}
