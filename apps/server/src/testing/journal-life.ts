/** A deployment without its engine: the core decides, the journal keeps it and the tables follow. */
import {
  evolve,
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
import type { Database } from '../database/open.ts'
import type { Change, CommittedBatch } from '../engine/projection/committed-batch.ts'
import { encodeEntry, eventTexts } from '../engine/journal/entry-codec.ts'
import { createAppend, headAt, nextRow, readHead } from '../engine/journal/journal.ts'
import { createProjector } from '../engine/projection/projector.ts'
import { restore } from '../engine/restore/restore.ts'
import { DAY, INSTRUMENTS, LISTING, someCommands } from './random-commands.ts'
import { createRandom } from '../../../../testing/random.ts'

const START = Date.UTC(2026, 0, 5, 12)
const HOUR_MS = 3_600_000

/** Three pairs that convert into each other, and always trade. */
export const LIFE_SEED: Seed = {
  settings: {
    ...{ accountCurrency: 'USD', feeType: 'rate', demoBalance: money(20_000_000_000n) },
    ...{ freshnessMs: 60_000, warningLevel: 100, stopOutLevel: 50, maxLivingOrders: 50 },
    ...{ noticeMs: HOUR_MS, fourEyesLimit: money(1_000_000_000n) },
  },
  instruments: INSTRUMENTS,
  listings: new Map([[1, LISTING]]),
  sessions: [DAY],
  sources: new Map([[1, { kind: 'live', hours: 'always', freshnessMs: null }]]),
}

export type Life = {
  readonly state: () => State
  readonly core: () => Core
  readonly clock: { at: number }
  /** Decides commands and commits what they change as one journal row. */
  give(...commands: readonly Command[]): Promise<readonly Change[]>
  /** Lets everybody do something at random. */
  step(): Promise<void>
  caughtUp(): Promise<void>
  /** Is told of every journal row from now on. */
  onCommit(listener: (batch: CommittedBatch) => void): void
  /** Goes on from the database alone, as after a crash. */
  restart(): Promise<void>
}

/** `seed` chooses what happens; the same one chooses the same. */
export async function openLife(database: Database, seed = 1): Promise<Life> {
  const random = createRandom(seed)
  const clock = { at: START }
  let onCommit: (batch: CommittedBatch) => void = () => undefined
  const line = database.openLine({ timeoutMs: 5_000, isDurable: false })
  const append = createAppend(line)
  let head = await readHead(line.queries)
  const goOn = async () => {
    const { core, reached, unprojected } = await restore(database, {})
    const options = { database, mayLag: () => 0, onError: () => undefined }
    const projector = createProjector({ ...options, start: reached })
    unprojected.forEach(projector.push)
    return { core, projector }
  }
  let { core, projector } = await goOn()
  onTestFinished(async () => {
    await projector.stop()
    await line.close()
  })

  const commit = async (changes: readonly Change[]) => {
    const at = changes.at(-1)?.entry.at
    if (at === undefined) return
    const entries = changes.map(({ entry }) => encodeEntry(entry))
    const row = nextRow(head, { at, entries }, 'life')
    await append(row)
    head = headAt(row)
    const texts = eventTexts(row.entries, entries)
    const written = changes.map((change, index) => ({ ...change, texts: texts[index] ?? [] }))
    const batch = { seq: head.seq, changes: written }
    onCommit(batch)
    projector.push(batch)
  }

  const give = async (...commands: readonly Command[]) => {
    core.journalRow = head.seq + 1
    const changes = commands.flatMap((command) => carryOut(core, command))
    await commit(changes)
    return changes
  }

  clock.at = Math.max(START, head.at)
  if (core.state.termsVersion === 0) {
    const entry: Entry = seedTerms(LIFE_SEED, clock.at)
    await commit([{ entry, ...evolve(core, entry) }])
  }

  return {
    state: () => core.state,
    core: () => core,
    clock,
    give,
    step: async () => {
      clock.at += random.below(HOUR_MS / 2)
      await give(...someCommands(core.state, clock.at, random))
    },
    onCommit: (listener) => {
      onCommit = listener
    },
    caughtUp: () => projector.reached(head.seq),
    restart: async () => {
      const { quotes } = core.state
      await projector.stop()
      ;({ core, projector } = await goOn())
      for (const [id, quote] of quotes) core.state.quotes.set(id, quote)
    },
  }
}

/** A command until nothing of it is left to do; what changed nothing is not kept. */
function carryOut(core: Core, command: Command): Change[] {
  const changes: Change[] = []
  for (;;) {
    const outcome = transact(core, command)
    if (isRejection(outcome)) return changes
    if (outcome.entry.events.length > 0 && outcome.repeatOf === null) changes.push(outcome)
    if (!outcome.hasMore) return changes
  }
}
