/** The core as a server runs it: commands in slices, a journal of entries, a tick guard, crashes and restarts. */
import {
  createCore,
  createTickGuard,
  evolve,
  isRejection,
  openingHours,
  transact,
  watchTouched,
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

/** The first start journals the seed. */
export function createHost(world: SimWorld, random: Random): Host {
  const core = createCore()
  const { state } = core
  const journal = createJournal()
  const { entries } = journal
  entries.push(world.seed)
  core.journalRow = entries.length
  evolve(core, world.seed)
  return {
    ...{ world, random, journal, core },
    haltEnds: new Map(),
    halted: new Set(),
    guard: createTickGuard(),
    hours: openingHours(state.calendar, state.sources),
  }
}

/** All that one command did, in however many transactions: what was due first, and what it asked. */
export type Done = {
  readonly at: number
  readonly request: Request | null
  readonly refused: RejectionCode | null
  readonly entries: readonly Entry[]
  readonly events: readonly Event[]
  readonly trailed: readonly TrailedStop[]
  readonly postings: readonly Posting[]
  /** What the request did when it was sent before. */
  readonly repeated: Entry | null
  readonly slices: number
  /** The process has died between two slices: what was left to do is lost. */
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
    const how = { slices, isCrashed: false }
    if (isRejection(outcome)) return { ...done, ...how, refused: outcome.rejected }
    const { entry, repeatOf, hasMore } = outcome
    if (repeatOf !== null) return { ...done, ...how, repeated: host.journal.entries[repeatOf - 1] ?? null }
    keep(host, outcome)
    entries.push(entry)
    events.push(...entry.events)
    trailed.push(...outcome.trailed)
    postings.push(...outcome.postings)
    if (!hasMore) return { ...done, ...how, request: entry.request }
    if (random.chance(4)) return { ...done, ...how, isCrashed: true }
  }
}

/** An entry that changed nothing and names no request is not kept. */
function keep({ journal, halted, haltEnds }: Host, { entry, postings, trailed }: Outcome): void {
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

/** For the tick guard: the beginning of the present opening, or the end of a halt when that is later. */
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

/** The memory is lost; the state comes back from the journal, and its safe prices are worked out, a few at a time. */
export function startAgain(host: Host): { from: 'journal' | 'snapshot'; faults: string[] } {
  const { journal, random } = host
  const { core, from, faults } = restart(journal, host.core.state, random)
  const { state, touched } = core
  while (touched.size > 0) watchTouched(core, random.pick([1, 3, Infinity]))
  host.core = core
  host.hours = openingHours(state.calendar, state.sources)
  if (random.chance(60)) takeSnapshot(journal, state)
  return { from, faults }
}
