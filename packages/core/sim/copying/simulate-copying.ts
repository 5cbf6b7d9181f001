/** Random providers, copies and prices through the core and through the plain model; every difference is reported. */
import {
  copiesAmong,
  isRejection,
  lots,
  price,
  ratio,
  type Command,
  type Event,
  type Outcome,
  type Rejection,
} from '../../src/index.ts'
import { createRandom, type Random } from '../../../../testing/random.ts'
import { copyHarness, type CopyHarness } from '../../scenarios/copying.ts'
import { snapshotOf } from '../../scenarios/harness.ts'
import { instrumentOf, usd } from '../../scenarios/market.ts'
import { PlainCopying, type PlainAccount, type PlainPosition, type Skip } from './plain-copying.ts'

const CODES = ['EURUSD', 'USDJPY'] as const
const STARTING = usd('100000')
const OWNERS = 8
const PROVIDERS = [1, 2] as const
const HOUR_MS = 3_600_000
/** 17:00 New York of the last days of May, June and so on, in summer time. */
const monthEnds = Array.from({ length: 5 }, (_, month) => Date.UTC(2014, 5 + month, 0, 21))

/** An account that neither publishes nor copies: it trades while rows are open. */
const BYSTANDER = OWNERS + 1

type Simulation = {
  /** Its orders while a row was open; the plain model fills them afterwards, at the same price. */
  readonly meanwhile: { readonly code: string; readonly side: 'buy' | 'sell' }[]
  /** Codes of closed markets. */
  readonly closed: Set<string>
  readonly harness: CopyHarness
  readonly model: PlainCopying
  readonly random: Random
  readonly counts: Map<string, number>
  /** What the core skipped in this step. */
  readonly skips: Skip[]
  readonly mids: Map<string, number>
}

/** States that a simulation has to reach. */
export const EXPECTED = [
  ...(['open', 'reduce', 'close', 'reverse', 'close all', 'stop loss or take profit'] as const),
  ...(['start', 'start with open orders', 'pause', 'resume', 'add', 'take', 'copy stop loss set'] as const),
  'order meanwhile',
  'terms set',
  ...(['stopped', 'owner closes', 'strategy ended', 'market closed', 'month end'] as const),
  ...(['stop-out', 'stop-out of a copy', 'fee', 'protection', 'carried loss', 'ending waits'] as const),
  ...[
    'belowMinimumLot',
    'notEnoughMargin',
    'exposureLimit',
    'copyPaused',
    'instrumentExcluded',
    'belowStep',
    'notHeld',
  ].map((reason) => `skipped: ${reason}`),
  ...['owner', 'stopLoss', 'strategyEnded'].map((reason) => `ended: ${reason}`),
]

/** Runs steps from a seed. Returns the first difference, and how often each state was reached. */
export function simulateCopying(steps: number, seed: number) {
  const random = createRandom(seed)
  const meanwhile: { code: string; side: 'buy' | 'sell' }[] = []
  const closed = new Set<string>()
  const harness = copyHarness({
    settings: { stopOutLevel: 50, freshnessMs: 400 * 24 * HOUR_MS },
    budget: { events: 3, checks: 20 },
    meanwhile: (at) => {
      const [code, side] = [random.pick(CODES), random.pick(['buy', 'sell'] as const)]
      if (closed.has(code) || !random.chance(5) || meanwhile.length > 0) return null
      meanwhile.push({ code, side })
      return bystandersOrder(code, side, at)
    },
  })
  for (let id = 3; id <= BYSTANDER; id += 1) harness.openAccount()
  const model = new PlainCopying(CODES.map(instrumentOf))
  for (let id = 1; id <= BYSTANDER; id += 1) model.open(null, STARTING)
  const simulation: Simulation = {
    meanwhile,
    closed,
    harness,
    model,
    random,
    skips: [],
    counts: new Map(EXPECTED.map((name) => [name, 0])),
    mids: new Map([
      ['EURUSD', 138_500],
      ['USDJPY', 102_300],
    ]),
  }
  for (const code of CODES) tick(simulation, code)
  for (const id of PROVIDERS) publish(simulation, id)
  for (let step = 1; step <= steps; step += 1) {
    const did = act(simulation)
    fillMeanwhile(simulation)
    const problem = compare(simulation)
    if (problem) return { problem: `step ${step}, ${did}: ${problem}`, counts: simulation.counts }
  }
  const replayed = snapshotOf(harness.replayed())
  const isSame = JSON.stringify(replayed, plain) === JSON.stringify(snapshotOf(harness.core), plain)
  return { problem: isSame ? null : 'the journal leads to another state', counts: simulation.counts }
}

const bystandersOrder = (code: string, side: 'buy' | 'sell', at: number): Command => ({
  type: 'placeOrder',
  at,
  accountId: BYSTANDER,
  instrumentId: instrumentOf(code).id,
  side,
  lots: lots(100),
  leverage: 30,
  targetPrice: null,
  takeProfit: null,
  stopLoss: null,
  expiresAt: null,
})

/** The plain model fills what the bystander ordered, unless the core refused it for its margin. */
function fillMeanwhile(simulation: Simulation): void {
  const { meanwhile, model, harness } = simulation
  const account = model.account(BYSTANDER)
  for (const { code, side } of meanwhile.splice(0)) {
    if ((harness.state.accounts.get(BYSTANDER)?.orders.size ?? 0) === account.positions.length) continue
    hit(simulation, 'order meanwhile')
    const size = { lots: 100, leverage: 30, takeProfit: null, stopLoss: null }
    model.openPosition(account, { id: -1, instrumentId: instrumentOf(code).id, side, ...size })
  }
}

const plain = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? `${value}n` : value instanceof Map || value instanceof Set ? [...value] : value

const hit = ({ counts }: Simulation, name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1)

/** Events of a command, with what is worth counting; null for a refusal. */
function done(simulation: Simulation, outcome: Outcome | Rejection): readonly Event[] | null {
  if (isRejection(outcome)) return null
  const { events } = outcome.entry
  for (const event of events) {
    if (event.type === 'copySkipped') {
      const { accountId: copyId, source, reason } = event
      hit(simulation, `skipped: ${reason}`)
      simulation.skips.push({ copyId, orderId: source.orderId, reason })
    }
    if (event.type === 'copyEnded') hit(simulation, `ended: ${event.reason}`)
    if (event.type === 'copyEnded' && event.fee > 0n) hit(simulation, 'fee')
    if (event.type === 'copyStarted' && event.carriedLoss > 0n) hit(simulation, 'carried loss')
    if (event.type !== 'positionClosed') continue
    if (event.reason === 'stopOut') hit(simulation, event.receipt.copied ? 'stop-out of a copy' : 'stop-out')
    if (event.reason === 'stopLoss' || event.reason === 'takeProfit')
      hit(simulation, 'stop loss or take profit')
    if (event.transfers.some(({ kind }) => kind === 'protection')) hit(simulation, 'protection')
  }
  return events
}

function send(simulation: Simulation, command: object): readonly Event[] | null {
  const { harness } = simulation
  return done(simulation, harness.send({ at: harness.now(), ...command } as Command))
}

const textOf = (code: string, ticks: number): string =>
  (ticks / 10 ** instrumentOf(code).priceDecimals).toFixed(instrumentOf(code).priceDecimals)

function tick(simulation: Simulation, code: string, move = 0): void {
  const { harness, model, mids } = simulation
  const bid = (mids.get(code) ?? 0) + move
  mids.set(code, bid)
  harness.wait(1)
  done(simulation, harness.tick(code, textOf(code, bid), textOf(code, bid + 10)))
  model.tick(instrumentOf(code).id, { bid, ask: bid + 10 })
}

function publish(simulation: Simulation, accountId: number): void {
  const { harness, model } = simulation
  const events = done(simulation, harness.publish(200_000, accountId))
  if (!events) return
  model.account(accountId).strategy = { id: harness.state.lastStrategyId, feeShare: 200_000n }
}

/** One random command or price; its name. */
function act(simulation: Simulation): string {
  const { random, harness } = simulation
  harness.wait(100)
  const draw = random.int(1, 100)
  if (draw <= 45) return moveOn(simulation)
  const providerId = random.pick(PROVIDERS)
  if (draw <= 62) return place(simulation, providerId)
  if (draw <= 76) return close(simulation, providerId)
  if (draw <= 98) return copies(simulation, providerId)
  return rare(simulation, providerId)
}

function moveOn(simulation: Simulation): string {
  const { random } = simulation
  const code = random.pick(CODES)
  const size = random.chance(1) ? 15_000 : random.chance(3) ? 4_000 : random.chance(20) ? 800 : 60
  const mid = simulation.mids.get(code) ?? 0
  // Far from its beginning the price turns back, so that it never nears zero.
  const [least, most] = [mid < 80_000 ? 0 : -size, mid > 180_000 ? 0 : size]
  tick(simulation, code, random.int(least, most))
  return 'tick'
}

function place(simulation: Simulation, accountId: number): string {
  const { random, model, mids } = simulation
  const code = random.pick(CODES)
  const instrument = instrumentOf(code)
  const size = random.pick([100, 1_000, 10_000, 30_000, 100_000, 200_000])
  const side = random.pick(['buy', 'sell'] as const)
  const leverage = random.pick([10, 30])
  const distance = random.int(50, 1_500) * (side === 'buy' ? 1 : -1)
  const mid = mids.get(code) ?? 0
  const stops = random.chance(40) ? { takeProfit: mid + distance, stopLoss: mid - distance } : null
  const events = send(simulation, {
    type: 'placeOrder',
    accountId,
    instrumentId: instrument.id,
    side,
    lots: lots(size),
    leverage,
    targetPrice: null,
    takeProfit: stops && price(stops.takeProfit),
    stopLoss: stops && price(stops.stopLoss),
    expiresAt: null,
  })
  const [opened] = events ?? []
  if (opened?.type !== 'positionOpened') return 'refused order'
  hit(simulation, 'open')
  model.openPosition(model.account(accountId), {
    id: opened.orderId,
    instrumentId: instrument.id,
    side,
    leverage,
    lots: size,
    takeProfit: stops?.takeProfit ?? null,
    stopLoss: stops?.stopLoss ?? null,
  })
  return 'open'
}

function close(simulation: Simulation, accountId: number): string {
  const { random, model } = simulation
  const account = model.account(accountId)
  const own = account.positions.filter(({ copied }) => copied === null)
  const position = own.length > 0 ? random.pick(own) : null
  if (!position) return 'nothing to close'
  const draw = random.int(1, 10)
  if (draw <= 5) {
    const part = Math.max(100, Math.floor(position.lots / random.pick([2, 3, 10]) / 100) * 100)
    const isPart = send(simulation, {
      type: 'closePosition',
      accountId,
      orderId: position.id,
      lots: lots(part),
    })
    if (!isPart) return 'refused part'
    hit(simulation, part === position.lots ? 'close' : 'reduce')
    model.closePosition(account, position, part)
    return `close ${part} of order ${position.id}`
  }
  if (draw <= 8) {
    if (!send(simulation, { type: 'closePosition', accountId, orderId: position.id })) return 'refused close'
    hit(simulation, 'close')
    model.closePosition(account, position)
    return `close order ${position.id}`
  }
  return draw === 9 ? reverse(simulation, account, position) : closeAll(simulation, account)
}

function reverse(simulation: Simulation, account: PlainAccount, position: PlainPosition): string {
  const { model } = simulation
  const given = {
    instrumentId: position.instrumentId,
    side: position.side === 'buy' ? ('sell' as const) : ('buy' as const),
    leverage: position.leverage,
    lots: position.lots,
    takeProfit: null,
    stopLoss: null,
  }
  const events = send(simulation, { type: 'reversePosition', accountId: account.id, orderId: position.id })
  const opened = events?.find((event) => event.type === 'positionOpened')
  if (!opened) return 'refused reversal'
  hit(simulation, 'reverse')
  model.closePosition(account, position)
  model.openPosition(account, { ...given, id: opened.orderId })
  return 'reverse'
}

function closeAll(simulation: Simulation, account: PlainAccount): string {
  const { model } = simulation
  if (!send(simulation, { type: 'closeAll', accountId: account.id })) return 'refused close all'
  hit(simulation, 'close all')
  const open = account.positions.filter(({ instrumentId }) => !model.closedMarkets.has(instrumentId))
  // The provider's positions all close before the copies follow: what is closed does not change what follows.
  for (const position of open.toSorted((a, b) => a.id - b.id)) model.closePosition(account, position)
  return 'close all'
}

/** A command of an owner about a copy. */
function copies(simulation: Simulation, providerId: number): string {
  const { random, harness, model } = simulation
  const running = copiesAmong(harness.state, [...harness.state.copies])
  if (running.length < 6 || random.chance(15)) return start(simulation, providerId)
  const { id: copyId, ownerId, copy } = random.pick(running)
  if (copy.status === 'ending') return 'a copy that ends'
  const account = model.account(copyId)
  const to = (command: object) => send(simulation, { accountId: ownerId, copyId, ...command })
  const state = account.copy
  if (!state) return 'an ended copy'
  switch (random.int(1, 10)) {
    case 1:
      if (!to({ type: 'pauseCopy' })) return 'refused pause'
      hit(simulation, 'pause')
      state.status = 'paused'
      return 'pause'
    case 2:
    case 3:
      if (!to({ type: 'resumeCopy' })) return 'refused resume'
      hit(simulation, 'resume')
      state.status = 'running'
      return 'resume'
    case 4: {
      const amount = usd(String(random.int(1, 2_000)))
      if (!to({ type: 'addToCopy', amount })) return 'refused money'
      hit(simulation, 'add')
      model.account(ownerId).balance -= amount
      account.balance += amount
      state.base += amount
      state.mark += amount
      return 'add'
    }
    case 5:
    case 6: {
      const free = model.free(account)
      const amount = random.chance(20) ? free : free / BigInt(random.int(2, 9))
      if (!to({ type: 'takeFromCopy', amount })) return 'refused taking'
      hit(simulation, 'take')
      model.take(account, amount)
      return 'take'
    }
    case 7: {
      const stopLoss = random.int(5, 95)
      if (!to({ type: 'setCopyStopLoss', stopLoss })) return 'refused copy stop loss'
      hit(simulation, 'copy stop loss set')
      state.stopLoss = BigInt(stopLoss)
      return 'copy stop loss'
    }
    case 8: {
      const multiplier = random.pick([500_000, 1_000_000, 3_000_000, 10_000_000])
      const excluded = random.chance(30) ? [instrumentOf(random.pick(CODES)).id] : []
      if (!to({ type: 'setCopyTerms', multiplier: ratio(multiplier), excluded })) return 'refused terms'
      hit(simulation, 'terms set')
      Object.assign(state, { multiplier: BigInt(multiplier), excluded })
      return 'terms'
    }
    case 9: {
      const [position] = account.positions
      const order = [...(harness.state.accounts.get(copyId)?.orders.values() ?? [])].find(
        ({ copied }) => copied?.orderId === position?.copied?.orderId,
      )
      if (!position || !order) return 'an empty copy'
      if (!send(simulation, { type: 'closePosition', accountId: copyId, orderId: order.id }))
        return 'refused close of a copy'
      hit(simulation, 'owner closes')
      model.closePosition(account, position)
      return 'owner closes'
    }
    default:
      if (!random.chance(40) || !to({ type: 'stopCopy' })) return 'no stop'
      hit(simulation, 'stopped')
      model.endCopy(account, 'owner')
      return 'stop'
  }
}

function start(simulation: Simulation, providerId: number): string {
  const { random, harness, model } = simulation
  const ownerId = random.int(1, OWNERS)
  const isWithOpenOrders = random.chance(40)
  const terms = {
    multiplier: ratio(random.pick([100_000, 1_000_000, 3_000_000, 10_000_000, 10_000_000])),
    exposureLimit: random.pick([2, 10, 30, 30, 30, 30]),
    stopLoss: random.pick([5, 5, 60, 90]),
  }
  const amount = usd(String(random.pick([100, 500, 2_000, 8_000])))
  const strategyId = harness.state.accounts.get(providerId)?.strategy?.id ?? 0
  const command = { type: 'startCopy', accountId: ownerId, strategyId, amount, terms, isWithOpenOrders }
  const isStarted = send(simulation, command)
  if (!isStarted) return 'refused start'
  hit(simulation, 'start')
  const account = model.start(ownerId, providerId, {
    amount,
    at: harness.now(),
    multiplier: BigInt(terms.multiplier),
    exposureLimit: BigInt(terms.exposureLimit),
    stopLoss: BigInt(terms.stopLoss),
  })
  if (!isWithOpenOrders) return 'start'
  hit(simulation, 'start with open orders')
  model.copyOpenOrders(account)
  return 'start with open orders'
}

/** A market closes or opens, a month ends, a strategy ends. */
function rare(simulation: Simulation, providerId: number): string {
  const { random, harness, model } = simulation
  const draw = random.int(1, 10)
  if (draw <= 5) {
    const code = random.pick(CODES)
    const { id } = instrumentOf(code)
    if (model.closedMarkets.delete(id)) {
      simulation.closed.delete(code)
      harness.openMarket(code)
    } else {
      model.closedMarkets.add(id)
      simulation.closed.add(code)
      harness.closeMarket(code)
      hit(simulation, 'market closed')
    }
    if (copiesAmong(harness.state, [...harness.state.copies]).some(({ copy }) => copy.status === 'ending'))
      hit(simulation, 'ending waits')
    return `market ${code}`
  }
  if (draw <= 7) return monthEnd(simulation)
  const account = model.account(providerId)
  if (!account.strategy) {
    publish(simulation, providerId)
    return 'publish'
  }
  if (!send(simulation, { type: 'endStrategy', accountId: providerId })) return 'refused end'
  hit(simulation, 'strategy ended')
  account.strategy = null
  done(simulation, harness.clock())
  for (const copy of model.copiersOf(providerId)) model.endCopy(copy, 'strategyEnded')
  return 'strategy ended'
}

function monthEnd(simulation: Simulation): string {
  const { harness, model } = simulation
  const moment = monthEnds.find((each) => each > harness.now())
  if (moment === undefined) return 'no month left'
  harness.wait(moment - harness.now())
  done(simulation, harness.clock())
  hit(simulation, 'month end')
  model.bookMonthFees(moment)
  return 'month end'
}

/** Every account of both: money, positions, and what a copy goes by. */
function compare({ harness, model, skips }: Simulation): string | null {
  const [skipped, toSkip] = [skips.splice(0), model.skips.splice(0)].map((list) =>
    list.map(({ copyId, orderId, reason }) => `${copyId} ${orderId} ${reason}`).toSorted(),
  )
  if (String(skipped) !== String(toSkip)) return `skipped ${String(skipped)} instead of ${String(toSkip)}`
  const { accounts } = harness.state
  if (accounts.size !== model.accounts.length)
    return `${accounts.size} accounts instead of ${model.accounts.length}`
  for (const expected of model.accounts) {
    const account = accounts.get(expected.id)
    const got = account && {
      balance: account.available.balance,
      positions: [...account.orders.values()]
        .map(({ instrumentId, side, lots: size, margin, openPrice, leverage, copied }) =>
          [copied?.orderId ?? 0, instrumentId, side, size, margin, openPrice, leverage].join(' '),
        )
        .toSorted(),
      copy:
        account.copy &&
        [
          account.copy.status,
          account.copy.base,
          account.copy.mark,
          account.copy.stopLoss,
          account.copy.feeChargedAt,
        ].join(' '),
      isClosed: account.status === 'closed',
    }
    const wanted = {
      balance: expected.balance,
      positions: expected.positions
        .map(({ instrumentId, side, lots: size, margin, open, leverage, copied }) =>
          [copied?.orderId ?? 0, instrumentId, side, size, margin, open, leverage].join(' '),
        )
        .toSorted(),
      copy:
        expected.copy &&
        [
          expected.copy.status,
          expected.copy.base,
          expected.copy.mark,
          expected.copy.stopLoss,
          expected.copy.chargedAt,
        ].join(' '),
      isClosed: expected.isClosed,
    }
    const [found, should] = [JSON.stringify(got, plain), JSON.stringify(wanted, plain)]
    if (found !== should) return `account ${expected.id}\n  expected ${should}\n  got      ${found}`
  }
  return null
}
