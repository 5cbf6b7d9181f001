import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { watchTouched, type Quote, type State, type Host } from '@fairlot/core'
import type { Database } from '../database/open.ts'
import type { Batch } from './batch.ts'
import { findStranger, openJournalLine } from './commit.ts'
import { headAt, nextRow, type JournalHead } from './journal.ts'
import { createProjector, type Projector } from './projector.ts'
import { restore } from './restore.ts'

const LOOK_TERMS = { timeoutMs: 4_000, isDurable: true }
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
  readonly projector: Projector
}

/** Holds the memory, and keeps it and the database in step. */
export type Keeper = {
  state(): State
  head(): JournalHead
  projector(): Projector
  /** False while the database is away, while the memory is being rebuilt, and once we have stepped down. */
  isOpen(): boolean
  /** Resolves once the tables hold everything committed so far, be it after a rebuild. Throws after the stop. */
  caughtUp(): Promise<void>
  /** Appends to the journal what has been decided; true once it is there, however long it takes to know. */
  commit(batch: Batch): Promise<boolean>
  /** Throws the memory away and rebuilds it, however long the database takes to answer. Returns early when stopped. */
  rebuild(): Promise<void>
  /** Ends for good, because another program writes; the reason is a sentence. */
  stepDown(reason: string): void
  /** Ends whatever waits for its database. */
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
  /** Told at once when the memory is lost, or the database away. */
  readonly onAway: () => void
  readonly onSteppedDown?: (reason: string) => void
  readonly onError: (error: unknown, doing: string) => void
}

export async function keepMemory(options: KeeperOptions): Promise<Keeper> {
  const { database, onAway, onError, onSteppedDown = () => undefined } = options
  const stopping = new AbortController()
  const writer = randomUUID()
  let memory = await openMemory(options, { quotes: options.quotes ?? [], orders: new Map() })
  let isOpen = true
  let isSteppedDown = false

  const shut = () => {
    isOpen = false
    onAway()
  }
  const reopen = () => {
    isOpen = !isSteppedDown
  }
  const stepDown = (reason: string) => {
    if (isSteppedDown) return
    isSteppedDown = true
    stopping.abort()
    shut()
    onSteppedDown(reason)
  }
  const line = openJournalLine({ database, stopping: stopping.signal, onError, onAway: shut })

  const openAgain = async () => {
    const stranger = await strangerSince(database, memory.head, writer)
    if (stranger !== null) return stepDown(stranger)
    const { quotes, orders } = memory.state
    memory = await openMemory(options, { quotes: [...quotes.values()], orders })
    reopen()
  }

  const rebuild = async () => {
    shut()
    await memory.projector.stop()
    let pauseMs = REOPEN_FIRST_MS
    while (!stopping.signal.aborted) {
      try {
        return await openAgain()
      } catch (error) {
        onError(error, 'rebuilding the engine from the database')
        await pause(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined)
        pauseMs = Math.min(pauseMs * 2, REOPEN_LAST_MS)
      }
    }
  }

  const commit = async ({ changes, entries }: Batch): Promise<boolean> => {
    const at = changes.at(-1)?.entry.at ?? memory.head.at
    const row = nextRow(memory.head, { at, entries }, writer)
    // The database works, and so do we.
    void nextTurn().then(memory.projector.prepare)
    const outcome = await line.append(memory.head, row)
    if (outcome === 'there') {
      reopen()
      memory.head = headAt(row)
      const written = changes.map((change, index) => ({ ...change, texts: entries[index]?.events ?? [] }))
      memory.projector.push({ seq: memory.head.seq, changes: written })
      return true
    }
    if (outcome === 'lost') await rebuild()
    else if (outcome !== 'unknown') stepDown(outcome.steppedDown)
    // It may have landed all the same, later than anybody waited for it.
    return isOpen && memory.head.hash === row.hash
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
    stepDown,
    stop: () => stopping.abort(),
    close: async () => {
      await memory.projector.stop()
      await line.close()
    },
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
  return { state, head, projector }
}

/**
 * A tick that is decided again must not fire the stops of what it has filled before. Those of an earlier run are over, and their
 * numbers may be given again.
 */
function rememberFillingTicks(state: State, before: State['orders']): void {
  for (const order of state.orders.values()) {
    const earlier = before.get(order.id)
    order.openedSeq = earlier?.openedAt === order.openedAt ? earlier.openedSeq : 0
  }
}

/** Works out every account's safe prices before the first command, a slice at a time: the loop is not blocked for long. */
async function watchAccounts(state: State): Promise<void> {
  while (state.touched.size > 0) {
    watchTouched(state, WATCH_SLICE)
    await nextTurn()
  }
}

async function strangerSince(
  database: Database,
  { seq }: JournalHead,
  writer: string,
): Promise<string | null> {
  const line = database.openLine(LOOK_TERMS)
  try {
    return await findStranger(line.queries, { seq, writer })
  } finally {
    await line.close()
  }
}
