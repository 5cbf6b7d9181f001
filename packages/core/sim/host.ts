/** The core as a server runs it: commands in slices, a journal, a tick guard, crashes and restarts. */
import {
  createCore,
  createTickGuard,
  evolve,
  followOn,
  isRejection,
  openingHours,
  transact,
  watchDirtyAccounts,
  type Command,
  type Core,
  type Entry,
  type Event,
  type Instrument,
  type OpeningHours,
  type Outcome,
  type Posting,
  type RejectionCode,
  type Request,
  type TickGuard,
  type TrailedStop,
} from '../src/index.ts'
import type { Random } from '../../../testing/random.ts'
import { createJournal, restart, takeSnapshot, type Journal } from './restart.ts'
import type { SimWorld } from './world.ts'

export type Host = {
  readonly world: SimWorld
  readonly random: Random
  readonly journal: Journal
  /** When the last halt of an instrument ended, epoch ms. */
  readonly haltEnds: Map<number, number>
  readonly halted: Set<number>
  core: Core
  guard: TickGuard
  hours: OpeningHours
}

/** The first start writes the seed into the journal. */
export function createHost(world: SimWorld, random: Random): Host {
  const core = createCore()
  const { state } = core
  const journal = createJournal()
  const { entries } = journal
  entries.push(world.seed)
  core.journalRow = entries.length
  evolve(core, world.seed)
  return {
    world,
    random,
    journal,
    core,
    haltEnds: new Map(),
    halted: new Set(),
    guard: createTickGuard(),
    hours: openingHours(state.calendar, state.sources),
  }
}

/** All that one command did, in one or more transactions: due work first, then the request itself. */
export type Done = {
  readonly at: number
  readonly request: Request | null
  readonly refused: RejectionCode | null
  readonly entries: readonly Entry[]
  readonly events: readonly Event[]
  readonly trailed: readonly TrailedStop[]
  readonly postings: readonly Posting[]
  /** The result of the same request when it was first sent. */
  readonly repeated: Entry | null
  readonly slices: number
  /** The process died between two slices: the rest is lost. */
  readonly isCrashed: boolean
}

export function submit(host: Host, command: Command): Done {
  const { core, world, random } = host
  const entries: Entry[] = []
  const events: Event[] = []
  const trailed: TrailedStop[] = []
  const postings: Posting[] = []
  const did = { entries, events, trailed, postings }
  const done = { ...did, at: command.at, request: null, refused: null, repeated: null }
  for (let slices = 1; ; slices += 1) {
    core.journalRow = host.journal.entries.length + 1
    const outcome = transact(core, command, world.budget)
    const progress = { slices, isCrashed: false }
    if (isRejection(outcome)) return { ...done, ...progress, refused: outcome.rejected }
    const { entry, repeatOf, hasMore } = outcome
    if (repeatOf !== null)
      return { ...done, ...progress, repeated: host.journal.entries[repeatOf - 1] ?? null }
    record(host, outcome)
    entries.push(entry)
    events.push(...entry.events)
    trailed.push(...outcome.trailed)
    postings.push(...outcome.postings)
    if (!hasMore) {
      for (const caused of followUps(host, command)) {
        entries.push(caused.entry)
        events.push(...caused.entry.events)
        postings.push(...caused.postings)
      }
      return { ...done, ...progress, request: entry.request }
    }
    if (random.chance(4)) return { ...done, ...progress, isCrashed: true }
  }
}

/** What a command causes in copies: in the same journal row, so that the process cannot die in between. */
function* followUps(host: Host, command: Command): Generator<Outcome, void> {
  const { core, world } = host
  while (command.type !== 'tick' && core.unfinished) {
    const outcome = followOn(core, world.budget)
    record(host, outcome)
    yield outcome
  }
}

/** An entry that changed nothing and names no request is not kept. */
function record({ journal, halted, haltEnds }: Host, { entry, postings, trailed }: Outcome): void {
  for (const event of entry.events) {
    if (event.type !== 'instrumentHalted') continue
    if (event.reason !== null) halted.add(event.instrumentId)
    else if (halted.delete(event.instrumentId)) haltEnds.set(event.instrumentId, entry.at)
  }
  if (entry.events.length === 0 && !entry.request) return
  journal.entries.push(entry)
  journal.rows.push(...postings)
  journal.trailed.push(...trailed)
}

/** Start of the current session, or the end of a halt when that is later; for the tick guard. */
export function openSince(
  { hours, core, haltEnds }: Host,
  instrument: Instrument,
  at: number,
): number | null {
  const { isOpen, openSince: since } = hours(instrument, at)
  if (!isOpen || core.state.halts.has(instrument.id)) return null
  const ended = haltEnds.get(instrument.id)
  return ended === undefined ? since : Math.max(since ?? 0, ended)
}

/** Restores the state from the journal after a crash, and its stop-out price bands, a few at a time. */
export function restartHost(host: Host): { from: 'journal' | 'snapshot'; faults: string[] } {
  const { journal, random } = host
  const { core, from, faults } = restart(journal, host.core.state, random)
  const { state, dirtyAccounts } = core
  while (dirtyAccounts.size > 0) watchDirtyAccounts(core, random.pick([1, 3, Infinity]))
  host.core = core
  host.hours = openingHours(state.calendar, state.sources)
  if (random.chance(60)) takeSnapshot(journal, state)
  return { from, faults }
}
