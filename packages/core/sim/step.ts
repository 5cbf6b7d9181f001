/** One step: a command that core and model carry out, and the comparison of the results. */
import { isDeepStrictEqual } from 'node:util'
import {
  admit,
  isInSession,
  figuresOf,
  hasDueWork,
  reopenTicks,
  violations,
  type Command,
  type Tick,
} from '../src/index.ts'
import { show } from './canonical.ts'
import { compareEverything, type Episode, type Step, startGuard } from './episode.ts'
import { checkAccount, checkDone, checkOpening } from './checks.ts'
import { compareAccount, compareHours, compareDone, compareStopOutPrice } from './compare.ts'
import { openSince, restartHost, submit, type Done } from './host.ts'
import { observe } from './observe.ts'
import { nextOperation } from './operators.ts'
import { isExpired, missedWork } from './reference/due-work.ts'
import type { PlainQuote } from './plain-types.ts'
import { checkTick, noteJump } from './reference/tick-guard.ts'
import { hasTwoOperatorRules, progressOf } from './reference/operator-rules.ts'
import { freshnessAt, isHalted } from './reference/market.ts'
import { admitHeldPrice } from './admit-held-price.ts'
import { perform } from './reference/reference-model.ts'

const FIRST_ACCOUNTS = 4
const MAX_ACCOUNTS = 10

/** An exception in the core is a failing step, too. */
export function takeStep(episode: Episode): Step {
  try {
    return nextStep(episode)
  } catch (error) {
    return {
      command: 'thrown',
      problems: [error instanceof Error ? (error.stack ?? error.message) : show(error)],
    }
  }
}

function nextStep(episode: Episode): Step {
  const { random, model, traders, market, world, host } = episode
  const at = advance(episode)
  const draw = random.int(1, 10_000)
  if (draw <= 8) return { command: 'restart', problems: restartAll(episode, at) }
  if (draw <= 45) return jump(episode)
  if (draw <= 340) return execute(episode, { type: 'clock', at })
  const isEarly = model.accounts.length < FIRST_ACCOUNTS
  if (isEarly || (draw <= 370 && model.accounts.length < MAX_ACCOUNTS)) {
    const ledger = [2, 3].includes(model.accounts.length % 5) ? 'real' : 'demo'
    return execute(episode, { type: 'openAccount', at, ledger })
  }
  // An expiry is left to whatever comes first: the clock, or the tick that would fill the order.
  const isRoundOpen = host.core.sweep.isNeeded
  if (isRoundOpen && random.chance(world.dueWorkPercent)) return execute(episode, { type: 'clock', at })
  const admitted = admitHeldPrice(episode)
  if (admitted) return admitted
  const operation = nextOperation({ world, model, random, at })
  if (operation) return execute(episode, operation)
  if (draw <= 3_800) return execute(episode, traders.next(at))
  if (draw <= 3_830) return preview(episode)
  const tick = market.nextTick(at)
  return tick ? takeTick(episode, tick, at) : execute(episode, { type: 'clock', at })
}

/** Mostly a little; sometimes to the last moment at which a price is fresh, or the one after. */
function advance({ clock, random, model }: Episode): number {
  const at = clock.advance()
  if (!random.chance(0.5) || model.quotes.size === 0) return at
  const quote = random.pick([...model.quotes.values()])
  return clock.reach(quote.receivedAt + freshnessAt(model, quote.instrumentId) + random.int(0, 1))
}

/** After a jump in time, sometimes a tick is the first command, sometimes the clock. */
function jump(episode: Episode): Step {
  const { clock, market, random, world, model, host, referenceGuard } = episode
  const at = clock.jump()
  market.drift()
  const { id } = random.pick(world.instruments)
  reopenTicks(host.guard, id)
  noteJump(referenceGuard, id)
  const tick = random.chance(85) ? market.nextTick(at) : null
  const step = tick ? takeTick(episode, tick, at) : execute(episode, { type: 'clock', at })
  return { ...step, problems: [...step.problems, ...compareHours(host.core, model.hours, at)] }
}

/** The stop-out price that an order ticket would show. */
function preview({ model, host, random, counts }: Episode): Step {
  const order = random.pick([null, ...model.active.filter(({ status }) => status === 'holding')])
  const compared = order && compareStopOutPrice(model, host.core.state, order)
  if (compared) counts.hit(compared.named === null ? 'no stop-out price to name' : 'stop-out price named')
  return { command: `preview ${order?.orderId}`, problems: compared?.problems ?? [] }
}

/** Passes a raw tick to both guards; an accepted one becomes a price, sometimes after a delay. */
function takeTick(episode: Episode, tick: Tick, at: number): Step {
  const { model, host, random, clock, counts, referenceGuard } = episode
  const instrument = host.core.state.instruments.get(tick.instrumentId)
  if (!instrument) throw new Error('the market sent a tick of an unknown instrument')
  const isOpen = isInSession(host.hours(instrument, at), tick.time)
  const moment = { at, openSince: openSince(host, instrument, at), isOpen }
  const admission = admit(host.guard, instrument, tick, moment)
  const expected = checkTick(referenceGuard, instrument, tick, at)
  const got = admission.accepted ? admission.quote : admission.reason
  if (!isDeepStrictEqual(got, expected)) {
    return { command: tick, problems: [`tick\n  expected ${show(expected)}\n  got      ${show(got)}`] }
  }
  if (!admission.accepted) {
    counts.hit(`tick refused: ${admission.reason}`)
    return { command: tick, problems: [] }
  }
  const { quote } = admission
  const { triggers, marginWatch, alerts } = host.core
  const isReached = [triggers, marginWatch, alerts].some((index) => index.isReachedBy(quote))
  const delay = random.chance(isReached ? 5 : 0.2) ? random.int(1, 9_000) : 0
  return execute(
    episode,
    { type: 'tick', at: clock.wait(delay), quote },
    model.quotes.get(quote.instrumentId),
  )
}

/** Passes one command to both and checks the results; where the core crashed, the reference model stops as well. */
function execute(episode: Episode, command: Command, previous?: PlainQuote): Step {
  const { host, model, counts, restartedAt } = episode
  const freeBefore = freeOf(episode, command)
  const done = submit(host, command)
  const { slices, isCrashed } = done
  const isOver = model.active.some(({ status, expiresAt }) => isExpired(status, expiresAt, command.at))
  // How much due work each clock command does is the core's choice; that it makes progress is not.
  const isPartial = isCrashed || command.type === 'clock'
  const expected = perform(model, command, { events: done.events, isPartial })
  observe({ counts, model, command, previous, restartedAt, freeBefore, slices, isCrashed }, expected)
  const problems = [
    ...compareDone(expected, done, command),
    ...checkStep(episode, command, done, freeBefore),
    ...checkProgress(episode, command, { done, isOver }),
  ]
  if (isCrashed) problems.push(...restartAll(episode, command.at))
  return { command, problems }
}

/** Events that start the round over all accounts again. */
const NEW_WORK: ReadonlySet<string> = new Set([
  'pricesMarked',
  'accountStatusSet',
  'termsSet',
  'termsTookEffect',
])

/** Every clock command does some of the due work; where the core says that nothing is left, that is true. */
function checkProgress(
  { host, model, progress }: Episode,
  command: Command,
  { done, isOver }: { done: Done; isOver: boolean },
): string[] {
  const { core } = host
  if (done.events.some(({ type }) => NEW_WORK.has(type))) progress.idle = 0
  if (command.type !== 'clock') return []
  const isWorkDue = hasDueWork(core, command.at)
  progress.idle = done.events.length > 0 || !isWorkDue ? 0 : progress.idle + 1
  const faults = isWorkDue ? [] : missedWork(model, command.at)
  if (isOver && done.events.length === 0) faults.push('orders past their expiry, and the clock ended none')
  if (progress.idle > core.state.accounts.size + 2) faults.push('due work does not go on')
  return faults
}

/** Swaps booked before the command took effect count in the free margin before it. */
const freeAfterSwaps = (freeBefore: bigint, accountId: number, { events }: Done): bigint =>
  events.reduce(
    (sum, event) => (event.type === 'swapBooked' && event.accountId === accountId ? sum + event.amount : sum),
    freeBefore,
  )

function checkStep(
  { host, model, watch }: Episode,
  command: Command,
  done: Done,
  freeBefore: bigint,
): string[] {
  const { state } = host.core
  const { events } = done
  const problems = checkDone(watch, state, done)
  // After a crash, unfinished work and prices known only in memory are checked after the restart.
  if (done.isCrashed) return problems
  if (events.length > 0) problems.push(...violations(host.core))
  // What its cancelled orders had reserved is free as well.
  const isWithdrawn = events.some((event) => 'reason' in event && event.reason === 'withdrawnByOperator')
  if (command.type === 'placeOrder' && !isWithdrawn) {
    const free = freeAfterSwaps(freeBefore, command.accountId, done)
    for (const event of events) {
      if (event.type === 'positionOpened') problems.push(...checkOpening(state, command, event, free))
    }
  }
  const changed = new Set(events.flatMap((event) => ('accountId' in event ? [event.accountId] : [])))
  if ('accountId' in command) changed.add(command.accountId)
  for (const accountId of changed) {
    const account = state.accounts.get(accountId)
    if (account)
      problems.push(...compareAccount(model, state, accountId), ...checkAccount(watch, state, account))
  }
  return problems
}

function freeOf({ host }: Episode, command: Command): bigint {
  const isOpening = command.type === 'placeOrder' || command.type === 'reversePosition'
  const account = isOpening ? host.core.state.accounts.get(command.accountId) : undefined
  return account ? figuresOf(host.core.state, account).free : 0n
}

/** Restarts both: the state is restored from the journal, prices arrive with fresh ticks. */
function restartAll(episode: Episode, at: number): string[] {
  const { host, counts, model, referenceGuard } = episode
  const { from, faults } = restartHost(host)
  const held = model.active.filter(({ status }) => status === 'holding')
  counts.hit(from === 'journal' ? 'restart from the journal' : 'restart from a snapshot')
  counts.hit('restart with pendings', held.length < model.active.length)
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
  counts.hit('restart while trading is not open', model.mode.is !== 'normal')
  counts.hit(
    'restart during a halt by one operator',
    model.halts.some(({ until, endsAt }) => until === Infinity && endsAt < Infinity),
  )
  counts.hit(
    'restart during a freeze by one operator',
    model.accounts.some(({ freeze }) => freeze !== null),
  )
  counts.hit('restart while a rollover is in progress', model.rollovers.length > 0)
  counts.hit('restart with announced terms', model.announced.length > 0)
  counts.hit(
    'restart with open cases',
    model.cases.some(({ end }) => end === null),
  )
  counts.hit('restart with operators', hasTwoOperatorRules(model))
  counts.hit(
    'restart with an approved withdrawal',
    model.cases.some(({ id, end }) => end === null && progressOf(model, id).status === 'approved'),
  )
  counts.hit(
    'restart with restricted accounts',
    model.accounts.some(({ status }) => status !== 'active'),
  )
  counts.hit('restart with alerts', model.alerts.length > 0)
  counts.hit(
    'restart with alerts in their pause',
    model.alerts.some(({ wakesAt }) => wakesAt > at),
  )
  counts.hit(
    'restart with alerts that wait for a return',
    model.alerts.some(({ awaitsReturn }) => awaitsReturn),
  )
  episode.restartedAt = at
  episode.referenceGuard = startGuard(host, model, referenceGuard)
  episode.progress.idle = 0
  model.quotes.clear()
  return [...faults, ...compareEverything(episode)]
}
