/** A market gone wild, out of one number: commands of every kind, chosen so that accounts live near their stop-out. */
import {
  conversionOf,
  conversionPath,
  figuresOf,
  followOn,
  hasDueWork,
  isRejection,
  LOTS_SCALE,
  lots,
  marginOf,
  openingPrice,
  price,
  ratio,
  transact,
  type Account,
  type Budget,
  type Command,
  type Core,
  type Event,
  type Instrument,
  type Lots,
  type Order,
  type Price,
  type Quote,
  type RejectionCode,
  type State,
  type TradingSettings,
} from '../src/index.ts'
import { createRandom, type Random } from '../../../testing/random.ts'
import {
  DEALER,
  INSTRUMENTS,
  instrumentOf,
  PLAIN_SETTINGS,
  priceOf,
  coreOf,
  usd,
  type World,
} from './market.ts'

/** Bids to begin with; a spread of 1 to 20 ticks comes on top. */
const FIRST_BIDS = {
  EURUSD: '1.38500',
  GBPUSD: '1.68500',
  USDJPY: '102.300',
  USDCHF: '0.87900',
  EURGBP: '0.82200',
  EURCHF: '1.21800',
  GER40: '9550.0',
  JPN225: '14400',
  WTI: '20.00',
  FIXED: '100.00',
  FIXEDJPY: '5000',
} as const
const CODES = Object.keys(FIRST_BIDS) as (keyof typeof FIRST_BIDS)[]
const ACCOUNTS = 6

export type WildMarket = {
  readonly world: World
  /** What happens next in a state that has lived through everything before. */
  readonly next: (state: State) => Command
}

export type WildOptions = { readonly settings?: Partial<TradingSettings>; readonly ordersEvery?: number }

/** Some instruments, and the pairs that convert what they earn. */
function tradedOnes(codes: readonly string[], { instruments, settings }: World): Instrument[] {
  const chosen = codes.map(instrumentOf)
  const pairs = chosen.flatMap(
    ({ quoteCurrency }) => conversionPath(instruments, quoteCurrency, settings.accountCurrency) ?? [],
  )
  return [...new Map([...chosen, ...pairs.map((leg) => leg.instrument)].map((one) => [one.id, one])).values()]
}

/** A wild market as it stands. */
type Wild = Random & {
  readonly world: World
  readonly traded: readonly Instrument[]
  readonly closed: Set<number>
  readonly bids: Map<number, number>
  readonly seqs: Map<number, number>
  at: number
}

function createWild(seed: number, settings: Partial<TradingSettings> | undefined): Wild {
  const random = createRandom(seed)
  const closed = new Set<number>()
  const at = Date.UTC(2014, 4, 2, 12, 30) + random.int(0, 5 * 86_400_000)
  const instruments = INSTRUMENTS.map((instrument) => ({
    ...instrument,
    swapRate: {
      buy: ratio(random.int(0, 8) * 1_000_000 - 5_000_000),
      sell: ratio(random.int(0, 8) * 500_000),
    },
    tripleSwapDay: random.pick(['wed', 'fri', 'daily'] as const),
  }))
  const world: World = {
    settings: {
      ...PLAIN_SETTINGS,
      accountCurrency: random.pick(['USD', 'USD', 'EUR', 'CHF', 'JPY']),
      demoBalance: usd(random.pick(['1000', '20000', '1000000'])),
      stopOutLevel: random.pick([50, 50, 50, 80, 120, 0]),
      ...settings,
    },
    instruments,
    isOpen: ({ id }) => !closed.has(id),
  }
  const codes = Array.from({ length: 4 }, () => random.pick(CODES))
  return { ...random, world, traded: tradedOnes(codes, world), closed, bids: new Map(), seqs: new Map(), at }
}

/** A tick that arrived `age` ms ago. */
function tickOf(wild: Wild, instrument: Instrument, age = 0): Quote {
  const { id, code } = instrument
  const before = wild.bids.get(id) ?? priceOf(code, FIRST_BIDS[code as keyof typeof FIRST_BIDS])
  const reach = wild.chance(3) ? 0.2 : wild.chance(20) ? 0.02 : 0.001
  const step = Math.round((wild.next() - 0.5) * 2 * reach * Math.max(Math.abs(before), 50))
  const bid = instrument.allowsNegativePrice ? before + step : Math.max(before + step, 1)
  wild.bids.set(id, bid)
  const seq = (wild.seqs.get(id) ?? 0) + 1
  wild.seqs.set(id, seq)
  const ask = price(bid + wild.pick([0, 1, 2, 5, 20]))
  const time = wild.at - age
  return { instrumentId: id, bid: price(bid), ask, time, receivedAt: time, seq, source: 'wild' }
}

/** A size that takes a good part of what is free, or a random one. */
function sizeOf(
  wild: Wild,
  state: State,
  account: Account,
  terms: { instrument: Instrument; leverage: number },
): Lots {
  const { instrument, leverage } = terms
  const quote = state.quotes.get(instrument.id)
  const conversion = conversionOf(state, instrument)
  if (!quote || !conversion || wild.chance(10)) return lots(100 * wild.int(0, 49))
  const one = { lots: lots(Number(LOTS_SCALE)), leverage, price: quote.ask, rate: conversion.rate }
  const margin = marginOf(instrument, one)
  const part = wild.pick([5n, 20n, 50n, 90n, 98n])
  if (margin === 0n) return lots(100)
  const units = (figuresOf(state, account).free * part * LOTS_SCALE) / (margin * 100n)
  return lots(Math.max(100, Math.min(Number(units / 100n) * 100, instrument.lotMax)))
}

const near = ({ next }: Wild, base: Price): Price => price(Math.round(base * (1 + (next() - 0.5) * 0.02)))

function place(wild: Wild, state: State, account: Account): Command {
  const { at, chance } = wild
  const instrument = wild.pick(wild.traded)
  const leverage = wild.pick([10, 20, 30, 30])
  const side = wild.pick(['buy', 'sell'] as const)
  const quote = state.quotes.get(instrument.id)
  const reference = quote ? openingPrice(side, quote) : price(100)
  const targetPrice = chance(25) ? near(wild, reference) : null
  return {
    type: 'placeOrder',
    at,
    accountId: account.id,
    instrumentId: instrument.id,
    side,
    lots: sizeOf(wild, state, account, { instrument, leverage }),
    leverage: Math.min(leverage, instrument.leverages.at(-1) ?? 1),
    targetPrice,
    takeProfit: chance(10) ? near(wild, reference) : null,
    stopLoss: chance(10) ? near(wild, reference) : null,
    expiresAt: targetPrice !== null && chance(30) ? at + wild.int(0, 60_000) : null,
  }
}

function alertNear(wild: Wild, state: State, account: Account): Command {
  const { at, pick, chance, int } = wild
  const { id: instrumentId } = pick(wild.traded)
  const quote = state.quotes.get(instrumentId)
  const direction = pick(['above', 'below'] as const)
  const side = pick(['bid', 'ask', 'mid'] as const)
  const condition = chance(40)
    ? ({ kind: 'marginLevel', level: int(50, 400) } as const)
    : chance(40)
      ? ({ kind: 'dayMove', instrumentId, direction, move: ratio(pick([200, 2_000, 20_000])) } as const)
      : ({
          kind: 'price',
          instrumentId,
          direction,
          side,
          price: near(wild, quote?.bid ?? price(100)),
        } as const)
  return { type: 'setAlert', at, accountId: account.id, condition, pauseMs: pick([null, 60_000]) }
}

function act(wild: Wild, state: State): Command {
  const { at, chance } = wild
  const account = state.accounts.get(wild.int(1, state.lastAccountId)) as Account
  const orders = [...account.orders.values()]
  const order: Order | undefined = orders.length > 0 ? wild.pick(orders) : undefined
  const requested = { at, accountId: account.id, orderId: order?.id ?? 0 }
  const instrumentId = wild.pick(wild.traded).id
  switch (wild.int(0, 19)) {
    case 0:
      return { type: 'closePosition', ...requested }
    case 1:
      return { type: 'closePosition', ...requested, lots: lots(100 * wild.int(1, 5)) }
    case 2:
      return { type: 'reversePosition', ...requested }
    case 3:
      return { type: 'setTrailing', ...requested, distance: price(wild.int(0, 199)) }
    case 4:
      return { type: 'cancelOrder', ...requested }
    case 5:
      return {
        type: 'setStops',
        ...requested,
        takeProfit: null,
        stopLoss: near(wild, order?.openPrice ?? price(1)),
      }
    case 6:
      return { type: chance(30) ? 'closeAll' : 'resetDemo', at, accountId: account.id }
    case 7:
      return { type: 'haltInstrument', at, instrumentId, reason: chance(20) ? 'storm' : null, by: DEALER }
    case 9:
      return alertNear(wild, state, account)
    case 8:
      return { type: 'setTradingMode', at, mode: chance(10) ? 'cancelOnly' : 'normal', by: DEALER }
    default:
      return place(wild, state, account)
  }
}

/** Mostly the next moment, at times the next hour or day. */
function letTimePass(wild: Wild): void {
  const { int, chance, closed } = wild
  wild.at += chance(0.5) ? int(0, 3 * 86_400_000) : chance(2) ? int(0, 20_000) : int(0, 400)
  const { id } = wild.pick(wild.traded)
  if (chance(1)) closed.add(id)
  else if (chance(3)) closed.delete(id)
}

export function wildMarket(seed: number, { settings, ordersEvery = 4 }: WildOptions = {}): WildMarket {
  const wild = createWild(seed, settings)
  const { chance, seqs, traded, world } = wild
  return {
    world,
    next: (state) => {
      letTimePass(wild)
      const { at } = wild
      if (state.lastAccountId < ACCOUNTS) return { type: 'openAccount', ledger: 'demo', at }
      const unreported = traded.find(({ id }) => !seqs.has(id))
      if (unreported) return { type: 'tick', at, quote: tickOf(wild, unreported) }
      if (chance(3)) return { type: 'clock', at }
      if (chance(100 / ordersEvery)) return act(wild, state)
      const instrument = wild.pick(traded)
      return { type: 'tick', at, quote: tickOf(wild, instrument, chance(2) ? 6_000 : 0) }
    },
  }
}

/** Everything that comes of a command, in as many turns as it takes; the code of a refusal. */
export function carryOut(core: Core, command: Command, budget?: Budget): readonly Event[] | RejectionCode {
  const events: Event[] = []
  for (;;) {
    const outcome = transact(core, command, budget)
    if (isRejection(outcome)) return outcome.rejected
    events.push(...outcome.entry.events)
    while (command.type !== 'tick' && core.unfinished) events.push(...followOn(core, budget).entry.events)
    if (!outcome.hasMore && !(command.type === 'clock' && hasDueWork(core, command.at))) return events
  }
}

/** The core after a number of commands. */
export function livedThrough(market: WildMarket, commands: number): Core {
  const core = coreOf(market.world)
  for (let count = 0; count < commands; count += 1) carryOut(core, market.next(core.state))
  return core
}
