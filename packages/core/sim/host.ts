/** The core as a server runs it: commands in slices, a journal of entries, a tick guard, crashes and restarts. */
import {
  createState,
  createTickGuard,
  isRejection,
  transact,
  watchTouched,
  type Command,
  type Entry,
  type Event,
  type Instrument,
  type Posting,
  type RejectionCode,
  type Request,
  type State,
  type TickGuard,
} from '../src/index.ts'
import type { Random } from './random.ts'
import { createJournal, restart, takeSnapshot, type Journal } from './restart.ts'
import type { SimWorld } from './world.ts'

export type Host = {
  readonly world: SimWorld
  readonly random: Random
  readonly journal: Journal
  /** When the last halt of an instrument ended, epoch ms. */
  readonly haltEnds: Map<number, number>
  readonly halted: Set<number>
  state: State
  guard: TickGuard
}

export const createHost = (world: SimWorld, random: Random): Host => ({
  world,
  random,
  journal: createJournal(),
  haltEnds: new Map(),
  halted: new Set(),
  state: createState(world),
  guard: createTickGuard(),
})

/** All that one command did, in however many transactions: the nights that had to be financed first, and what it asked. */
export type Done = {
  readonly at: number
  readonly request: Request | null
  readonly refused: RejectionCode | null
  readonly events: readonly Event[]
  readonly postings: readonly Posting[]
  /** What the request did when it was sent before. */
  readonly repeated: Entry | null
  readonly slices: number
  /** The process has died between two slices: what was left to do is lost. */
  readonly isCrashed: boolean
}

export function submit(host: Host, command: Command): Done {
  const { state, world, random } = host
  const events: Event[] = []
  const postings: Posting[] = []
  const done = { at: command.at, request: null, refused: null, events, postings, repeated: null }
  for (let slices = 1; ; slices += 1) {
    const outcome = transact(state, command, world.budget)
    const how = { slices, isCrashed: false }
    if (isRejection(outcome)) return { ...done, ...how, refused: outcome.rejected }
    const { entry, isRepeat, hasMore } = outcome
    if (isRepeat) return { ...done, ...how, repeated: entry }
    keep(host, entry, outcome.postings)
    events.push(...entry.events)
    postings.push(...outcome.postings)
    if (!hasMore) return { ...done, ...how, request: entry.request }
    if (random.chance(4)) return { ...done, ...how, isCrashed: true }
  }
}

/** An entry that changed nothing and names no request is not kept. */
function keep({ journal, halted, haltEnds }: Host, entry: Entry, postings: readonly Posting[]): void {
  for (const event of entry.events) {
    if (event.type !== 'instrumentHalted') continue
    if (event.reason !== null) halted.add(event.instrumentId)
    else if (halted.delete(event.instrumentId)) haltEnds.set(event.instrumentId, entry.at)
  }
  if (entry.events.length === 0 && !entry.request) return
  journal.entries.push(entry)
  journal.rows.push(...postings)
}

/** For the tick guard: the beginning of the present opening, or the end of a halt when that is later. */
export function openSince(
  { world, state, haltEnds }: Host,
  instrument: Instrument,
  at: number,
): number | null {
  if (!world.isOpen(instrument, at) || state.halts.has(instrument.id)) return null
  const since = world.openSince(instrument, at)
  const ended = haltEnds.get(instrument.id)
  return ended === undefined ? since : Math.max(since ?? 0, ended)
}

/** The memory is lost; the state comes back from the journal, and its safe prices are worked out, a few at a time. */
export function startAgain(host: Host): { from: 'journal' | 'snapshot'; faults: string[] } {
  const { journal, world, random } = host
  const { state, from, faults } = restart(journal, world, host.state, random)
  while (state.touched.size > 0) watchTouched(state, random.pick([1, 3, Infinity]))
  host.state = state
  if (random.chance(60)) takeSnapshot(journal, state)
  return { from, faults }
}
