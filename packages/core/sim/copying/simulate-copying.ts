/** Random providers, copies and prices through the core and through the plain model; every difference is reported. */
import { lots, type Command } from '../../src/index.ts'
import { createRandom, type Random } from '../../../../testing/random.ts'
import { snapshotOf } from '../../scenarios/harness.ts'
import { instrumentOf, usd } from '../../scenarios/market.ts'
import {
  addToCopy,
  closeAll,
  closeInCopy,
  closePosition,
  CODES,
  comparePair,
  createPair,
  deposit,
  endStrategy,
  freezeEndOf,
  hit,
  openAccount,
  pauseCopy,
  placeOrder,
  priceTo,
  publish,
  reachFreezeEnd,
  reachMonthEnd,
  resumeCopy,
  reversePosition,
  setCopyStopLoss,
  setCopyTerms,
  setFee,
  setStatus,
  startCopy,
  stopCopy,
  switchMarket,
  takeFromCopy,
  withdraw,
  type CopyingPair,
} from './copying-pair.ts'
import type { PlainAccount } from './plain-copying.ts'

/** 17:00 New York of the last days of May, June and so on, in summer time. */
const monthEnds = Array.from({ length: 5 }, (_, month) => Date.UTC(2014, 5 + month, 0, 21))

/** Ten lots, which copies of a provider with less money reach. */
const LOT_MAX = 100_000

/** Performance fees, 1e-6. */
const FEES = [0, 100_000, 200_000, 300_000]

/** How many accounts publish and copy. */
export type Cast = {
  readonly name: string
  /** Demo providers copy each other too; a single real provider is copied by real money and by demo money. */
  readonly kind: 'few' | 'crowd'
  /** Copies that run at the beginning, each of an owner of its own. */
  readonly copies: number
  readonly owners: number
  /** What a slice decides at most. */
  readonly budget: { readonly events: number; readonly checks: number }
}

/** Two demo providers who copy each other, and six more owners. */
export const FEW: Cast = {
  name: 'two providers',
  kind: 'few',
  copies: 0,
  owners: 8,
  budget: { events: 3, checks: 20 },
}

/** A real provider with so many copies, a fifth of them for demo money. */
export const crowdOf = (copies: number): Cast => ({
  name: `one provider with ${copies} copies`,
  kind: 'crowd',
  copies,
  owners: copies,
  budget: { events: 60, checks: 400 },
})

type Simulation = {
  readonly cast: Cast
  readonly pair: CopyingPair
  readonly random: Random
  readonly providers: readonly PlainAccount[]
  readonly owners: readonly PlainAccount[]
  /** It neither publishes nor copies: it trades while rows are open. */
  readonly bystander: PlainAccount
  /** Its orders while a row was open; the plain model fills them afterwards, at the same price. */
  readonly meanwhile: { readonly code: string; readonly side: 'buy' | 'sell' }[]
}

/** States that every simulation has to reach. */
const OF_ALL = [
  'open',
  'reduce',
  'close',
  'reverse',
  'close all',
  'stop loss or take profit',
  'pause',
  'resume',
  'add',
  'take',
  'copy stop loss set',
  'terms set',
  'stopped',
  'owner closes',
  'market closed',
  'month end',
  'strategy ended',
  'fee raised',
  'fee lowered',
  'start at a fee that has risen',
  'stop-out',
  'stop-out of a copy',
  'fee',
  'fee of a month',
  'protection',
  'provider closeOnly',
  'provider frozen',
  'owner closeOnly',
  'owner frozen',
  'close while closeOnly',
  'close while frozen',
  ...[
    'accountRestricted',
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

/** States that a simulation has to reach, by its cast. */
export const EXPECTED = {
  few: [
    ...OF_ALL,
    'start with open orders',
    'skipped: noPrice',
    'order meanwhile',
    'carried loss',
    'ending waits',
    'strategy of a frozen provider ended',
  ],
  crowd: [
    ...OF_ALL,
    'deposit',
    'withdrawal paid',
    'withdrawal rejected',
    'skipped: providerEquity',
    'cut to the maximum',
  ],
} as const

/** Runs steps from a seed. Returns the first difference, and how often each state was reached. */
export function simulateCopying(steps: number, seed: number, cast: Cast = FEW) {
  const random = createRandom(seed)
  const simulation = createSimulation(cast, random)
  const { pair } = simulation
  const { harness, counts } = pair
  for (let step = 1; step <= steps; step += 1) {
    const did = step === steps && cast.kind === 'crowd' ? endCrowd(simulation) : act(simulation)
    fillMeanwhile(simulation)
    const problem = comparePair(pair)
    if (problem) return { problem: `${cast.name}, seed ${seed}, step ${step}, ${did}: ${problem}`, counts }
  }
  const replayed = snapshotOf(harness.replayed())
  const isSame = JSON.stringify(replayed, plain) === JSON.stringify(snapshotOf(harness.core), plain)
  return { problem: isSame ? null : 'the journal leads to another state', counts }
}

const plain = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? `${value}n` : value instanceof Map || value instanceof Set ? [...value] : value

function createSimulation(cast: Cast, random: Random): Simulation {
  const isCrowd = cast.kind === 'crowd'
  const meanwhile: { code: string; side: 'buy' | 'sell' }[] = []
  const isTradable = (code: string) => !pair.model.closedMarkets.has(instrumentOf(code).id)
  const pair: CopyingPair = createPair({
    budget: cast.budget,
    isChecked: !isCrowd,
    lotMax: LOT_MAX,
    meanwhile: (at) => {
      const [code, side] = [random.pick(CODES), random.pick(['buy', 'sell'] as const)]
      if (!isTradable(code) || !random.chance(5) || meanwhile.length > 0) return null
      meanwhile.push({ code, side })
      return bystandersOrder(bystander.id, code, side, at)
    },
  })
  const [first, second] = pair.model.accounts
  if (!first || !second) throw new Error('a pair begins with two accounts')
  const others = Array.from({ length: cast.owners - 2 }, (_, index) =>
    openAccount(pair, isCrowd && index % 5 > 0 ? 'real' : 'demo'),
  )
  const bystander = openAccount(pair, 'demo')
  const owners = [first, second, ...others]
  const providers = isCrowd ? [openAccount(pair, 'real')] : [first, second]
  const simulation = { cast, pair, random, providers, owners, bystander, meanwhile }
  for (const each of providers) publish(pair, each)
  for (const owner of owners.slice(0, cast.copies)) start(simulation, owner, providers[0] ?? first)
  fillMeanwhile(simulation)
  return simulation
}

const bystandersOrder = (accountId: number, code: string, side: 'buy' | 'sell', at: number): Command => ({
  type: 'placeOrder',
  at,
  accountId,
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
function fillMeanwhile({ meanwhile, pair, bystander }: Simulation): void {
  const { model, harness } = pair
  for (const { code, side } of meanwhile.splice(0)) {
    const { size } = harness.state.accounts.get(bystander.id)?.orders ?? { size: 0 }
    if (size === bystander.positions.length) continue
    hit(pair, 'order meanwhile')
    const terms = { lots: 100, leverage: 30, takeProfit: null, stopLoss: null }
    model.openPosition(bystander, { id: -1, instrumentId: instrumentOf(code).id, side, ...terms })
  }
}

/** One random command or price; its name. */
function act(simulation: Simulation): string {
  const { random, pair, providers } = simulation
  pair.harness.wait(100)
  // A price comes up to some milliseconds later.
  const ended = providers.find((each) => freezeEndOf(each) < pair.harness.now() + 10)
  if (ended) {
    reachFreezeEnd(pair, ended)
    return 'freeze end'
  }
  const draw = random.int(1, 100)
  if (draw <= 43) return moveOn(simulation)
  const provider = random.pick(providers)
  if (draw <= 60) return place(simulation, provider)
  if (draw <= 74) return close(simulation, provider)
  if (draw <= 93) return copies(simulation, provider)
  if (draw === 94) {
    setFee(pair, provider, random.pick(FEES))
    return 'fee set'
  }
  if (draw <= 98) return aboutAccounts(simulation, provider)
  return rare(simulation, provider)
}

function moveOn({ random, pair }: Simulation): string {
  const code = random.pick(CODES)
  const size = random.chance(2) ? 15_000 : random.chance(5) ? 4_000 : random.chance(20) ? 800 : 60
  const bid = pair.bids.get(code) ?? 0
  // Far from its beginning the price turns back, so that it never nears zero.
  const [least, most] = [bid < 80_000 ? 0 : -size, bid > 180_000 ? 0 : size]
  priceTo(pair, code, bid + random.int(least, most))
  return 'tick'
}

function place({ random, pair }: Simulation, account: PlainAccount): string {
  const code = random.pick(CODES)
  const side = random.pick(['buy', 'sell'] as const)
  const distance = random.int(50, 1_500) * (side === 'buy' ? 1 : -1)
  const bid = pair.bids.get(code) ?? 0
  const stops = random.chance(40) ? { takeProfit: bid + distance, stopLoss: bid - distance } : {}
  const isOpened = placeOrder(pair, account, code, {
    side,
    lots: random.pick([100, 1_000, 10_000, 30_000, LOT_MAX, LOT_MAX]),
    leverage: random.pick([10, 30]),
    ...stops,
  })
  return isOpened ? 'open' : 'refused order'
}

function close({ random, pair }: Simulation, account: PlainAccount): string {
  const own = account.positions.filter(({ copied }) => copied === null)
  const position = own.length > 0 ? random.pick(own) : null
  if (!position) return 'nothing to close'
  const draw = random.int(1, 10)
  if (draw <= 5) {
    const part = Math.max(100, Math.floor(position.lots / random.pick([2, 3, 10]) / 100) * 100)
    closePosition(pair, account, position, part)
    return `close ${part} of order ${position.id}`
  }
  if (draw <= 8) {
    closePosition(pair, account, position)
    return `close order ${position.id}`
  }
  if (draw === 9) reversePosition(pair, account, position)
  else closeAll(pair, account)
  return draw === 9 ? 'reverse' : 'close all'
}

/** A command of an owner about a copy. */
function copies(simulation: Simulation, provider: PlainAccount): string {
  const { random, pair, owners } = simulation
  const { model } = pair
  const running = model.accounts.filter(({ copy }) => copy !== null)
  if (running.length < 6 || random.chance(15)) return start(simulation, random.pick(owners), provider)
  const account = random.pick(running)
  switch (random.int(1, 10)) {
    case 1:
      pauseCopy(pair, account)
      return 'pause'
    case 2:
    case 3:
      resumeCopy(pair, account)
      return 'resume'
    case 4:
      addToCopy(pair, account, usd(String(random.int(1, 2_000))))
      return 'add'
    case 5:
    case 6: {
      const free = model.free(account)
      takeFromCopy(pair, account, random.chance(20) ? free : free / BigInt(random.int(2, 9)))
      return 'take'
    }
    case 7:
      setCopyStopLoss(pair, account, random.int(5, 95))
      return 'copy stop loss'
    case 8:
      setCopyTerms(pair, account, {
        multiplier: random.pick([500_000, 1_000_000, 3_000_000, 10_000_000]),
        excluded: random.chance(30) ? [instrumentOf(random.pick(CODES)).id] : [],
      })
      return 'terms'
    case 9: {
      const [position] = account.positions
      if (position) closeInCopy(pair, account, position)
      return 'owner closes'
    }
    default:
      if (random.chance(40)) stopCopy(pair, account)
      return 'stop'
  }
}

function start({ random, pair }: Simulation, owner: PlainAccount, provider: PlainAccount): string {
  startCopy(pair, owner, provider, {
    amount: usd(String(random.pick([100, 500, 2_000, 8_000, 50_000]))),
    multiplier: random.pick([100_000, 1_000_000, 3_000_000, 10_000_000, 10_000_000]),
    exposureLimit: random.pick([2, 10, 30, 30, 30, 30]),
    stopLoss: random.pick([5, 5, 60, 90]),
    feeShown: random.chance(50) ? random.pick(FEES) : undefined,
    isWithOpenOrders: random.chance(40),
  })
  return 'start'
}

/** Operators restrict or release an account; money of a real provider comes and goes. */
function aboutAccounts(simulation: Simulation, provider: PlainAccount): string {
  const { random, pair, owners } = simulation
  if (provider.ledger === 'real' && random.chance(50)) return flow(simulation, provider)
  const restricted = [...owners, provider].filter(({ status }) => status !== 'active')
  if (restricted.length > 0 && random.chance(restricted.length > 2 ? 90 : 65)) {
    setStatus(pair, random.pick(restricted), 'active')
    return 'release'
  }
  const status = random.pick(['closeOnly', 'frozen'] as const)
  const account = random.chance(40) ? provider : random.pick(owners)
  if (account.status === 'active') setStatus(pair, account, status)
  return status
}

/** A deposit, or a withdrawal: of a part, of nearly all, of all, or of a little more. */
function flow({ random, pair }: Simulation, provider: PlainAccount): string {
  const free = pair.model.free(provider, false)
  if (free < usd('20000') ? random.chance(70) : random.chance(20)) {
    deposit(pair, provider, usd(String(random.int(1, 60_000))))
    return 'deposit'
  }
  const amount = random.pick([free + 1n, free, free / 2n, free / 2n, free / 9n, free - usd('300')])
  withdraw(pair, provider, amount, random.chance(70) ? 'paid' : 'rejected')
  return 'withdrawal'
}

/** A market closes or opens, a month ends, a strategy ends. */
function rare(simulation: Simulation, provider: PlainAccount): string {
  const { random, pair, cast } = simulation
  const draw = random.int(1, 10)
  if (draw <= 5) {
    const code = random.pick(CODES)
    switchMarket(pair, code)
    return `market ${code}`
  }
  if (draw <= 8) return nextMoment(simulation)
  if (!provider.strategy) {
    publish(pair, provider)
    return 'publish'
  }
  if (cast.kind === 'few' && random.chance(40)) endStrategy(pair, provider)
  return 'strategy ended'
}

/** Whatever comes first: a month's end, or the end of the strategy of a frozen provider. */
function nextMoment({ pair, providers, cast }: Simulation): string {
  const { harness } = pair
  const moment = monthEnds.find((each) => each > harness.now()) ?? Infinity
  if (moment === Infinity) return 'no month left'
  const [first] = providers.toSorted((a, b) => freezeEndOf(a) - freezeEndOf(b))
  if (first && freezeEndOf(first) < moment) {
    // The strategy of a crowd goes on.
    if (cast.kind === 'few') reachFreezeEnd(pair, first)
    return 'freeze end'
  }
  reachMonthEnd(pair, moment)
  return 'month end'
}

/** The strategy of a crowd ends last, and with it what is left of its copies. */
function endCrowd({ pair, providers }: Simulation): string {
  for (const provider of providers) {
    if (provider.status !== 'active') setStatus(pair, provider, 'active')
    if (provider.strategy) endStrategy(pair, provider)
  }
  return 'end'
}
