import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { watchDirtyAccounts, type Core, type Quote, type State, type Host } from '@fairlot/core'
import type { Database } from '../platform/database/open.ts'
import type { Batch } from './batch.ts'
import { eventTexts } from './journal/entry-codec.ts'
import {
  findOtherWriter,
  headAt,
  nextRow,
  openJournalConnection,
  type JournalHead,
  type JournalConnection,
} from './journal/journal.ts'
import { createProjector, type Projector } from './projection/projector.ts'
import { restore } from './restore/restore.ts'

const LOOKUP_OPTIONS = { timeoutMs: 4_000, isDurable: true }
/** Accounts whose stop-out price bands are computed in one turn of the event loop. */
const WATCH_SLICE = 500
/** Interval at which `caughtUp` checks whether a rebuild has finished, ms. */
const REBUILD_POLL_MS = 20
const REOPEN_FIRST_MS = 100
const REOPEN_LAST_MS = 2_000

/** The engine in memory; after a failure all of it is dropped and rebuilt. */
type Memory = {
  readonly core: Core
  head: JournalHead
  readonly projector: Projector
}

type EngineStoreOptions = {
  readonly database: Database
  readonly host: Host
  /** The last prices of the previous run. */
  readonly quotes?: readonly Quote[]
  /** How many events the tables may currently lag behind before they are written. */
  readonly mayLag: () => number
  /** Called as soon as the memory is lost or the database is unreachable. */
  readonly onAway: () => void
  readonly onSteppedDown?: (reason: string) => void
  readonly onError: (error: unknown, doing: string) => void
}

/** The engine's store: the state in memory, its commits to the journal, and the rebuild after a failure. */
export class EngineStore {
  readonly #options: EngineStoreOptions
  readonly #stopping = new AbortController()
  /** The id of this run as a writer of the journal. */
  readonly #writer = randomUUID()
  readonly #connection: JournalConnection
  #memory: Memory
  #isOpen = true
  #isSteppedDown = false

  /** First start, later starts and recoveries use the same code. */
  static async open(options: EngineStoreOptions): Promise<EngineStore> {
    return new EngineStore(
      options,
      await openMemory(options, { quotes: options.quotes ?? [], orders: new Map() }),
    )
  }

  private constructor(options: EngineStoreOptions, memory: Memory) {
    this.#options = options
    this.#memory = memory
    const { database, onError } = options
    const stopping = this.#stopping.signal
    this.#connection = openJournalConnection({ database, stopping, onError, onAway: () => this.#shut() })
  }

  get core(): Core {
    return this.#memory.core
  }

  get state(): State {
    return this.core.state
  }

  get head(): JournalHead {
    return this.#memory.head
  }

  get projector(): Projector {
    return this.#memory.projector
  }

  /** False while the database is unreachable or the memory is being rebuilt, and after stepping down. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Appends a batch to the journal. True if it was committed; waits until that is known, however long it takes. */
  async commit({ changes, entries }: Batch): Promise<boolean> {
    const { head, projector } = this.#memory
    const row = nextRow(head, { at: changes.at(-1)?.entry.at ?? head.at, entries }, this.#writer)
    // Rows are prepared while the database works.
    const prepared = this.#prepareTables()
    const outcome = await this.#connection.append(head, row)
    if (outcome === 'there' && (await prepared)) {
      this.#reopen()
      this.#memory.head = headAt(row)
      const texts = eventTexts(row.entries, entries)
      const written = changes.map((change, index) => ({ ...change, texts: texts[index] ?? [] }))
      projector.push({ seq: this.head.seq, changes: written })
      return true
    }
    if (typeof outcome === 'object') this.stepDown(outcome.steppedDown)
    else if (outcome !== 'unknown') await this.rebuild()
    // The commit may have arrived late, after everybody stopped waiting for it.
    return this.#isOpen && this.head.hash === row.hash
  }

  /** Drops the memory and rebuilds it from the database, retrying until it answers. Returns early when stopped. */
  async rebuild(): Promise<void> {
    this.#shut()
    await this.projector.stop()
    let pauseMs = REOPEN_FIRST_MS
    while (!this.#stopping.signal.aborted) {
      try {
        return await this.#openAgain()
      } catch (error) {
        this.#options.onError(error, 'rebuilding the engine from the database')
        await this.#wait(pauseMs)
        pauseMs = Math.min(pauseMs * 2, REOPEN_LAST_MS)
      }
    }
  }

  /** Resolves once the tables hold everything committed so far, if need be after a rebuild. Throws after the stop. */
  async caughtUp(): Promise<void> {
    const { seq } = this.head
    while (!this.#stopping.signal.aborted) {
      const { projector } = this
      await projector.reached(seq)
      // A projector that was given up resolves early; its successor writes what is missing.
      if (projector === this.projector && this.#isOpen && !projector.hasDiverged()) return
      await pause(REBUILD_POLL_MS)
    }
    throw new Error('the engine has stopped')
  }

  /** Stops for good because another program writes to the journal. The reason is a sentence. */
  stepDown(reason: string): void {
    if (this.#isSteppedDown) return
    this.#isSteppedDown = true
    this.stop()
    this.#shut()
    this.#options.onSteppedDown?.(reason)
  }

  /** Aborts everything that waits for the database. */
  stop(): void {
    this.#stopping.abort()
  }

  /** Writes to the tables once more, then closes the connections. */
  async close(): Promise<void> {
    this.projector.wake()
    await this.projector.stop()
    await this.#connection.close()
  }

  /** False on an error, which is a bug: the projector has then lost rows. */
  async #prepareTables(): Promise<boolean> {
    await nextTurn()
    try {
      this.projector.prepare()
      return true
    } catch (error) {
      this.#options.onError(error, 'preparing rows of the tables')
      return false
    }
  }

  #shut(): void {
    this.#isOpen = false
    this.#options.onAway()
  }

  #reopen(): void {
    this.#isOpen = !this.#isSteppedDown
  }

  async #openAgain(): Promise<void> {
    const { database } = this.#options
    const otherWriter = await otherWriterSince(database, this.head, this.#writer)
    if (otherWriter !== null) return this.stepDown(otherWriter)
    const { quotes, orders } = this.state
    this.#memory = await openMemory(this.#options, { quotes: [...quotes.values()], orders })
    this.#reopen()
  }

  async #wait(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined)
  }
}

/** Market data that is not in the journal and survives a recovery. */
type MarketMemory = { readonly quotes: readonly Quote[]; readonly orders: State['orders'] }

async function openMemory(options: EngineStoreOptions, before: MarketMemory): Promise<Memory> {
  const { database, host, mayLag, onError } = options
  const { core, head, reached, unprojected } = await restore(database, host)
  const { state } = core
  for (const quote of before.quotes) state.quotes.set(quote.instrumentId, quote)
  restoreFillingTicks(state, before.orders)
  await watchAccounts(core)
  const projector = createProjector({
    database,
    start: reached,
    mayLag,
    onError: (error) => onError(error, 'writing the tables'),
  })
  for (const batch of unprojected) projector.push(batch)
  return { core, head, projector }
}

/**
 * A tick that is decided again must not trigger the stops of positions that it has filled before. Fills of an earlier run
 * are reset, since tick numbers start again.
 */
function restoreFillingTicks(state: State, before: State['orders']): void {
  for (const order of state.orders.values()) {
    const earlier = before.get(order.id)
    order.openedSeq = earlier?.openedAt === order.openedAt ? earlier.openedSeq : 0
  }
}

/** Computes every account's stop-out price bands before the first command, in slices, so as not to block the event loop. */
async function watchAccounts(core: Core): Promise<void> {
  while (core.dirtyAccounts.size > 0) {
    watchDirtyAccounts(core, WATCH_SLICE)
    await nextTurn()
  }
}

async function otherWriterSince(
  database: Database,
  { seq }: JournalHead,
  writer: string,
): Promise<string | null> {
  const connection = database.openConnection(LOOKUP_OPTIONS)
  try {
    return await findOtherWriter(connection.queries, { seq, writer })
  } finally {
    await connection.close()
  }
}
