/** Orders as users send them: mostly valid, some invalid in one way or in two. */
import {
  lots,
  price,
  type Instrument,
  type Lots,
  type PlaceOrder,
  type Price,
  type Side,
} from '../src/index.ts'
import type { PlainInstrument } from './plain-types.ts'
import type { Scene } from './scene.ts'
import { referenceFigures } from './reference/figures.ts'
import { referenceMarket } from './reference/market.ts'
import { referenceCost } from './reference/refusals.ts'
import { closingAt, openingAt, positionsOf, type ReferenceOrder } from './reference/state.ts'

type Stops = Pick<PlaceOrder, 'takeProfit' | 'stopLoss'>

/** Every third user risks nearly all their money on one order. */
const isGambler = (accountId: number): boolean => accountId % 3 === 1

/** Sometimes hedges a position, or doubles it at the price at which it was opened. */
export function placeOrder(scene: Scene, accountId: number): PlaceOrder {
  const { random, model } = scene
  if (random.chance(14)) {
    const position = random.pick([null, ...positionsOf(model, accountId)])
    const isDouble = position && model.quotes.get(position.instrumentId)?.seq === position.openedSeq
    if (position) return hedgeOrDouble(scene, position, isDouble ? 'double' : 'hedge')
  }
  return newOrder(scene, accountId)
}

function hedgeOrDouble({ at }: Scene, position: ReferenceOrder, way: 'double' | 'hedge'): PlaceOrder {
  const { accountId, instrumentId, leverage, side } = position
  const other = side === 'buy' ? 'sell' : 'buy'
  return {
    type: 'placeOrder',
    at,
    accountId,
    instrumentId,
    side: way === 'double' ? side : other,
    lots: lots(position.lots),
    leverage,
    targetPrice: null,
    takeProfit: null,
    stopLoss: null,
    expiresAt: null,
  }
}

function newOrder(scene: Scene, accountId: number): PlaceOrder {
  const { model, random, at } = scene
  const instrument = chooseInstrument(scene)
  const side = random.pick<Side>(['buy', 'sell'])
  const quote = model.quotes.get(instrument.id)
  const { reference } = profileOf(scene, instrument)
  const opening = quote ? openingAt(side, quote) : reference
  const closing = quote ? closingAt(side, quote) : reference
  const highest = instrument.leverages.at(-1) ?? 1
  const leverage = isGambler(accountId) ? highest : random.pick([...instrument.leverages, highest])
  const targetPrice = random.chance(45) ? chooseTarget(scene, instrument, opening) : null
  const expiresAt = targetPrice !== null && random.chance(50) ? at + random.int(1, 60_000) : null
  const order: PlaceOrder = {
    type: 'placeOrder',
    at,
    accountId,
    instrumentId: instrument.id,
    side,
    lots: sizeOf(scene, instrument, { accountId, leverage, price: targetPrice ?? opening }),
    leverage,
    targetPrice,
    ...(isGambler(accountId) && random.chance(50)
      ? { takeProfit: null, stopLoss: null }
      : stopsAround(scene, instrument, side, targetPrice ?? closing)),
    expiresAt,
    ...(targetPrice !== null && random.chance(50) && { kind: random.pick(['limit', 'stop'] as const) }),
  }
  const corrupted = random.chance(8) ? corrupt(scene, instrument, order) : order
  return random.chance(2) ? corrupt(scene, instrument, corrupted) : corrupted
}

/** Mostly one that can be traded now; the one whose price crosses zero more often than others. */
function chooseInstrument({ world, model, random, at }: Scene): Instrument {
  if (random.chance(15)) return world.favourite
  if (random.chance(12)) return random.pick(world.instruments)
  const tradable = world.instruments.filter(
    (candidate) => candidate.leverages.length > 0 && referenceMarket(model, candidate, at) !== null,
  )
  const crossing = tradable.filter((candidate) => candidate.allowsNegativePrice)
  return random.pick(tradable.length > 0 ? [...tradable, ...crossing, ...crossing] : world.instruments)
}

/** Near the opening price; where prices may be negative, also just above zero. */
function chooseTarget(scene: Scene, instrument: Instrument, opening: number): Price {
  if (instrument.allowsNegativePrice && scene.random.chance(50)) return price(scene.random.int(1, 5))
  return price(opening + awayFrom(scene, instrument))
}

export function profileOf({ world }: Scene, { id }: { readonly id: number }) {
  const profile = world.profiles.get(id)
  if (!profile) throw new Error(`instrument ${id} has no profile`)
  return profile
}

/** A few calm steps up or down, sometimes many, sometimes none. */
function awayFrom(scene: Scene, instrument: { readonly id: number }): number {
  const { random } = scene
  const { step } = profileOf(scene, instrument)
  if (random.chance(15)) return random.int(-4, 4)
  const reach = random.chance(80) ? step * 5 : step * 50
  return random.chance(3) ? 0 : random.int(-reach, reach)
}

/** Stops mostly on the correct side; sometimes at the minimum distance, one tick nearer, or on the wrong side. */
export function stopsAround(scene: Scene, instrument: PlainInstrument, side: Side, reference: number): Stops {
  const { random } = scene
  const { step } = profileOf(scene, instrument)
  const sign = side === 'buy' ? 1 : -1
  const distance = (): number => {
    const least = instrument.minStopDistance
    const draw = random.int(1, 100)
    if (draw <= 4) return least - 1
    if (draw <= 8) return -random.int(0, step * 10)
    return draw <= 16 ? least : least + random.int(0, random.chance(80) ? step * 5 : step * 50)
  }
  const stopAt = (ahead: number): Price | null => (random.chance(40) ? price(reference + ahead) : null)
  return { takeProfit: stopAt(sign * distance()), stopLoss: stopAt(-sign * distance()) }
}

/** Money to use as margin: mostly little, sometimes much, all that is free, or more than the account has. */
function chooseMeans({ random, model, world }: Scene, accountId: number): bigint {
  const ofStart = (thousandths: number) => (world.settings.demoBalance * BigInt(thousandths)) / 1_000n
  if (random.chance(12)) return referenceFigures(model, accountId).free
  if (isGambler(accountId)) return ofStart(random.int(300, 990))
  const draw = random.int(1, 100)
  if (draw <= 60) return ofStart(random.int(1, 80))
  return ofStart(draw <= 94 ? random.int(80, 500) : random.int(500, 3_000))
}

type About = { readonly accountId: number; readonly leverage: number; readonly price: number }

/** The largest size that this money pays for, within the instrument's limits. */
function sizeOf(scene: Scene, instrument: Instrument, { accountId, leverage, price: at }: About): Lots {
  const { lotStep, lotMin, lotMax } = instrument
  const market = referenceMarket(scene.model, instrument, scene.at)
  if (!market) return lotMin
  const cost = referenceCost(scene.model, market, { lots: lotMax, leverage, price: at })
  const steps = (chooseMeans(scene, accountId) * BigInt(lotMax / lotStep)) / (cost.margin + cost.fee + 1n)
  return lots(Math.min(Math.max(Number(steps) * lotStep, lotMin), lotMax))
}

function corrupt({ random, at }: Scene, instrument: Instrument, order: PlaceOrder): PlaceOrder {
  const { lotMin, lotStep, lotMax } = instrument
  return random.pick<PlaceOrder>([
    { ...order, instrumentId: 77 },
    { ...order, leverage: 7 },
    { ...order, leverage: 0 },
    { ...order, lots: lots(lotMin - lotStep) },
    { ...order, lots: lots(-lotMin) },
    { ...order, lots: lots(lotMax + lotStep) },
    { ...order, lots: lots(order.lots + (lotStep > 1 ? 1 : 0)) },
    { ...order, targetPrice: price(0) },
    { ...order, targetPrice: price(-5) },
    { ...order, targetPrice: price(2_000_000_000_000) },
    { ...order, targetPrice: price(NaN) },
    { ...order, takeProfit: price(0) },
    { ...order, stopLoss: price(-7) },
    { ...order, stopLoss: price(2_000_000_000_000) },
    { ...order, takeProfit: price(100.5) },
    { ...order, expiresAt: at },
    { ...order, expiresAt: at - 1 },
    { ...order, targetPrice: null, expiresAt: at + 10_000 },
  ])
}
