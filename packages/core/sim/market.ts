/** A market with changing regimes: raw ticks, good and bad, for every instrument. */
import { price, type Instrument, type Tick } from '../src/index.ts'
import { aimAtStopOut } from './aim-at-stop-out.ts'
import type { PriceProfile } from './instruments.ts'
import type { Random } from '../../../testing/random.ts'
import type { ReferenceModel } from './reference/state.ts'
import type { SimWorld } from './world.ts'

type Regime = 'calm' | 'rising' | 'falling' | 'gapping' | 'crash' | 'recovery' | 'silent'

type SimulatedPrice = {
  readonly instrument: Instrument
  readonly profile: PriceProfile
  mid: number
  regime: Regime
  /** Ticks until the regime changes. */
  remaining: number
  /** The wrong tick that its source sent last, and may send again. */
  wrong: Tick | null
}

export type Market = {
  /** The next raw tick at `at` (epoch ms); null when the chosen instrument is silent. */
  readonly nextTick: (at: number) => Tick | null
  /** Moves every price, some of them far, after time without ticks. */
  readonly drift: () => void
}

export function createMarket(world: SimWorld, model: ReferenceModel, random: Random): Market {
  const prices = world.instruments.map((instrument): SimulatedPrice => {
    const profile = world.profiles.get(instrument.id)
    if (!profile) throw new Error(`instrument ${instrument.id} has no profile`)
    return { instrument, profile, mid: profile.reference, regime: 'calm', remaining: 50, wrong: null }
  })
  const busy = prices.filter(({ instrument }) => instrument.isEnabled && instrument.leverages.length > 0)
  return {
    nextTick(at) {
      const simulated = random.pick(random.chance(3) ? prices : busy)
      simulated.remaining--
      if (simulated.remaining < 0) changeRegime(simulated, random)
      if (
        simulated.regime === 'silent' ||
        (!model.hours.isOpen(simulated.instrument, at) && random.chance(70))
      )
        return null
      const again = simulated.wrong && repeatWrongTick(simulated, simulated.wrong, at, random)
      if (again) return again
      if (random.chance(3)) {
        const aimed = aimedTick(simulated, model, at, random)
        if (aimed) return aimed
      }
      advancePrice(simulated, random)
      const tick = tickOf(simulated, at, random)
      return random.chance(3) ? corrupt(tick, simulated, random) : tick
    },
    drift() {
      for (const simulated of prices)
        moveBy(simulated, random, random.chance(20) ? bandOf(simulated) : simulated.profile.step * 10)
    },
  }
}

/** How many ticks a regime lasts. */
const LASTS: Record<Regime, readonly [number, number]> = {
  calm: [40, 200],
  rising: [20, 120],
  falling: [20, 120],
  gapping: [10, 60],
  crash: [3, 9],
  recovery: [3, 9],
  silent: [3, 12],
}

function changeRegime(simulated: SimulatedPrice, random: Random): void {
  const usual: Regime[] = [
    'calm',
    'calm',
    'rising',
    'rising',
    'falling',
    'falling',
    'gapping',
    'crash',
    'silent',
  ]
  simulated.regime = simulated.regime === 'crash' ? 'recovery' : steer(simulated, random.pick(usual))
  const [least, most] = LASTS[simulated.regime]
  simulated.remaining = random.int(least, most)
}

/** Keeps the price near its reference. */
function steer({ instrument, mid, profile }: SimulatedPrice, regime: Regime): Regime {
  const low = instrument.allowsNegativePrice ? -profile.reference * 2 : profile.reference * 0.5
  const high = instrument.allowsNegativePrice ? profile.reference * 3 : profile.reference * 1.7
  if (mid < low) return 'rising'
  return mid > high ? 'falling' : regime
}

function advancePrice(simulated: SimulatedPrice, random: Random): void {
  const { step } = simulated.profile
  const band = bandOf(simulated)
  switch (simulated.regime) {
    case 'calm':
      simulated.mid += random.chance(20) ? 0 : random.int(-step, step)
      break
    case 'rising':
      simulated.mid += random.int(-step, 3 * step)
      break
    case 'falling':
      simulated.mid -= random.int(-step, 3 * step)
      break
    case 'gapping':
      simulated.mid += random.chance(80) ? 0 : random.int(-Math.floor(band * 0.9), Math.floor(band * 0.9))
      break
    case 'crash':
      simulated.mid -= random.int(0, Math.floor(band * 0.8))
      break
    case 'recovery':
      simulated.mid += random.int(0, Math.floor(band * 0.8))
      break
    case 'silent':
      break
  }
  // Now and then a jump, sometimes beyond the suspect band, where a second tick must confirm it.
  moveBy(simulated, random, random.chance(0.6) ? Math.floor(band * 1.6) : 0)
}

/** Wrong prices are often repeated: the same frame, a later tick at the same price, or one from the other source. */
function repeatWrongTick(simulated: SimulatedPrice, wrong: Tick, at: number, random: Random): Tick | null {
  if (random.chance(40)) simulated.wrong = null
  const { source } = wrong
  return random.pick([
    null,
    null,
    wrong,
    { ...wrong, time: at },
    { ...wrong, time: Math.max(at, wrong.time + random.pick([999, 1_000])) },
    { ...wrong, time: at, source: source === 'sim' ? 'other' : 'sim' },
  ])
}

/** The last price, moved so that an account is at the stop-out, or a tick away from it. */
function aimedTick(
  simulated: SimulatedPrice,
  model: ReferenceModel,
  at: number,
  random: Random,
): Tick | null {
  const quote = model.quotes.get(simulated.instrument.id)
  const ticks = quote
    ? aimAtStopOut(model, simulated.instrument, random, Math.floor(bandOf(simulated) * 0.7))
    : null
  if (!quote || ticks === null) return null
  simulated.mid = quote.bid + ticks + Math.floor((quote.ask - quote.bid) / 2)
  const markUp = quote.markUp ?? 0
  return {
    instrumentId: simulated.instrument.id,
    bid: price(quote.bid + markUp + ticks),
    ask: price(quote.ask - markUp + ticks),
    time: at,
    source: quote.source,
  }
}

/** The suspect band in ticks, at the reference price. */
const bandOf = ({ profile, instrument }: SimulatedPrice): number =>
  Math.floor((profile.reference * instrument.suspectBand) / 1_000_000) + profile.step

function moveBy(simulated: SimulatedPrice, random: Random, reach: number): void {
  simulated.mid += random.int(-reach, reach)
  if (simulated.instrument.allowsNegativePrice) return
  simulated.mid = Math.max(simulated.mid, Math.floor(simulated.profile.reference / 5))
}

function tickOf({ instrument, mid, profile }: SimulatedPrice, at: number, random: Random): Tick {
  const spread = random.chance(80) ? random.int(1, profile.spread) : random.int(0, profile.spread * 3)
  const bid = mid - Math.floor(spread / 2)
  return {
    instrumentId: instrument.id,
    bid: price(bid),
    ask: price(bid + spread),
    time: at - random.int(0, 40),
    source: random.chance(85) ? 'sim' : 'other',
  }
}

/** An invalid tick, or one far off the market. */
function corrupt(tick: Tick, simulated: SimulatedPrice, random: Random): Tick {
  const { instrument, mid } = simulated
  const offset = Math.floor((Math.abs(mid) * instrument.suspectBand) / 400_000) + 5_000
  const times = random.pick([9, 10, 11, 1_000])
  const outlier = random.pick<Tick>([
    { ...tick, bid: price(tick.bid * times), ask: price(tick.bid * times) },
    { ...tick, bid: price(Math.floor(tick.bid / times)), ask: price(Math.floor(tick.bid / times)) },
    { ...tick, bid: price(1e15), ask: price(1e15) },
    { ...tick, bid: price(tick.bid + offset), ask: price(tick.ask + offset) },
    { ...tick, bid: price(tick.bid - offset), ask: price(tick.ask - offset) },
    { ...tick, bid: price(tick.bid + offset), ask: price(tick.ask + offset) },
    { ...tick, bid: price(tick.bid - offset), ask: price(tick.ask - offset) },
  ])
  simulated.wrong = outlier
  return random.pick<Tick>([
    { ...tick, bid: price(NaN) },
    { ...tick, ask: price(0.5) },
    { ...tick, time: NaN },
    { ...tick, bid: price(0) },
    { ...tick, bid: price(-tick.ask), ask: price(-tick.bid) },
    { ...tick, bid: price(tick.ask + 1), ask: tick.bid },
    { ...tick, time: tick.time - random.int(1_000, 90_000) },
    { ...tick, time: tick.time + random.int(4_500, 6_500) },
    { ...tick, ask: price(tick.ask + offset) },
    outlier,
    outlier,
  ])
}
