import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { watchTouched, type Core, type Quote, type State, type Host } from '@fairlot/core'
import type { Database } from '../database/open.ts'
import type { Batch } from './batch.ts'
import { findOtherWriter, openJournalLine, type JournalLine } from './journal/commit.ts'
import { eventTexts } from './journal/entry-codec.ts'
import { headAt, nextRow, type JournalHead } from './journal/journal.ts'
import { createProjector, type Projector } from './projection/projector.ts'
import { restore } from './restore/restore.ts'

const LOOK_TERMS = { timeoutMs: 4_000, isDurable: true }
/** Accounts whose safe prices are worked out in one turn of the loop. */
const WATCH_SLICE = 500
/** How often it is asked whether a rebuild is over. */
const REBUILD_LOOK_MS = 20
const REOPEN_FIRST_MS = 100
const REOPEN_LAST_MS = 2_000

/** The engine's core in memory; after a failure all of it is dropped and rebuilt. */
type Memory = {
  readonly core: Core
  head: JournalHead
  readonly projector: Projector
}

type EngineStoreOptions = {
  readonly database: Database
  readonly host: Host
  /** The last prices of the run before. */
  readonly quotes?: readonly Quote[]
  /** How many events the tables may be behind now before they are written. */
  readonly mayLag: () => number
  /** Told at once when the memory is lost, or the database away. */
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
  readonly #line: JournalLine
  #memory: Memory
  #isOpen = true
  #isSteppedDown = false

  /** The first start, later starts and recoveries take the same path. */
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
    this.#line = openJournalLine({ database, stopping, onError, onAway: () => this.#shut() })
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

  /** False while the database is away, while the memory is being rebuilt, and once we have stepped down. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Appends to the journal what has been decided; true once it is there, however long it takes to know. */
  async commit({ changes, entries }: Batch): Promise<boolean> {
    const { head, projector } = this.#memory
    const row = nextRow(head, { at: changes.at(-1)?.entry.at ?? head.at, entries }, this.#writer)
    // The database works, and so do we.
    const prepared = this.#prepareTables()
    const outcome = await this.#line.append(head, row)
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
    // It may have landed all the same, later than anybody waited for it.
    return this.#isOpen && this.head.hash === row.hash
  }

  /** Throws the memory away and rebuilds it, however long the database takes to answer. Returns early when stopped. */
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

  /** Resolves once the tables hold everything committed so far, be it after a rebuild. Throws after the stop. */
  async caughtUp(): Promise<void> {
    const { seq } = this.head
    while (!this.#stopping.signal.aborted) {
      const { projector } = this
      await projector.reached(seq)
      // One that was given up lets everybody go; the next one knows what it left undone.
      if (projector === this.projector && this.#isOpen && !projector.hasDiverged()) return
      await pause(REBUILD_LOOK_MS)
    }
    throw new Error('the engine has stopped')
  }

  /** Ends for good, because another program writes; the reason is a sentence. */
  stepDown(reason: string): void {
    if (this.#isSteppedDown) return
    this.#isSteppedDown = true
    this.stop()
    this.#shut()
    this.#options.onSteppedDown?.(reason)
  }

  /** Ends whatever waits for its database. */
  stop(): void {
    this.#stopping.abort()
  }

  /** Lets the tables have what is there, as far as one write goes. */
  async close(): Promise<void> {
    this.projector.wake()
    await this.projector.stop()
    await this.#line.close()
  }

  /** False when it could not, which is a bug: the rows it has taken are lost to it. */
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

/** What belongs to the market of now and not to the journal: it outlives a recovery. */
type Outliving = { readonly quotes: readonly Quote[]; readonly orders: State['orders'] }

async function openMemory(options: EngineStoreOptions, before: Outliving): Promise<Memory> {
  const { database, host, mayLag, onError } = options
  const { core, head, reached, unprojected } = await restore(database, host)
  const { state } = core
  for (const quote of before.quotes) state.quotes.set(quote.instrumentId, quote)
  rememberFillingTicks(state, before.orders)
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
async function watchAccounts(core: Core): Promise<void> {
  while (core.touched.size > 0) {
    watchTouched(core, WATCH_SLICE)
    await nextTurn()
  }
}

async function otherWriterSince(
  database: Database,
  { seq }: JournalHead,
  writer: string,
): Promise<string | null> {
  const line = database.openLine(LOOK_TERMS)
  try {
    return await findOtherWriter(line.queries, { seq, writer })
  } finally {
    await line.close()
  }
}
