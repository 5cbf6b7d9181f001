import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { watchTouched, type Quote, type State, type Host } from '@fairlot/core'
import type { Database, Line } from '../database/open.ts'
import { encodeEntry } from './entry-codec.ts'
import { createAppend, headAt, nextRow, type Append, type JournalHead } from './journal.ts'
import type { Change } from './backlog.ts'
import { createProjector, type Projector } from './projector.ts'
import { restore } from './restore.ts'

/** A commit that takes longer counts as failed. */
const COMMIT_TERMS = { timeoutMs: 4_000, isDurable: true }
/** Accounts whose safe prices are worked out in one turn of the loop. */
const WATCH_SLICE = 500
/** How often it is asked whether a rebuild is over. */
const REBUILD_LOOK_MS = 20
const REOPEN_FIRST_MS = 100
const REOPEN_LAST_MS = 2_000

/** What the engine works with: after a failure it is thrown away as one. */
type Memory = {
  readonly state: State
  head: JournalHead
  /** Where the journal is appended. */
  readonly line: Line
  readonly append: Append
  readonly projector: Projector
}

/** Holds the memory, and keeps it and the database in step. */
export type Keeper = {
  state(): State
  head(): JournalHead
  projector(): Projector
  /** False while the memory is being rebuilt. */
  isOpen(): boolean
  /** Resolves once the tables hold everything committed so far, be it after a rebuild. Throws after the stop. */
  caughtUp(): Promise<void>
  /** Appends to the journal what has been decided; true once it is there. Rebuilds the memory when that fails. */
  commit(changes: readonly Change[]): Promise<boolean>
  /** Throws the memory away and rebuilds it, however long the database takes to answer. Returns early when stopped. */
  rebuild(): Promise<void>
  /** Ends a rebuild that waits for its database. */
  stop(): void
  close(): Promise<void>
}

type KeeperOptions = {
  readonly database: Database
  readonly host: Host
  /** The last prices of the run before. */
  readonly quotes?: readonly Quote[]
  /** False while commands wait for their commit. */
  readonly isQuiet: () => boolean
  /** Told at once when the memory is lost. */
  readonly onLost: () => void
  readonly onError: (error: unknown, doing: string) => void
}

export async function keepMemory(options: KeeperOptions): Promise<Keeper> {
  const { onError } = options
  const stopping = new AbortController()
  const writer = randomUUID()
  let memory = await openMemory(options, { quotes: options.quotes ?? [], orders: new Map() })
  let isOpen = true

  const rebuild = async () => {
    isOpen = false
    options.onLost()
    await closeMemory(memory)
    let pauseMs = REOPEN_FIRST_MS
    while (!stopping.signal.aborted) {
      try {
        const { quotes, orders } = memory.state
        memory = await openMemory(options, { quotes: [...quotes.values()], orders })
        isOpen = true
        return
      } catch (error) {
        onError(error, 'rebuilding the engine from the database')
        await pause(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined)
        pauseMs = Math.min(pauseMs * 2, REOPEN_LAST_MS)
      }
    }
  }

  const commit = async (changes: readonly Change[]) => {
    const at = changes.at(-1)?.entry.at ?? memory.head.at
    const entries = changes.map(({ entry }) => encodeEntry(entry))
    const row = nextRow(memory.head, { at, entries }, writer)
    try {
      // The database works, and so do we.
      await Promise.all([memory.append(row), nextTurn().then(memory.projector.prepare)])
    } catch (error) {
      onError(error, 'committing to the journal')
      await rebuild()
      // The row may be there all the same: the answer got lost, not the commit.
      return isOpen && memory.head.hash === row.hash
    }
    memory.head = headAt(row)
    const written = changes.map((change, index) => ({ ...change, texts: entries[index]?.events ?? [] }))
    memory.projector.push({ seq: memory.head.seq, changes: written })
    return true
  }

  const caughtUp = async () => {
    const { seq } = memory.head
    while (!stopping.signal.aborted) {
      const { projector } = memory
      await projector.reached(seq)
      // One that was given up lets everybody go; the next one knows what it left undone.
      if (projector === memory.projector && isOpen && !projector.isAstray()) return
      await pause(REBUILD_LOOK_MS)
    }
    throw new Error('the engine has stopped')
  }

  return {
    caughtUp,
    state: () => memory.state,
    head: () => memory.head,
    projector: () => memory.projector,
    isOpen: () => isOpen,
    commit,
    rebuild,
    stop: () => stopping.abort(),
    close: () => closeMemory(memory),
  }
}

/** What belongs to the market of now and not to the journal: it outlives a recovery. */
type Outliving = { readonly quotes: readonly Quote[]; readonly orders: State['orders'] }

/** The first start, every later one and each recovery are this one path. */
async function openMemory(options: KeeperOptions, before: Outliving): Promise<Memory> {
  const { database, host, isQuiet, onError } = options
  const { state, head, reached, unprojected } = await restore(database, host)
  for (const quote of before.quotes) state.quotes.set(quote.instrumentId, quote)
  rememberFillingTicks(state, before.orders)
  await watchAccounts(state)
  const projector = createProjector({
    database,
    start: reached,
    isQuiet,
    onError: (error) => onError(error, 'writing the tables'),
  })
  for (const batch of unprojected) projector.push(batch)
  const line = database.openLine(COMMIT_TERMS)
  return { state, head, line, append: createAppend(line.queries), projector }
}

/** A tick that is decided again must not fire the stops of what it has filled before. */
function rememberFillingTicks(state: State, before: State['orders']): void {
  for (const [id, { openedAt, openedSeq }] of before) {
    const order = state.orders.get(id)
    if (order && order.openedAt === openedAt) order.openedSeq = openedSeq
  }
}

/** Works out every account's safe prices before the first command, a slice at a time: the loop is not blocked for long. */
async function watchAccounts(state: State): Promise<void> {
  while (state.touched.size > 0) {
    watchTouched(state, WATCH_SLICE)
    await nextTurn()
  }
}

async function closeMemory({ projector, line }: Memory): Promise<void> {
  await projector.stop()
  await line.close()
}
