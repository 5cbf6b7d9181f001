import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { watchTouched, type Quote, type State, type World } from '@fairlot/core'
import type { Database, Line } from '../database/open.ts'
import { createAppend, headAt, nextRow, type Append, type JournalHead } from './journal.ts'
import type { Change } from './backlog.ts'
import { createProjector, type Projector } from './projector.ts'
import { restore } from './restore.ts'

/** A commit that takes longer counts as failed. */
const COMMIT_TERMS = { timeoutMs: 4_000, isDurable: true }
/** Accounts whose safe prices are worked out in one turn of the loop. */
const WATCH_SLICE = 500
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
  readonly world: World
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
  let memory = await openMemory(options, options.quotes ?? [])
  let isOpen = true

  const rebuild = async () => {
    isOpen = false
    options.onLost()
    await closeMemory(memory)
    for (
      let pauseMs = REOPEN_FIRST_MS;
      !stopping.signal.aborted;
      pauseMs = Math.min(pauseMs * 2, REOPEN_LAST_MS)
    ) {
      try {
        // Prices are the market's memory, not the journal's: they outlive a recovery.
        memory = await openMemory(options, memory.state.quotes.values())
        isOpen = true
        return
      } catch (error) {
        onError(error, 'rebuilding the engine from the database')
        await pause(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      }
    }
  }

  const commit = async (changes: readonly Change[]) => {
    const row = nextRow(
      memory.head,
      changes.map((change) => change.entry),
      writer,
    )
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
    memory.projector.push({ seq: memory.head.seq, changes })
    return true
  }

  return {
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

/** The first start, every later one and each recovery are this one path. */
async function openMemory(options: KeeperOptions, quotes: Iterable<Quote>): Promise<Memory> {
  const { database, world, isQuiet, onError } = options
  const { state, head, reached, unprojected } = await restore(database, world)
  for (const quote of quotes) state.quotes.set(quote.instrumentId, quote)
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
