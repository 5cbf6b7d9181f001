import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { watchTouched, type Quote, type State, type Host } from '@fairlot/core'
import type { Database } from '../database/open.ts'
import type { Batch } from './batch.ts'
import { findStranger, openJournalLine, type JournalLine } from './commit.ts'
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

/** Holds the memory, and keeps it and the database in step. */
export class Keeper {
  readonly #options: KeeperOptions
  readonly #stopping = new AbortController()
  /** Names us in the journal. */
  readonly #writer = randomUUID()
  readonly #line: JournalLine
  #memory: Memory
  #isOpen = true
  #isSteppedDown = false

  /** The first start, every later one and each recovery are one path. */
  static async open(options: KeeperOptions): Promise<Keeper> {
    return new Keeper(options, await openMemory(options, { quotes: options.quotes ?? [], orders: new Map() }))
  }

  private constructor(options: KeeperOptions, memory: Memory) {
    this.#options = options
    this.#memory = memory
    const { database, onError } = options
    const stopping = this.#stopping.signal
    this.#line = openJournalLine({ database, stopping, onError, onAway: () => this.#shut() })
  }

  get state(): State {
    return this.#memory.state
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
      const written = changes.map((change, index) => ({ ...change, texts: entries[index]?.events ?? [] }))
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
      if (projector === this.projector && this.#isOpen && !projector.isAstray()) return
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
    const stranger = await strangerSince(database, this.head, this.#writer)
    if (stranger !== null) return this.stepDown(stranger)
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
