import { hash } from 'node:crypto'
import type { Ask, Row } from './place.ts'

const ROWS_AT_ONCE = 200
const GENESIS = '0'.repeat(64)

/** One journal entry under a caller's name, with the order that its last event makes or changes. */
export type Done = { readonly types: readonly string[]; readonly orderId: number | null }

/** What the journal tells of one order. */
export type Life = {
  placed: number
  opened: number
  ended: number
  status: string
  endReason: string
  /** In ticks. */
  openPrice: number | null
  closePrice: number | null
  takeProfit: number | null
  stopLoss: number | null
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
  /** Receipts and transfers written so far: the tables must hold as many. */
  readonly written: { receipts: number; transfers: number }
}

type JournalEvent = {
  readonly type: string
  readonly orderId?: number
  /** Of a closed part, which is an order of its own. */
  readonly partId?: number
  readonly reason?: string
  readonly openPrice?: number | null
  readonly closePrice?: number | null
  readonly takeProfit?: number | null
  readonly stopLoss?: number | null
  readonly receipt?: object
  readonly transfers?: readonly object[]
}
type JournalEntry = {
  readonly at: number
  readonly request: { readonly accountId: number; readonly call: string; readonly id: string } | null
  readonly events: readonly JournalEvent[]
}

export function createJournalTruth(): JournalTruth {
  const requests = new Map<string, Done[]>()
  const lives = new Map<number, Life>()
  const touched = new Set<number>()
  const written = { receipts: 0, transfers: 0 }
  let last = { seq: 0n, hash: GENESIS, at: 0 }

  const takeEntry = ({ request, events }: JournalEntry) => {
    for (const event of events) {
      if (event.receipt) written.receipts += 1
      written.transfers += event.transfers?.length ?? 0
      if (event.orderId === undefined) continue
      const id = event.partId ?? event.orderId
      lives.set(id, livedOn(lives.get(id) ?? lives.get(event.orderId), event))
      touched.add(id).add(event.orderId)
    }
    if (!request) return
    const key = keyOf(request.accountId, request.call, request.id)
    const last = events.at(-1)
    const done = { types: events.map(({ type }) => type), orderId: last?.partId ?? last?.orderId ?? null }
    requests.set(key, [...(requests.get(key) ?? []), done])
  }

  const takeRow = (row: Row): string[] => {
    const entries = JSON.parse(String(row['entries'])) as JournalEntry[]
    const problems = linkProblems(row, last)
    if (entries.some(({ at }, index) => at < (entries[index - 1]?.at ?? last.at)))
      problems.push(`journal row ${row['seq']} goes back in time`)
    entries.forEach(takeEntry)
    last = { seq: BigInt(row['seq'] ?? 0), hash: String(row['hash']), at: entries.at(-1)?.at ?? last.at }
    return problems
  }

  return {
    touched,
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
  }
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

const UNBORN: Life = {
  ...{ placed: 0, opened: 0, ended: 0, status: 'none', endReason: 'none' },
  ...{ openPrice: null, closePrice: null, takeProfit: null, stopLoss: null },
}

function livedOn(before: Life = UNBORN, event: JournalEvent): Life {
  const { takeProfit = before.takeProfit, stopLoss = before.stopLoss, reason = 'none' } = event
  switch (event.type) {
    case 'orderPlaced':
      return { ...before, takeProfit, stopLoss, placed: before.placed + 1, status: 'pending' }
    case 'positionOpened': {
      const { openPrice = null } = event
      return { ...before, takeProfit, stopLoss, openPrice, opened: before.opened + 1, status: 'holding' }
    }
    case 'stopsSet':
      return { ...before, takeProfit, stopLoss }
    case 'orderCancelled':
      return { ...before, ended: before.ended + 1, status: 'cancelled', endReason: reason }
    case 'positionClosed':
    // The part has lived as its position has, and ends.
    case 'positionReduced': {
      const { closePrice = null } = event
      return { ...before, closePrice, ended: before.ended + 1, status: 'closed', endReason: reason }
    }
    default:
      return before
  }
}
