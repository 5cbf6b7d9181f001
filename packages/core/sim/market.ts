/** A market with moods: raw ticks, good and bad, for every instrument of the world. */
import { price, type Instrument, type Tick } from '../src/index.ts'
import { aim } from './aim.ts'
import type { Nature } from './instruments.ts'
import type { Random } from '../../../testing/random.ts'
import type { ReferenceModel } from './reference/state.ts'
import type { SimWorld } from './world.ts'

type Mood = 'calm' | 'rising' | 'falling' | 'gapping' | 'crash' | 'recovery' | 'silent'

type Stall = {
  readonly instrument: Instrument
  readonly nature: Nature
  mid: number
  mood: Mood
  /** Ticks until the mood changes. */
  remaining: number
  /** What its source has just sent wrongly, and may send again. */
  wrong: Tick | null
}

export type Market = {
  /** The next raw tick at `at` (epoch ms), or none when the chosen instrument is silent. */
  readonly nextTick: (at: number) => Tick | null
  /** Time has passed without ticks: every price has gone somewhere, some of them far. */
  readonly drift: () => void
}

export function createMarket(world: SimWorld, model: ReferenceModel, random: Random): Market {
  const stalls = world.instruments.map((instrument): Stall => {
    const nature = world.natures.get(instrument.id)
    if (!nature) throw new Error(`instrument ${instrument.id} has no nature`)
    return { instrument, nature, mid: nature.reference, mood: 'calm', remaining: 50, wrong: null }
  })
  const busy = stalls.filter(({ instrument }) => instrument.isEnabled && instrument.leverages.length > 0)
  return {
    nextTick(at) {
      const stall = random.pick(random.chance(3) ? stalls : busy)
      stall.remaining--
      if (stall.remaining < 0) changeMood(stall, random)
      if (stall.mood === 'silent' || (!model.hours.isOpen(stall.instrument, at) && random.chance(70)))
        return null
      const again = stall.wrong && insist(stall, stall.wrong, at, random)
      if (again) return again
      if (random.chance(3)) {
        const aimed = aimedTick(stall, model, at, random)
        if (aimed) return aimed
      }
      moveOn(stall, random)
      const tick = tickOf(stall, at, random)
      return random.chance(3) ? spoil(tick, stall, random) : tick
    },
    drift() {
      for (const stall of stalls)
        moveBy(stall, random, random.chance(20) ? bandOf(stall) : stall.nature.step * 10)
    },
  }
}

/** How many ticks a mood lasts. */
const LASTS: Record<Mood, readonly [number, number]> = {
  calm: [40, 200],
  rising: [20, 120],
  falling: [20, 120],
  gapping: [10, 60],
  crash: [3, 9],
  recovery: [3, 9],
  silent: [3, 12],
}

function changeMood(stall: Stall, random: Random): void {
  const usual: Mood[] = [
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
  stall.mood = stall.mood === 'crash' ? 'recovery' : steer(stall, random.pick(usual))
  const [least, most] = LASTS[stall.mood]
  stall.remaining = random.int(least, most)
}

/** Keeps the price in the region of its reference. */
function steer({ instrument, mid, nature }: Stall, mood: Mood): Mood {
  const low = instrument.allowsNegativePrice ? -nature.reference * 2 : nature.reference * 0.5
  const high = instrument.allowsNegativePrice ? nature.reference * 3 : nature.reference * 1.7
  if (mid < low) return 'rising'
  return mid > high ? 'falling' : mood
}

function moveOn(stall: Stall, random: Random): void {
  const { step } = stall.nature
  const band = bandOf(stall)
  switch (stall.mood) {
    case 'calm':
      stall.mid += random.chance(20) ? 0 : random.int(-step, step)
      break
    case 'rising':
      stall.mid += random.int(-step, 3 * step)
      break
    case 'falling':
      stall.mid -= random.int(-step, 3 * step)
      break
    case 'gapping':
      stall.mid += random.chance(80) ? 0 : random.int(-Math.floor(band * 0.9), Math.floor(band * 0.9))
      break
    case 'crash':
      stall.mid -= random.int(0, Math.floor(band * 0.8))
      break
    case 'recovery':
      stall.mid += random.int(0, Math.floor(band * 0.8))
      break
    case 'silent':
      break
  }
  // Now and then a jump, sometimes past the band that needs a second tick.
  moveBy(stall, random, random.chance(0.6) ? Math.floor(band * 1.6) : 0)
}

/** A wrong price seldom comes alone: the same frame, another with the same price, or the other source has it, too. */
function insist(stall: Stall, wrong: Tick, at: number, random: Random): Tick | null {
  if (random.chance(40)) stall.wrong = null
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

/** The last price, moved so that somebody is at the stop-out, or a tick away from it. */
function aimedTick(stall: Stall, model: ReferenceModel, at: number, random: Random): Tick | null {
  const quote = model.quotes.get(stall.instrument.id)
  const ticks = quote ? aim(model, stall.instrument, random, Math.floor(bandOf(stall) * 0.7)) : null
  if (!quote || ticks === null) return null
  stall.mid = quote.bid + ticks + Math.floor((quote.ask - quote.bid) / 2)
  const markUp = quote.markUp ?? 0
  return {
    instrumentId: stall.instrument.id,
    bid: price(quote.bid + markUp + ticks),
    ask: price(quote.ask - markUp + ticks),
    time: at,
    source: quote.source,
  }
}

/** The suspect band in ticks, at the reference price. */
const bandOf = ({ nature, instrument }: Stall): number =>
  Math.floor((nature.reference * instrument.suspectBand) / 1_000_000) + nature.step

function moveBy(stall: Stall, random: Random, reach: number): void {
  stall.mid += random.int(-reach, reach)
  if (stall.instrument.allowsNegativePrice) return
  stall.mid = Math.max(stall.mid, Math.floor(stall.nature.reference / 5))
}

function tickOf({ instrument, mid, nature }: Stall, at: number, random: Random): Tick {
  const spread = random.chance(80) ? random.int(1, nature.spread) : random.int(0, nature.spread * 3)
  const bid = mid - Math.floor(spread / 2)
  return {
    instrumentId: instrument.id,
    bid: price(bid),
    ask: price(bid + spread),
    time: at - random.int(0, 40),
    source: random.chance(85) ? 'sim' : 'other',
  }
}

/** Ticks that no feed should send. */
function spoil(tick: Tick, stall: Stall, random: Random): Tick {
  const { instrument, mid } = stall
  const far = Math.floor((Math.abs(mid) * instrument.suspectBand) / 400_000) + 5_000
  const times = random.pick([9, 10, 11, 1_000])
  const off = random.pick<Tick>([
    { ...tick, bid: price(tick.bid * times), ask: price(tick.bid * times) },
    { ...tick, bid: price(Math.floor(tick.bid / times)), ask: price(Math.floor(tick.bid / times)) },
    { ...tick, bid: price(1e15), ask: price(1e15) },
    { ...tick, bid: price(tick.bid + far), ask: price(tick.ask + far) },
    { ...tick, bid: price(tick.bid - far), ask: price(tick.ask - far) },
    { ...tick, bid: price(tick.bid + far), ask: price(tick.ask + far) },
    { ...tick, bid: price(tick.bid - far), ask: price(tick.ask - far) },
  ])
  stall.wrong = off
  return random.pick<Tick>([
    { ...tick, bid: price(NaN) },
    { ...tick, ask: price(0.5) },
    { ...tick, time: NaN },
    { ...tick, bid: price(0) },
    { ...tick, bid: price(-tick.ask), ask: price(-tick.bid) },
    { ...tick, bid: price(tick.ask + 1), ask: tick.bid },
    { ...tick, time: tick.time - random.int(1_000, 90_000) },
    { ...tick, time: tick.time + random.int(4_500, 6_500) },
    { ...tick, ask: price(tick.ask + far) },
    off,
    off,
  ])
}
