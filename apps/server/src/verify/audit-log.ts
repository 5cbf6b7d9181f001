import type { DeskPermission } from '@fairlot/contract/desk'
import {
  decimalText,
  fromUnits,
  MONEY_DECIMALS,
  RATE_DECIMALS,
  SENT_DECIMALS,
  toUnits,
  type Arrival,
  type Entry,
  type Event,
  type Operator,
  type State,
  type TermsChange,
} from '@fairlot/core'
import { changedFields } from '../market/terms-fields.ts'
import { hashOfAuditEntry, NOTHING_BEFORE } from '../platform/database/audit-hash.ts'
import type { DeskActTable } from '../platform/database/desk-schema.ts'
import type { Queries } from '../platform/database/open.ts'
import type { JournalTable } from '../platform/database/schema.ts'
import { firstDifference } from './figure.ts'
import { createPager } from './pager.ts'

/** Each start records what the previous run could not, within this time, ms. */
const RECORDED_WITHIN_MS = 600_000

/** A journal entry by an operator. */
type Decision = {
  /** Number of its journal row. */
  readonly seq: bigint
  /** Time and operator: several entries in one millisecond share a key. */
  readonly key: string
  /** Number of the engine run that wrote it. */
  readonly run: number
  readonly by: Operator
  readonly events: readonly string[]
  readonly facts: AuditFacts
  isRecorded: boolean
}

/** Receives each audit entry once it agrees with the journal. */
type AuditObserver = (row: DeskActTable) => void

/** Checks the audit log of the desk: a hash chain without gaps that agrees with the operators' entries in the journal. */
export function createAuditEntries(queries: Queries, observers: readonly AuditObserver[] = []) {
  const decisions = new Map<string, Decision[]>()
  const inOrder: Decision[] = []
  const runs: { readonly writer: string; readonly firstAt: number; lastAt: number }[] = []

  return {
    /** Takes a journal entry, on the state just before it. Entries older than named operators are skipped. */
    take: (
      state: State,
      { author, at, events }: Entry,
      { seq, writer }: Pick<JournalTable, 'seq' | 'writer'>,
    ) => {
      const last = runs.at(-1)
      if (last?.writer === writer) last.lastAt = at
      else runs.push({ writer, firstAt: at, lastAt: at })
      // A payment that ends at once passes through `paying`: its audit entry names the end.
      const [event] = events[0]?.type === 'withdrawalPaying' ? events.slice(-1) : events
      if (author.type !== 'operator' || author.id === 0 || !event) return
      const decision: Decision = {
        seq,
        key: keyOf(at, author.id),
        run: runs.length,
        by: author,
        events: events.map(({ type }) => type),
        facts: auditFacts(state, event, at),
        isRecorded: false,
      }
      inOrder.push(decision)
      const known = decisions.get(decision.key)
      if (known) known.push(decision)
      else decisions.set(decision.key, [decision])
    },
    /** `isCaughtUp`: the tables have reached the end of the journal. */
    finish: async function* (isCaughtUp: boolean): AsyncGenerator<string> {
      let previous = { id: 0n, hash: NOTHING_BEFORE }
      const pager = createPager<DeskActTable>((after, limit) =>
        queries
          .selectFrom('desk_act')
          .selectAll()
          .where('id', '>', after)
          .orderBy('id')
          .limit(limit)
          .execute(),
      )
      for (let row = await pager.next(); row; row = await pager.next()) {
        const { hash, ...rest } = row
        const follows = row.id === previous.id + 1n && row.previous_hash === previous.hash
        if (!follows || hashOfAuditEntry(rest) !== hash)
          return yield `the audit log is broken at audit entry ${row.id}: its hash or its number does not follow`
        previous = row
        const fault = entryFault(row, decisions)
        if (fault !== null) return yield `audit entry ${row.id}: ${fault}`
        for (const observe of observers) observe(row)
      }
      const isServed = previous.id > 0n || (await hasOperators(queries))
      const missing = unrecorded(inOrder, { isSettled: isCaughtUp && isServed && isLasting(runs), runs })
      if (missing) yield `${missing.events[0]} at ${missing.key} is in the journal and not in the audit log`
    },
  }
}

const keyOf = (at: number | bigint, operatorId: number | bigint): string => `${at} of operator ${operatorId}`

type Runs = readonly { readonly firstAt: number; readonly lastAt: number }[]

const isLasting = (runs: Runs): boolean => {
  const last = runs.at(-1)
  return last !== undefined && last.lastAt - last.firstAt > RECORDED_WITHIN_MS
}

const hasOperators = async (queries: Queries): Promise<boolean> =>
  (await queries.selectFrom('operator').select('id').limit(1).executeTakeFirst()) !== undefined

/**
 * A crash may prevent the last audit entries, which the next start then records. So none may be missing before one that was
 * recorded, nor from a run that was followed by another for some time.
 */
function unrecorded(
  inOrder: readonly Decision[],
  { isSettled, runs }: { readonly isSettled: boolean; readonly runs: Runs },
): Decision | undefined {
  const lastRecorded = inOrder.findLastIndex(({ isRecorded }) => isRecorded)
  return inOrder.find(
    (decision, index) =>
      !decision.isRecorded && (index < lastRecorded || (isSettled && decision.run < runs.length)),
  )
}

/** The fault of an audit entry, or null. Marks the decisions that it records. */
function entryFault(row: DeskActTable, decisions: ReadonlyMap<string, readonly Decision[]>): string | null {
  if (row.journal_at === null) {
    const kind = decidedByEngine(row)
    return kind === null ? null : `it says "${kind}" and names no entry of the journal`
  }
  if (row.outcome !== 'done')
    return `it was refused as "${row.outcome}" and names the journal entry at ${row.journal_at}`
  const key = keyOf(row.journal_at, row.operator_id)
  const candidates = decisions.get(key)
  if (!candidates) return `names an entry of the journal at ${key}: there is none`
  const after = valuesOf(row.after)
  return after['writtenDownLater'] === true
    ? laterFault(row, after, candidates)
    : decisionFault(row, candidates)
}

/** Of several decisions of one operator in one millisecond, an audit entry records those that it agrees with. */
function decisionFault(row: DeskActTable, candidates: readonly Decision[]): string | null {
  const recorded = candidates.filter((decision) => differenceFrom(row, decision) === null)
  for (const decision of recorded) decision.isRecorded = true
  if (recorded.length > 0) return haltsBeyond(row, recorded)
  const [first] = candidates
  const closest = candidates.find(({ facts }) => (facts.acts as readonly string[]).includes(row.act)) ?? first
  return closest ? differenceFrom(row, closest) : null
}

function differenceFrom(row: DeskActTable, { by, facts }: Decision): string | null {
  const { acts, subjects, accountId } = facts
  const isOneOf = (found: string, allowed: readonly string[]) =>
    allowed.length === 0 || allowed.includes(found) ? found : allowed.join(' or ')
  return (
    firstDifference(row.act, isOneOf(row.act, acts), 'kind') ??
    firstDifference(row.subject, isOneOf(row.subject, subjects), 'subject') ??
    firstDifference(row.account_id, accountId, 'account') ??
    authorDifference(row, by) ??
    valueDifference(row.before, facts.before, 'before') ??
    valueDifference(row.after, facts.after, 'after') ??
    missingValue(row, facts)
  )
}

const authorDifference = (row: DeskActTable, { role, reason, second }: Operator): string | null =>
  firstDifference(row.role, role, 'role') ??
  firstDifference(row.reason, reason.trim(), 'reason') ??
  firstDifference(row.second_id, second?.id ?? null, 'second operator')

type Values = Readonly<Record<string, unknown>>

function valuesOf(json: string | null): Values {
  const value: unknown = json === null ? null : JSON.parse(json)
  return typeof value === 'object' && value !== null ? (value as Values) : {}
}

function valueDifference(
  json: string | null,
  facts: Readonly<Record<string, Stated>>,
  side: 'before' | 'after',
): string | null {
  const values = valuesOf(json)
  for (const [name, { fits, expected }] of Object.entries(facts)) {
    if (!Object.hasOwn(values, name) || fits(values[name])) continue
    return `${side} ${name} is ${JSON.stringify(values[name])}, it should be "${expected}"`
  }
  return null
}

/** An entry of an approval names the requested change; it need not repeat the status. */
function missingValue(
  { after, case_key }: DeskActTable,
  { after: known, needed, isComplete }: AuditFacts,
): string | null {
  const values = valuesOf(after)
  const isApproved = case_key?.startsWith('approval:') ?? false
  const missing = needed.find((name) => !Object.hasOwn(values, name) && !(isApproved && name === 'status'))
  if (missing !== undefined) return `after ${missing} is missing, it should be "${known[missing]?.expected}"`
  const unknown = isComplete
    ? Object.keys(values).find((name) => values[name] !== null && !Object.hasOwn(known, name))
    : undefined
  return unknown === undefined ? null : `after ${unknown} was not changed`
}

/** Codes that an entry names as halted or resumed and the journal does not. */
function haltsBeyond({ after }: DeskActTable, recorded: readonly Decision[]): string | null {
  for (const name of ['halted', 'resumed']) {
    const codes = valuesOf(after)[name]
    if (!Array.isArray(codes)) continue
    const beyond = codes.find(
      (code) => !recorded.some(({ facts }) => facts.after[name]?.expected === String(code)),
    )
    if (beyond !== undefined) return `after ${name} names ${String(beyond)}, the journal does not`
  }
  return null
}

/** An entry recorded after a crash names its journal row and the events in it. */
function laterFault(row: DeskActTable, after: Values, candidates: readonly Decision[]): string | null {
  const ones = candidates.filter(({ seq }) => row.subject === `journal:${seq}`)
  const [first] = ones
  if (!first) return `subject is "${row.subject}", it should be "journal:${candidates[0]?.seq}"`
  for (const decision of ones) decision.isRecorded = true
  const account = ones.find(({ facts }) => facts.accountId !== null)?.facts.accountId ?? null
  const events = ones.flatMap((decision) => decision.events)
  return (
    firstDifference(row.account_id, account, 'account') ??
    authorDifference(row, first.by) ??
    firstDifference(after['events'], events, 'events')
  )
}

/** Outcomes that only the engine can cause: an entry with one names its journal entry. */
const ENDS: Readonly<Record<string, readonly string[]>> = {
  decideDeposit: ['finished', 'rejected', 'invalid'],
  decideWithdrawal: ['paid', 'rejected'],
  decideAdjustment: ['approved', 'refused'],
}

/** The engine's decision that an entry claims; null if it claims none. */
function decidedByEngine({ act, outcome, after }: DeskActTable): string | null {
  if (outcome !== 'done') return null
  const values = valuesOf(after)
  if (Object.hasOwn(values, 'asked') || Object.hasOwn(values, 'approval')) return null
  const { status } = values
  if (ENDS[act]?.includes(String(status))) return String(status)
  if (act === 'decideDeposit' && Object.hasOwn(values, 'credited')) return 'credited'
  return ['askAdjustment', 'restrictPerson', 'closeOrder'].includes(act) ? act : null
}

/** A value that an audit entry states, with its test. Independent of the desk's code, to find errors there. */
type Stated = { readonly fits: (value: unknown) => boolean; readonly expected: string }
type StatedValues = Readonly<Record<string, Stated>>

/** What an audit entry may state about one event. An empty list allows anything. */
type AuditFacts = {
  readonly event: Event['type']
  readonly acts: readonly DeskPermission[]
  readonly subjects: readonly string[]
  readonly accountId: number | null
  /** Compared wherever the entry names them. */
  readonly before: StatedValues
  readonly after: StatedValues
  /** Names in `after` that the entry must have. */
  readonly needed: readonly string[]
  /** True if `after` may have no other names. */
  readonly isComplete?: boolean
}

const exact = (text: string): Stated => ({ fits: (value) => value === text, expected: text })
const including = (text: string): Stated => ({
  fits: (value) => (Array.isArray(value) ? value.includes(text) : value === text),
  expected: text,
})

/** An amount of account money, with any number of decimals. */
const amount = (units: bigint): Stated => ({
  fits: (value) => typeof value === 'string' && toUnits(value.replaceAll(',', ''), MONEY_DECIMALS) === units,
  expected: inUnits(units),
})

/** An amount as the desk records a request: in millionths, or with decimals. */
const amountAsRequested = (units: bigint): Stated => ({
  fits: (value) => String(value) === String(units) || amount(units).fits(value),
  expected: String(units),
})

const inUnits = (units: bigint): string => {
  const digits = String(units < 0n ? -units : units).padStart(MONEY_DECIMALS + 1, '0')
  const text = `${digits.slice(0, -MONEY_DECIMALS)}.${digits.slice(-MONEY_DECIMALS)}`
  return units < 0n ? `-${text}` : text
}

type Facts = Partial<Omit<AuditFacts, 'event' | 'accountId'>>

/** What the audit log must state about an operator's event, on the state just before it. `at` is epoch ms. */
function auditFacts(state: State, event: Event, at: number): AuditFacts {
  const accountId = 'accountId' in event ? event.accountId : null
  return {
    event: event.type,
    accountId,
    acts: [],
    subjects: [],
    before: {},
    after: {},
    needed: [],
    ...factsOf(state, event, at),
  }
}

function factsOf(state: State, event: Event, at: number): Facts {
  switch (event.type) {
    case 'depositEnded':
    case 'withdrawalEnded':
    case 'adjustmentAsked':
    case 'adjustmentEnded':
      return caseFacts(state, event)
    case 'withdrawalApproved':
    case 'withdrawalPaying':
      return {
        acts: ['decideWithdrawal'],
        subjects: [`withdrawal:${event.caseId}`],
        before: { amount: amount(event.amount) },
        after: { status: exact(event.type === 'withdrawalApproved' ? 'approved' : 'paying') },
        needed: ['status'],
      }
    case 'operatorSet':
      return {
        acts: ['changeOperators'],
        subjects: [`operator:${event.operatorId}`, 'operator:new'],
        after: { role: exact(event.role) },
        needed: ['role'],
      }
    case 'recoveryCalledOff':
      return { acts: ['callOffRecovery'], subjects: ['recovery'] }
    case 'operatorJoined':
      return { acts: ['ownAccess'], subjects: [`operator:${event.operatorId}`] }
    case 'accountStatusSet':
      return {
        acts: ['restrictPerson'],
        subjects: [`person:${event.accountId}`],
        after: { status: exact(event.status) },
        needed: ['status'],
      }
    case 'positionClosed':
    case 'orderCancelled':
      return { acts: ['closeOrder'], subjects: [`order:${event.orderId}`] }
    case 'instrumentHalted':
      return haltFacts(state, event)
    case 'tradingModeSet':
      return { acts: ['halt'], subjects: ['trading'], after: { mode: exact(event.mode) }, needed: ['mode'] }
    case 'referenceAdmitted': {
      const code = state.instruments.get(event.instrumentId)?.code
      return { acts: ['admitTick'], subjects: code === undefined ? [] : [`instrument:${code}`] }
    }
    case 'termsSet':
      return termsFacts(event, at)
    case 'termsWithdrawn': {
      const announced = state.announced.get(event.changeId)
      return { acts: ['changeTerms'], subjects: announced ? [subjectOfTerms(announced.change)] : [] }
    }
    default:
      return {}
  }
}

type CaseEvent = Extract<
  Event,
  { type: 'depositEnded' | 'withdrawalEnded' | 'adjustmentAsked' | 'adjustmentEnded' }
>

function caseFacts({ cases }: State, event: CaseEvent): Facts {
  const requested = cases.get(event.caseId)?.amount ?? 0n
  switch (event.type) {
    case 'depositEnded':
      return {
        acts: ['decideDeposit'],
        subjects: [`deposit:${event.caseId}`],
        before: { told: amount(requested) },
        after: {
          status: exact(event.outcome),
          credited: amount(event.amount),
          ...(event.arrived && arrivalFacts(event.arrived)),
        },
        needed: event.outcome === 'finished' ? ['credited'] : ['status'],
      }
    case 'withdrawalEnded':
      return {
        acts: ['decideWithdrawal'],
        subjects: [`withdrawal:${event.caseId}`],
        before: { amount: amount(requested) },
        after: { status: exact(event.outcome) },
        needed: ['status'],
      }
    case 'adjustmentAsked':
      return {
        acts: ['askAdjustment'],
        subjects: [`person:${event.accountId}`],
        after: { amount: amountAsRequested(event.amount) },
        needed: ['amount'],
      }
    case 'adjustmentEnded':
      return {
        acts: ['decideAdjustment'],
        subjects: [`adjustment:${event.caseId}`],
        before: { amount: amount(requested) },
        after: { amount: amount(requested), status: exact(event.outcome) },
        needed: ['amount', 'status'],
      }
  }
}

const arrivalFacts = ({ amount: units, rate, at }: Arrival): StatedValues => ({
  arrived: inDecimals(units, SENT_DECIMALS),
  rate: inDecimals(rate, RATE_DECIMALS),
  arrivedAt: exact(new Date(at).toISOString()),
})

/** A number with any number of decimals up to `decimals`; a currency code may follow. */
const inDecimals = (units: bigint, decimals: number): Stated => ({
  fits: (value) => typeof value === 'string' && toUnits(value.split(' ')[0] ?? '', decimals) === units,
  expected: decimalText(fromUnits(units, decimals)),
})

function haltFacts(
  { instruments, listings }: State,
  { instrumentId, reason }: Extract<Event, { type: 'instrumentHalted' }>,
): Facts {
  const code = instruments.get(instrumentId)?.code ?? ''
  const category = listings.get(instrumentId)?.category ?? ''
  return {
    acts: ['halt', 'askHalt'],
    subjects: [`instrument:${code}`, `category:${category}`, 'instruments'],
    after:
      reason === null
        ? { resumed: including(code), halted: { fits: () => false, expected: 'not halted' } }
        : {
            halted: including(code),
            resumed: { fits: () => false, expected: 'halted' },
            trading: exact(`halted: ${reason}`),
          },
  }
}

/** Each field that an audit entry names was changed, and to the value it states. */
function termsFacts({ change, effectiveAt }: Extract<Event, { type: 'termsSet' }>, at: number): Facts {
  const after: Record<string, Stated> = { holdsFrom: holdsFrom(effectiveAt, at) }
  for (const { field, after: value } of changedFields(null, change))
    after[field] = { fits: (stated) => (stated ?? null) === value, expected: value ?? 'nothing' }
  return { acts: ['changeTerms'], subjects: [subjectOfTerms(change)], after, isComplete: true }
}

/** A change takes effect at once if it was approved after its effective time. */
function holdsFrom(effectiveAt: number, at: number): Stated {
  if (effectiveAt > at) return exact(new Date(effectiveAt).toISOString())
  return {
    fits: (value) => value === 'at once' || (typeof value === 'string' && Date.parse(value) <= at),
    expected: 'at once',
  }
}

function subjectOfTerms(change: TermsChange): string {
  switch (change.kind) {
    case 'instrument':
      return `instrument:${change.instrument.code}`
    case 'calendar':
      return `hours:${change.session.name}`
    case 'settings':
    case 'source':
      return `terms:${change.kind}`
  }
}
