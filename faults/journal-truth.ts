import { hash } from 'node:crypto'
import { followed, livedOn, type JournalEvent, type Life } from './journal-life.ts'
import type { Ask, Row } from './place.ts'

const ROWS_AT_ONCE = 200
const GENESIS = '0'.repeat(64)

/** One journal entry under a caller's name, with the order that its last event makes or changes. */
export type Done = { readonly types: readonly string[]; readonly orderId: number | null }

/** What ended a case, and how often: once, or something is wrong. `amount` is what a deposit was credited at. */
export type CaseEnd = {
  readonly accountId: number
  readonly ends: number
  readonly outcome: string
  readonly amount: bigint
}

/** The journal as it is read from outside, by rules written down a second time. */
export type JournalTruth = {
  /** Reads what has been added. Answers a sentence for each thing that is wrong with it. */
  advance(ask: Ask): Promise<string[]>
  done(accountId: number, call: string, requestId: string): readonly Done[]
  life(orderId: number): Life | null
  /** Orders that rows have touched since this was last emptied. */
  readonly touched: Set<number>
  readonly seq: bigint
  /** How often an act of the desk is there: an operator's by its reason, a user's by its request. */
  acts(name: string): number
  /** How cases of money have ended. */
  readonly cases: ReadonlyMap<number, CaseEnd>
  /** How often each kind of event came. */
  readonly kinds: ReadonlyMap<string, number>
  /** Receipts and transfers written so far: the tables must hold as many. */
  readonly written: { receipts: number; transfers: number }
}

type JournalEntry = {
  readonly at: number
  readonly author: { readonly reason?: string }
  readonly request: { readonly accountId: number; readonly call: string; readonly id: string } | null
  readonly events: readonly JournalEvent[]
}

export function createJournalTruth(): JournalTruth {
  const { lives, touched, kinds, cases, written, takeEvent } = createEventBook()
  const requests = new Map<string, Done[]>()
  const acts = new Map<string, number>()
  let last = { seq: 0n, hash: GENESIS, at: 0 }

  const countAct = (name: string) => acts.set(name, (acts.get(name) ?? 0) + 1)

  const takeEntry = ({ author, request, events }: JournalEntry): string[] => {
    const problems = events.flatMap(takeEvent)
    if (author.reason !== undefined) countAct(author.reason)
    if (!request) return problems
    if (request.call === 'desk') countAct(request.id)
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
    touched,
    kinds,
    cases,
    written,
    get seq() {
      return last.seq
    },
    advance: async (ask) => {
      const problems: string[] = []
      for (;;) {
        const rows = await ask(
          `select * from journal where seq > ${last.seq} order by seq limit ${ROWS_AT_ONCE}`,
        )
        if (rows.length === 0) return problems
        for (const row of rows) problems.push(...takeRow(row))
      }
    },
    done: (accountId, call, requestId) => requests.get(keyOf(accountId, call, requestId)) ?? [],
    life: (orderId) => lives.get(orderId) ?? null,
    acts: (name) => acts.get(name) ?? 0,
  }
}

/** What events tell by themselves, whoever caused them. */
function createEventBook() {
  const lives = new Map<number, Life>()
  const touched = new Set<number>()
  const kinds = new Map<string, number>()
  const cases = new Map<number, CaseEnd>()
  const nights = new Set<string>()
  const written = { receipts: 0, transfers: 0 }

  const follow = ({ instrumentId, tick }: JournalEvent) => {
    for (const [id, life] of lives) {
      const stopLoss = tick && life.instrumentId === instrumentId ? followed(life, tick) : null
      if (stopLoss === null) continue
      lives.set(id, { ...life, stopLoss })
      touched.add(id)
    }
  }

  const endCase = ({ caseId = 0, accountId = 0, outcome = '', amount = '0' }: JournalEvent) => {
    const ends = (cases.get(caseId)?.ends ?? 0) + 1
    cases.set(caseId, { accountId, ends, outcome, amount: BigInt(amount) })
  }

  /** Sentences about what may be only once, and was there before. */
  const takeEvent = (event: JournalEvent): string[] => {
    kinds.set(event.type, (kinds.get(event.type) ?? 0) + 1)
    if (event.receipt) written.receipts += 1
    written.transfers += event.transfers?.length ?? 0
    if (event.type === 'trailingMoved') follow(event)
    if (event.type === 'depositEnded' || event.type === 'withdrawalEnded') endCase(event)
    if (event.orderId === undefined) return []
    const id = event.partId ?? event.orderId
    lives.set(id, livedOn(lives.get(id) ?? lives.get(event.orderId), event))
    touched.add(id).add(event.orderId)
    if (event.type !== 'swapBooked') return []
    const night = `order ${id} for the night of ${event.rollover}`
    if (nights.has(night)) return [`${night} is booked twice`]
    nights.add(night)
    return []
  }

  return { lives, touched, kinds, cases, written, takeEvent }
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
