/** One chapter of the simulation: a world, a market, its users, the core and its twin, step by step. */
import {
  admit,
  continueSequence,
  createState,
  createTickGuard,
  figuresOf,
  isRejection,
  reopenTicks,
  transact,
  violations,
  type Command,
  type Outcome,
  type State,
  type Tick,
  type TickGuard,
} from '../src/index.ts'
import { show } from './canonical.ts'
import { checkAccount, checkOpening, checkOutcome, createWatch, type Watch } from './checks.ts'
import { createClock, type MarketClock } from './clock.ts'
import { compareAccount, compareAll, compareHours, compareOutcomes } from './compare.ts'
import type { Counts } from './counts.ts'
import { createMarket, type Market } from './market.ts'
import { observe } from './observe.ts'
import type { Random } from './random.ts'
import { createJournal, restart, takeSnapshot, type Journal } from './restart.ts'
import { createTraders, type Traders } from './traders.ts'
import { createTwinGuard, judge, type TwinGuard } from './twin-guard.ts'
import { createTwinHours } from './twin-hours.ts'
import { createTwin, type Twin } from './twin-state.ts'
import { perform } from './twin.ts'
import { createWorld, type SimWorld } from './world.ts'

const FIRST_ACCOUNTS = 4
const MOST_ACCOUNTS = 11
const COMPARE_ALL_EVERY = 400

export type Trouble = {
  readonly step: number
  readonly command: string
  readonly problems: readonly string[]
}

export type Chapter = {
  readonly random: Random
  readonly counts: Counts
  readonly world: SimWorld
  readonly market: Market
  readonly traders: Traders
  readonly clock: MarketClock
  readonly twin: Twin
  readonly watch: Watch
  readonly journal: Journal
  state: State
  guard: TickGuard
  twinGuard: TwinGuard
  restartedAt: number | null
}

export function createChapter(random: Random, number: number, counts: Counts): Chapter {
  const world = createWorld(random, number)
  const hours = createTwinHours(world.sessions, world.halts)
  const twin = createTwin({ settings: world.settings, instruments: world.instruments, hours })
  return {
    random,
    counts,
    world,
    market: createMarket(world, hours, random),
    traders: createTraders(world, twin, random),
    clock: createClock(world, hours, random),
    twin,
    watch: createWatch(hours),
    journal: createJournal(),
    state: createState(world),
    guard: createTickGuard(),
    twinGuard: createTwinGuard(hours),
    restartedAt: null,
  }
}

/** Runs the chapter; the first step that goes wrong ends it. */
export function runChapter(chapter: Chapter, steps: number): Trouble | null {
  for (let step = 1; step <= steps; step++) {
    const { command, problems } = takeStep(chapter)
    if (step % COMPARE_ALL_EVERY === 0 || step === steps) problems.push(...compareEverything(chapter))
    if (problems.length > 0) return { step, command, problems }
  }
  return null
}

const compareEverything = ({ twin, state }: Chapter): string[] => [
  ...compareAll(twin, state),
  ...violations(state),
]

type Step = { command: string; problems: string[] }

function takeStep(chapter: Chapter): Step {
  const { random, twin, traders, market } = chapter
  const at = advance(chapter)
  const draw = random.int(1, 10_000)
  if (draw <= 10) return { command: 'restart', problems: restartAll(chapter, at) }
  if (draw <= 35) return jump(chapter)
  if (draw <= 340) return take(chapter, { type: 'clock', at })
  const isEarly = twin.accounts.length < FIRST_ACCOUNTS
  if (isEarly || (draw <= 370 && twin.accounts.length < MOST_ACCOUNTS)) {
    const ledger = twin.accounts.length % FIRST_ACCOUNTS === FIRST_ACCOUNTS - 1 ? 'real' : 'demo'
    return take(chapter, { type: 'openAccount', at, ledger })
  }
  if (draw <= 3_800) return take(chapter, traders.next(at))
  const tick = market.nextTick(at)
  return tick ? takeTick(chapter, tick, at) : take(chapter, { type: 'clock', at })
}

/** Mostly a little; sometimes to the last moment of a fresh price, or to the one after. */
function advance({ clock, random, twin, world }: Chapter): number {
  const at = clock.advance()
  if (!random.chance(0.5) || twin.quotes.size === 0) return at
  const quote = random.pick([...twin.quotes.values()])
  const limit = world.instruments.find(({ id }) => id === quote.instrumentId)?.freshnessMs
  return clock.reach(quote.receivedAt + (limit ?? world.settings.freshnessMs) + random.int(0, 1))
}

/** Sometimes a tick is the first to tell that time has passed, sometimes the clock. */
function jump(chapter: Chapter): Step {
  const { clock, market, random, world, twin, guard, twinGuard } = chapter
  const at = clock.jump()
  market.drift()
  const { id } = random.pick(world.instruments)
  reopenTicks(guard, id)
  twinGuard.jumped.add(id)
  const tick = random.chance(85) ? market.nextTick(at) : null
  const step = tick ? takeTick(chapter, tick, at) : take(chapter, { type: 'clock', at })
  return { ...step, problems: [...step.problems, ...compareHours(world, twin.hours, at)] }
}

/** A raw tick passes the guards of both; what they accept becomes a price, sometimes after a delay. */
function takeTick(chapter: Chapter, tick: Tick, at: number): Step {
  const { world, twin, random, clock, counts, twinGuard } = chapter
  const instrument = world.instruments.find(({ id }) => id === tick.instrumentId)
  if (!instrument) throw new Error('the market sent a tick of an unknown instrument')
  const openSince = world.openSince(instrument, at)
  const confirmed = twinGuard.confirmed
  const admission = admit(chapter.guard, instrument, tick, { at, openSince })
  const judged = judge(twinGuard, instrument, tick, at)
  counts.hit('suspect tick confirmed', twinGuard.confirmed > confirmed)
  if (!admission.accepted) {
    counts.hit(`tick refused: ${admission.reason}`)
    const isSame = admission.reason === judged
    return {
      command: show(tick),
      problems: isSame ? [] : [`tick\n  expected ${show(judged)}\n  got      ${admission.reason}`],
    }
  }
  if (show(admission.quote) !== show(judged)) {
    return {
      command: show(tick),
      problems: [`tick\n  expected ${show(judged)}\n  got      ${show(admission.quote)}`],
    }
  }
  const { quote } = admission
  const isReached = chapter.state.triggers.isReachedBy(quote)
  const delay = random.chance(isReached ? 5 : 0.2) ? random.int(1, 9_000) : 0
  return take(chapter, { type: 'tick', at: clock.wait(delay), quote }, twin.quotes.get(quote.instrumentId))
}

/** One command through both, and all that must hold after it. */
function take(
  chapter: Chapter,
  command: Command,
  previous = undefined as Parameters<typeof observe>[0]['previous'],
): Step {
  const { state, twin, watch, counts, world, restartedAt } = chapter
  const freeBefore = freeOf(state, command)
  const twinOutcome = perform(twin, command)
  const outcome = transact(state, command)
  observe({ counts, twin, halts: world.halts, command, outcome: twinOutcome, previous, restartedAt })
  const problems = compareOutcomes(twinOutcome, outcome)
  if (!isRejection(outcome)) {
    keep(chapter, outcome)
    if (outcome.entry.events.length > 0) problems.push(...violations(state))
    problems.push(
      ...checkOutcome(watch, state, outcome),
      ...checkOpenings(state, command, outcome, freeBefore),
    )
  }
  for (const accountId of touchedBy(command, isRejection(outcome) ? null : outcome)) {
    const account = state.accounts.get(accountId)
    if (account) problems.push(...compareAccount(twin, state, accountId), ...checkAccount(state, account))
  }
  return { command: show(command), problems }
}

function freeOf(state: State, command: Command): bigint {
  const account = command.type === 'placeOrder' ? state.accounts.get(command.accountId) : undefined
  return account ? figuresOf(state, account).free : 0n
}

function checkOpenings(state: State, command: Command, outcome: Outcome, freeBefore: bigint): string[] {
  if (command.type !== 'placeOrder' || outcome.isRepeat) return []
  return outcome.entry.events.flatMap((event) =>
    event.type === 'positionOpened' ? checkOpening(state, command, event, freeBefore) : [],
  )
}

function touchedBy(command: Command, outcome: Outcome | null): Set<number> {
  const touched = new Set(outcome?.entry.events.map((event) => event.accountId))
  if ('accountId' in command) touched.add(command.accountId)
  return touched
}

/** An entry that changed nothing and names no request is not kept; a repeat was kept the first time. */
function keep({ journal }: Chapter, { entry, postings, isRepeat }: Outcome): void {
  if (isRepeat || (entry.events.length === 0 && !entry.request)) return
  journal.entries.push(entry)
  journal.rows.push(...postings)
}

/** The memory is lost: the state comes back from the journal, prices with fresh ticks. */
function restartAll(chapter: Chapter, at: number): string[] {
  const { journal, world, counts, random, twin, twinGuard } = chapter
  const { state, from, faults } = restart(journal, world, chapter.state, random)
  counts.hit(from === 'journal' ? 'restart from the journal' : 'restart from a snapshot')
  counts.hit(
    'restart with pendings',
    twin.living.some(({ status }) => status === 'pending'),
  )
  counts.hit(
    'restart with stops',
    twin.living.some(
      ({ status, takeProfit, stopLoss }) => status === 'holding' && (takeProfit ?? stopLoss) !== null,
    ),
  )
  chapter.state = state
  chapter.restartedAt = at
  chapter.guard = createTickGuard()
  for (const [instrumentId, seq] of twinGuard.seqs) continueSequence(chapter.guard, instrumentId, seq)
  chapter.twinGuard = createTwinGuard(twin.hours, twinGuard.seqs)
  twin.quotes.clear()
  if (random.chance(60)) takeSnapshot(journal, state)
  return [...faults, ...compareEverything(chapter)]
}
