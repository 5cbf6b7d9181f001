/** One step: somebody does something, and core and model must agree on what comes of it. */
import { isDeepStrictEqual } from 'node:util'
import {
  admit,
  figuresOf,
  hasDueWork,
  reopenTicks,
  violations,
  type Command,
  type Tick,
} from '../src/index.ts'
import { show } from './canonical.ts'
import { compareEverything, type Chapter, type Step } from './chapter.ts'
import { checkAccount, checkDone, checkOpening } from './checks.ts'
import { compareAccount, compareHours, compareDone, compareStopOutPrice } from './compare.ts'
import { openSince, startAgain, submit, type Done } from './host.ts'
import { observe } from './observe.ts'
import { nextOperation } from './operators.ts'
import { isExpired, leftUndone } from './reference/due-work.ts'
import type { PlainQuote } from './plain.ts'
import { startGuard } from './restart-guard.ts'
import { judge, jumpReference } from './reference/tick-guard.ts'
import { freshnessAt, isHalted } from './reference/market.ts'
import { vouchForOne } from './vouch.ts'
import { perform } from './reference/reference-model.ts'

const FIRST_ACCOUNTS = 4
const MOST_ACCOUNTS = 10

/** A fault in the core that throws is a step that goes wrong, too. */
export function takeStep(chapter: Chapter): Step {
  try {
    return nextStep(chapter)
  } catch (error) {
    return {
      command: 'thrown',
      problems: [error instanceof Error ? (error.stack ?? error.message) : show(error)],
    }
  }
}

function nextStep(chapter: Chapter): Step {
  const { random, model, traders, market, world, host } = chapter
  const at = advance(chapter)
  const draw = random.int(1, 10_000)
  if (draw <= 8) return { command: 'restart', problems: restartAll(chapter, at) }
  if (draw <= 45) return jump(chapter)
  if (draw <= 340) return take(chapter, { type: 'clock', at })
  const isEarly = model.accounts.length < FIRST_ACCOUNTS
  if (isEarly || (draw <= 370 && model.accounts.length < MOST_ACCOUNTS)) {
    const ledger = [2, 3].includes(model.accounts.length % 5) ? 'real' : 'demo'
    return take(chapter, { type: 'openAccount', at, ledger })
  }
  // An expiry is left to whoever comes first: the clock, or the tick that would fill the order.
  const isRoundOpen = host.core.sweep.isNeeded
  if (isRoundOpen && random.chance(world.diligence)) return take(chapter, { type: 'clock', at })
  const vouched = vouchForOne(chapter)
  if (vouched) return vouched
  const operation = nextOperation({ world, model, random, at })
  if (operation) return take(chapter, operation)
  if (draw <= 3_800) return take(chapter, traders.next(at))
  if (draw <= 3_830) return preview(chapter)
  const tick = market.nextTick(at)
  return tick ? takeTick(chapter, tick, at) : take(chapter, { type: 'clock', at })
}

/** Mostly a little; sometimes to the last moment of a fresh price, or to the one after. */
function advance({ clock, random, model }: Chapter): number {
  const at = clock.advance()
  if (!random.chance(0.5) || model.quotes.size === 0) return at
  const quote = random.pick([...model.quotes.values()])
  return clock.reach(quote.receivedAt + freshnessAt(model, quote.instrumentId) + random.int(0, 1))
}

/** Sometimes a tick is the first to tell that time has passed, sometimes the clock. */
function jump(chapter: Chapter): Step {
  const { clock, market, random, world, model, host, referenceGuard } = chapter
  const at = clock.jump()
  market.drift()
  const { id } = random.pick(world.instruments)
  reopenTicks(host.guard, id)
  jumpReference(referenceGuard, id)
  const tick = random.chance(85) ? market.nextTick(at) : null
  const step = tick ? takeTick(chapter, tick, at) : take(chapter, { type: 'clock', at })
  return { ...step, problems: [...step.problems, ...compareHours(host.core, model.hours, at)] }
}

/** The price that a ticket would name as somebody's stop-out. */
function preview({ model, host, random, counts }: Chapter): Step {
  const order = random.pick([null, ...model.living.filter(({ status }) => status === 'holding')])
  const compared = order && compareStopOutPrice(model, host.core.state, order)
  if (compared) counts.hit(compared.named === null ? 'no stop-out price to name' : 'stop-out price named')
  return { command: `preview ${order?.orderId}`, problems: compared?.problems ?? [] }
}

/** A raw tick passes the guards of both; what they accept becomes a price, sometimes after a delay. */
function takeTick(chapter: Chapter, tick: Tick, at: number): Step {
  const { model, host, random, clock, counts, referenceGuard } = chapter
  const instrument = host.core.state.instruments.get(tick.instrumentId)
  if (!instrument) throw new Error('the market sent a tick of an unknown instrument')
  const admission = admit(host.guard, instrument, tick, { at, openSince: openSince(host, instrument, at) })
  const judged = judge(referenceGuard, instrument, tick, at)
  const got = admission.accepted ? admission.quote : admission.reason
  if (!isDeepStrictEqual(got, judged)) {
    return { command: tick, problems: [`tick\n  expected ${show(judged)}\n  got      ${show(got)}`] }
  }
  if (!admission.accepted) {
    counts.hit(`tick refused: ${admission.reason}`)
    return { command: tick, problems: [] }
  }
  const { quote } = admission
  const isReached = host.core.triggers.isReachedBy(quote) || host.core.marginWatch.isReachedBy(quote)
  const delay = random.chance(isReached ? 5 : 0.2) ? random.int(1, 9_000) : 0
  return take(chapter, { type: 'tick', at: clock.wait(delay), quote }, model.quotes.get(quote.instrumentId))
}

/** One command through both, and all that must hold after it; where the core has died, the reference model stops as well. */
function take(chapter: Chapter, command: Command, previous?: PlainQuote): Step {
  const { host, model, counts, restartedAt } = chapter
  const freeBefore = freeOf(chapter, command)
  const done = submit(host, command)
  const { slices, isCrashed } = done
  const isOver = model.living.some(({ status, expiresAt }) => isExpired(status, expiresAt, command.at))
  // How far due work goes with each clock is the core's choice; that it goes on is not.
  const isPartial = isCrashed || command.type === 'clock'
  const expected = perform(model, command, { events: done.events, isPartial })
  observe({ counts, model, command, previous, restartedAt, freeBefore, slices, isCrashed }, expected)
  const problems = [
    ...compareDone(expected, done, command),
    ...checkStep(chapter, command, done, freeBefore),
    ...checkProgress(chapter, command, { done, isOver }),
  ]
  if (isCrashed) problems.push(...restartAll(chapter, command.at))
  return { command, problems }
}

/** What begins the round over all accounts anew. */
const NEW_WORK: ReadonlySet<string> = new Set([
  'pricesMarked',
  'accountStatusSet',
  'termsSet',
  'termsTookEffect',
])

/** Every clock does something of what is to be done; where the core says that there is nothing left, that is true. */
function checkProgress(
  { host, model, progress }: Chapter,
  command: Command,
  { done, isOver }: { done: Done; isOver: boolean },
): string[] {
  const { core } = host
  if (done.events.some(({ type }) => NEW_WORK.has(type))) progress.idle = 0
  if (command.type !== 'clock') return []
  const isWorkDue = hasDueWork(core, command.at)
  progress.idle = done.events.length > 0 || !isWorkDue ? 0 : progress.idle + 1
  const faults = isWorkDue ? [] : leftUndone(model, command.at)
  if (isOver && done.events.length === 0) faults.push('orders past their expiry, and the clock ended none')
  if (progress.idle > core.state.accounts.size + 2) faults.push('due work does not go on')
  return faults
}

/** What was financed before the command took effect counts as free before it. */
const freeAfterNights = (freeBefore: bigint, accountId: number, { events }: Done): bigint =>
  events.reduce(
    (sum, event) => (event.type === 'swapBooked' && event.accountId === accountId ? sum + event.amount : sum),
    freeBefore,
  )

function checkStep(
  { host, model, watch }: Chapter,
  command: Command,
  done: Done,
  freeBefore: bigint,
): string[] {
  const { state } = host.core
  const { events } = done
  const problems = checkDone(watch, state, done)
  // What a crash leaves unfinished, and a price that only the lost memory knew, is looked at once it is up again.
  if (done.isCrashed) return problems
  if (events.length > 0) problems.push(...violations(host.core))
  // What its withdrawn orders had reserved is free as well.
  const isWithdrawn = events.some((event) => 'reason' in event && event.reason === 'withdrawnByOperator')
  if (command.type === 'placeOrder' && !isWithdrawn) {
    const free = freeAfterNights(freeBefore, command.accountId, done)
    for (const event of events) {
      if (event.type === 'positionOpened') problems.push(...checkOpening(state, command, event, free))
    }
  }
  const touched = new Set(events.flatMap((event) => ('accountId' in event ? [event.accountId] : [])))
  if ('accountId' in command) touched.add(command.accountId)
  for (const accountId of touched) {
    const account = state.accounts.get(accountId)
    if (account)
      problems.push(...compareAccount(model, state, accountId), ...checkAccount(watch, state, account))
  }
  return problems
}

function freeOf({ host }: Chapter, command: Command): bigint {
  const isOpening = command.type === 'placeOrder' || command.type === 'reversePosition'
  const account = isOpening ? host.core.state.accounts.get(command.accountId) : undefined
  return account ? figuresOf(host.core.state, account).free : 0n
}

/** The memory is lost: the state comes back from the journal, prices with fresh ticks. */
function restartAll(chapter: Chapter, at: number): string[] {
  const { host, counts, model, referenceGuard } = chapter
  const { from, faults } = startAgain(host)
  const held = model.living.filter(({ status }) => status === 'holding')
  counts.hit(from === 'journal' ? 'restart from the journal' : 'restart from a snapshot')
  counts.hit('restart with pendings', held.length < model.living.length)
  counts.hit(
    'restart with stops',
    held.some(({ takeProfit, stopLoss }) => (takeProfit ?? stopLoss) !== null),
  )
  counts.hit(
    'restart with trailing stops',
    held.some(({ trailingDistance }) => trailingDistance !== null),
  )
  counts.hit(
    'restart while halted',
    model.instruments.some(({ id }) => isHalted(model, id)),
  )
  counts.hit('restart in cancel-only mode', model.mode === 'cancelOnly')
  counts.hit('restart while a night is under way', model.nights.length > 0)
  counts.hit('restart with announced terms', model.announced.length > 0)
  counts.hit(
    'restart with open cases',
    model.cases.some(({ end }) => end === null),
  )
  counts.hit(
    'restart with restricted accounts',
    model.accounts.some(({ status }) => status !== 'active'),
  )
  chapter.restartedAt = at
  chapter.referenceGuard = startGuard(host, model, referenceGuard)
  chapter.progress.idle = 0
  model.quotes.clear()
  return [...faults, ...compareEverything(chapter)]
}
