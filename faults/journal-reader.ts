import { hash } from 'node:crypto'
import { followed, afterEvent, type JournalEvent, type OrderHistory } from './order-history.ts'
import type { Query, Row } from './place.ts'

const ROWS_AT_ONCE = 200
const GENESIS = '0'.repeat(64)

/** A journal entry of a request id, with the order that its last event creates or changes. */
export type Done = { readonly types: readonly string[]; readonly orderId: number | null }

/** How a case ended, and how often (more than once is a fault). `amount` is what a deposit was credited. */
export type CaseEnd = {
  readonly accountId: number
  readonly ends: number
  readonly outcome: string
  readonly amount: bigint
}

/** Reads the journal from outside, by an independent implementation of its rules. */
export type JournalReader = {
  /** Reads new rows. Returns a description of each problem. */
  advance(query: Query): Promise<string[]>
  done(accountId: number, call: string, requestId: string): readonly Done[]
  history(orderId: number): OrderHistory | null
  /** Orders changed since this was last emptied. */
  readonly changed: Set<number>
  readonly seq: bigint
  /** How often an action of the desk is in the journal: an operator's by its reason, a user's by its request id. */
  actions(name: string): number
  /** How money cases have ended. */
  readonly cases: ReadonlyMap<number, CaseEnd>
  /** Number of events by type. */
  readonly kinds: ReadonlyMap<string, number>
  /** Receipts and transfers written so far: the tables must have as many. */
  readonly written: { receipts: number; transfers: number }
}

type JournalEntry = {
  readonly at: number
  readonly author: { readonly reason?: string }
  readonly request: { readonly accountId: number; readonly call: string; readonly id: string } | null
  readonly events: readonly JournalEvent[]
}

export function createJournalReader(): JournalReader {
  const { histories, changed, kinds, cases, written, takeEvent } = createEventBook()
  const requests = new Map<string, Done[]>()
  const actions = new Map<string, number>()
  let last = { seq: 0n, hash: GENESIS, at: 0 }

  const countAction = (name: string) => actions.set(name, (actions.get(name) ?? 0) + 1)

  const takeEntry = ({ author, request, events }: JournalEntry): string[] => {
    const problems = events.flatMap(takeEvent)
    if (author.reason !== undefined) countAction(author.reason)
    if (!request) return problems
    if (request.call === 'desk') countAction(request.id)
    const key = keyOf(request.accountId, request.call, request.id)
    const last = events.at(-1)
    const done = { types: events.map(({ type }) => type), orderId: last?.partId ?? last?.orderId ?? null }
    requests.set(key, [...(requests.get(key) ?? []), done])
    return problems
  }

  const takeRow = (row: Row): string[] => {
    const entries = JSON.parse(String(row['entries'])) as JournalEntry[]
    const problems = linkProblems(row, last)
    if (entries.some(({ at }, index) => at < (entries[index - 1]?.at ?? last.at)))
      problems.push(`journal row ${row['seq']} goes back in time`)
    problems.push(...entries.flatMap(takeEntry))
    last = { seq: BigInt(row['seq'] ?? 0), hash: String(row['hash']), at: entries.at(-1)?.at ?? last.at }
    return problems
  }

  return {
    changed,
    kinds,
    cases,
    written,
    get seq() {
      return last.seq
    },
    advance: async (query) => {
      const problems: string[] = []
      for (;;) {
        const rows = await query(
          `select * from journal where seq > ${last.seq} order by seq limit ${ROWS_AT_ONCE}`,
        )
        if (rows.length === 0) return problems
        for (const row of rows) problems.push(...takeRow(row))
      }
    },
    done: (accountId, call, requestId) => requests.get(keyOf(accountId, call, requestId)) ?? [],
    history: (orderId) => histories.get(orderId) ?? null,
    actions: (name) => actions.get(name) ?? 0,
  }
}

/** State that follows from events alone, regardless of their author. */
function createEventBook() {
  const histories = new Map<number, OrderHistory>()
  const changed = new Set<number>()
  const kinds = new Map<string, number>()
  const cases = new Map<number, CaseEnd>()
  const swaps = new Set<string>()
  const written = { receipts: 0, transfers: 0 }

  const follow = ({ instrumentId, tick }: JournalEvent) => {
    for (const [id, history] of histories) {
      const stopLoss = tick && history.instrumentId === instrumentId ? followed(history, tick) : null
      if (stopLoss === null) continue
      histories.set(id, { ...history, stopLoss })
      changed.add(id)
    }
  }

  const endCase = ({ caseId = 0, accountId = 0, outcome = '', amount = '0' }: JournalEvent) => {
    const ends = (cases.get(caseId)?.ends ?? 0) + 1
    cases.set(caseId, { accountId, ends, outcome, amount: BigInt(amount) })
  }

  /** Problems: something that may happen only once happened again. */
  const takeEvent = (event: JournalEvent): string[] => {
    kinds.set(event.type, (kinds.get(event.type) ?? 0) + 1)
    if (event.receipt) written.receipts += 1
    written.transfers += event.transfers?.length ?? 0
    if (event.type === 'trailingMoved') follow(event)
    if (event.type === 'depositEnded' || event.type === 'withdrawalEnded') endCase(event)
    if (event.orderId === undefined) return []
    const id = event.partId ?? event.orderId
    histories.set(id, afterEvent(histories.get(id) ?? histories.get(event.orderId), event))
    changed.add(id).add(event.orderId)
    if (event.type !== 'swapBooked') return []
    const swap = `order ${id} for the rollover of ${event.rollover}`
    if (swaps.has(swap)) return [`${swap} is booked twice`]
    swaps.add(swap)
    return []
  }

  return { histories, changed, kinds, cases, written, takeEvent }
}

const keyOf = (accountId: number, call: string, requestId: string) => `${accountId} ${call} ${requestId}`

function linkProblems(row: Row, last: { seq: bigint; hash: string }): string[] {
  const { seq, at, writer, previous_hash: before, hash: own, entries } = row
  const sealed = hash('sha256', `${before} ${seq} ${at} ${writer} ${entries}`)
  const isNext = seq === last.seq + 1n && before === last.hash
  return [
    ...(isNext ? [] : [`journal row ${seq} does not follow row ${last.seq}`]),
    ...(sealed === own ? [] : [`journal row ${seq} does not have the hash of its contents`]),
  ]
}
