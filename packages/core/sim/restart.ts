/** Restarts: the state is thrown away and built again, from the journal or a snapshot and the rest of it. */
import { isDeepStrictEqual } from 'node:util'
import { createState, evolve, type Entry, type Posting, type State, type World } from '../src/index.ts'
import { restore, snapshotOf, stateHash, type Snapshot } from './canonical.ts'
import type { Random } from './random.ts'

export type Journal = {
  readonly entries: Entry[]
  /** The ledger rows the entries made when they happened. */
  readonly rows: Posting[]
  snapshot: { readonly taken: Snapshot; readonly entryCount: number; readonly rowCount: number } | null
}

export const createJournal = (): Journal => ({ entries: [], rows: [], snapshot: null })

export function takeSnapshot(journal: Journal, state: State): void {
  const { entries, rows } = journal
  journal.snapshot = { taken: snapshotOf(state), entryCount: entries.length, rowCount: rows.length }
}

export type Restarted = {
  readonly state: State
  readonly from: 'journal' | 'snapshot'
  readonly faults: string[]
}

/** I15: the rebuilt state has the hash of the live one, and its ledger rows are those of the first time. */
export function restart(journal: Journal, world: World, live: State, random: Random): Restarted {
  const snapshot = random.chance(70) ? journal.snapshot : null
  const state = snapshot ? restore(world, snapshot.taken) : createState(world)
  const rest = journal.entries.slice(snapshot?.entryCount ?? 0)
  // A copy now and then, for a state that changed what it was told would change the journal.
  const isCopied = random.chance(10)
  const rows = rest.flatMap((entry) => evolve(state, isCopied ? structuredClone(entry) : entry))
  const faults = []
  if (!isDeepStrictEqual(rows, journal.rows.slice(snapshot?.rowCount ?? 0))) {
    faults.push('I15 a replay makes other ledger rows')
  }
  if (stateHash(state) !== stateHash(live)) faults.push('I15 a replay leads to another state')
  return { state, from: snapshot ? 'snapshot' : 'journal', faults }
}
