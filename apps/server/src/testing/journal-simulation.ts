/** A deployment without its engine: the core decides, the journal stores entries, and the tables are projected. */
import {
  evolve,
  followOn,
  isRejection,
  money,
  seedTerms,
  transact,
  type Command,
  type Core,
  type Entry,
  type Seed,
  type State,
} from '@fairlot/core'
import { onTestFinished } from 'vitest'
import type { Database } from '../platform/database/open.ts'
import type { Change, CommittedBatch } from '../engine/projection/committed-batch.ts'
import { encodeEntry, eventTexts } from '../engine/journal/entry-codec.ts'
import { createAppend, headAt, nextRow, readHead } from '../engine/journal/journal.ts'
import { createProjector } from '../engine/projection/projector.ts'
import { restore } from '../engine/restore/restore.ts'
import { DAY, INSTRUMENTS, LISTING, someCommands } from './random-commands.ts'
import { createRandom } from '../../../../testing/random.ts'

const START = Date.UTC(2026, 0, 5, 12)
const HOUR_MS = 3_600_000

/** Three currency pairs that convert into each other, with an always open market. */
export const SIMULATION_SEED: Seed = {
  settings: {
    accountCurrency: 'USD',
    feeType: 'rate',
    demoBalance: money(20_000_000_000n),
    freshnessMs: 60_000,
    warningLevel: 100,
    stopOutLevel: 50,
    maxLivingOrders: 50,
    noticeMs: HOUR_MS,
    fourEyesLimit: money(1_000_000_000n),
  },
  instruments: INSTRUMENTS,
  listings: new Map([[1, LISTING]]),
  sessions: [DAY],
  sources: new Map([[1, { kind: 'live', hours: 'always', freshnessMs: null }]]),
}

export type Simulation = {
  readonly state: () => State
  readonly core: () => Core
  readonly clock: { at: number }
  /** Decides commands and commits their changes as one journal row. */
  execute(...commands: readonly Command[]): Promise<readonly Change[]>
  /** Executes random commands. */
  step(): Promise<void>
  caughtUp(): Promise<void>
  /** Calls back for each journal row from now on; one listener only. */
  onCommit(listener: (batch: CommittedBatch) => void): void
  /** Restores everything from the database, as after a crash. */
  restart(): Promise<void>
}

/** `seed` determines the random commands. */
export async function openSimulation(database: Database, seed = 1): Promise<Simulation> {
  const random = createRandom(seed)
  const clock = { at: START }
  let onCommit: (batch: CommittedBatch) => void = () => undefined
  const connection = database.openConnection({ timeoutMs: 5_000, isDurable: false })
  const append = createAppend(connection)
  let head = await readHead(connection.queries)
  const restoreAll = async () => {
    const { core, reached, unprojected } = await restore(database, {})
    const options = { database, mayLag: () => 0, onError: () => undefined }
    const projector = createProjector({ ...options, start: reached })
    unprojected.forEach(projector.push)
    return { core, projector }
  }
  let { core, projector } = await restoreAll()
  onTestFinished(async () => {
    await projector.stop()
    await connection.close()
  })

  const commit = async (changes: readonly Change[]) => {
    const at = changes.at(-1)?.entry.at
    if (at === undefined) return
    const entries = changes.map(({ entry }) => encodeEntry(entry))
    const row = nextRow(head, { at, entries }, 'simulation')
    await append(row)
    head = headAt(row)
    const texts = eventTexts(row.entries, entries)
    const written = changes.map((change, index) => ({ ...change, texts: texts[index] ?? [] }))
    const batch = { seq: head.seq, changes: written }
    onCommit(batch)
    projector.push(batch)
  }

  const execute = async (...commands: readonly Command[]) => {
    core.journalRow = head.seq + 1
    const changes = commands.flatMap((command) => carryOut(core, command))
    await commit(changes)
    return changes
  }

  clock.at = Math.max(START, head.at)
  if (core.state.termsVersion === 0) {
    const entry: Entry = seedTerms(SIMULATION_SEED, clock.at)
    await commit([{ entry, ...evolve(core, entry) }])
  }

  return {
    state: () => core.state,
    core: () => core,
    clock,
    execute,
    step: async () => {
      clock.at += random.below(HOUR_MS / 2)
      await execute(...someCommands(core.state, clock.at, random))
    },
    onCommit: (listener) => {
      onCommit = listener
    },
    caughtUp: () => projector.reached(head.seq),
    restart: async () => {
      const { quotes } = core.state
      await projector.stop()
      ;({ core, projector } = await restoreAll())
      for (const [id, quote] of quotes) core.state.quotes.set(id, quote)
    },
  }
}

/** Repeats a command until nothing of it is left to do; entries without changes are dropped. */
function carryOut(core: Core, command: Command): Change[] {
  const changes: Change[] = []
  for (;;) {
    const outcome = transact(core, command)
    if (isRejection(outcome)) return changes
    if (outcome.entry.events.length > 0 && outcome.repeatOf === null) changes.push(outcome)
    while (command.type !== 'tick' && core.unfinished) changes.push(followOn(core))
    if (!outcome.hasMore) return changes
  }
}
