/** Restarts: the state is dropped and rebuilt from the journal, or from a snapshot and the rest of the journal. */
import { isDeepStrictEqual } from 'node:util'
import {
  createCore,
  evolve,
  type Core,
  type Entry,
  type Posting,
  type State,
  type TrailedStop,
} from '../src/index.ts'
import { restore, snapshotOf, stateHash, type Snapshot } from './canonical.ts'
import type { Random } from '../../../testing/random.ts'

export type Journal = {
  readonly entries: Entry[]
  /** The ledger rows that the entries made at first. */
  readonly rows: Posting[]
  /** The trailing stops that the entries moved at first. */
  readonly trailed: TrailedStop[]
  snapshot: TakenSnapshot | null
}

type TakenSnapshot = {
  readonly taken: Snapshot
  readonly entries: number
  readonly rows: number
  readonly trailed: number
}

export const createJournal = (): Journal => ({ entries: [], rows: [], trailed: [], snapshot: null })

export function takeSnapshot(journal: Journal, state: State): void {
  const { entries, rows, trailed } = journal
  const lengths = { entries: entries.length, rows: rows.length, trailed: trailed.length }
  journal.snapshot = { taken: snapshotOf(state), ...lengths }
}

export type Restarted = {
  readonly core: Core
  readonly from: 'journal' | 'snapshot'
  readonly faults: string[]
}

/** I15: the rebuilt state has the hash of the live one, and the replay makes the same ledger rows. */
export function restart(journal: Journal, live: State, random: Random): Restarted {
  const snapshot = random.chance(70) ? journal.snapshot : null
  const first = snapshot?.entries ?? 0
  const core = snapshot ? restore(journal.entries.slice(0, first), snapshot.taken) : createCore()
  // Sometimes a copy, because a state that modified its events would modify the journal.
  const isCopied = random.chance(10)
  const effects = journal.entries.slice(first).map((entry, index) => {
    core.journalRow = first + index + 1
    return evolve(core, isCopied ? structuredClone(entry) : entry)
  })
  const rows = effects.flatMap(({ postings }) => postings)
  const trailed = effects.flatMap((effect) => effect.trailed)
  const faults = []
  if (!isDeepStrictEqual(rows, journal.rows.slice(snapshot?.rows ?? 0)))
    faults.push('I15 a replay makes other ledger rows')
  if (!isDeepStrictEqual(trailed, journal.trailed.slice(snapshot?.trailed ?? 0)))
    faults.push('I15 a replay moves trailing stops elsewhere')
  if (stateHash(core.state) !== stateHash(live)) faults.push('I15 a replay leads to another state')
  return { core, from: snapshot ? 'snapshot' : 'journal', faults }
}
