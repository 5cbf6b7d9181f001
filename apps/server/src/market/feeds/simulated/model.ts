import type { FeedInstrument } from '../feed.ts'

/**
 * A value that is not derived from others: a currency, metal or coin against the root currency, or the price of an index, energy or share. Its
 * logarithm slowly reverts to an anchor (Ornstein-Uhlenbeck), driven by a factor of its group and by its own.
 */
export type Process = {
  readonly name: string
  /** Values of the same group move together. */
  readonly group: string
  /** Share of the variance from the group's factor; the correlation of two values with equal shares. */
  readonly groupShare: number
  /** Standard deviation of the yearly logarithmic return. */
  readonly volatility: number
  /** Logarithm to which it reverts. */
  readonly anchor: number
  /** Logarithm at which it starts. */
  readonly start: number
}

/** The logarithm of an instrument's price is one process minus another; null is the root, which is always 0. */
export type Legs = { readonly base: Process | null; readonly quote: Process | null }

type Model = { readonly processes: readonly Process[]; readonly legsOf: ReadonlyMap<string, Legs> }

/** Instruments of these categories are priced as base value by quote value, so that every cross is consistent with its pairs. */
const PAIR_CATEGORIES = new Set(['Forex', 'Metals', 'Crypto'])

/** Typical correlations of daily returns, rounded. Shares move with the indices. */
const GROUPS: Readonly<Record<string, { group: string; share: number }>> = {
  Forex: { group: 'currencies', share: 0.5 },
  Metals: { group: 'metals', share: 0.75 },
  Energies: { group: 'energies', share: 0.6 },
  Indices: { group: 'equities', share: 0.75 },
  Shares: { group: 'equities', share: 0.4 },
  Crypto: { group: 'crypto', share: 0.65 },
}

/**
 * The processes behind a list of instruments. `startFrom` holds last prices by code (units of the quote currency); an
 * instrument without one starts at its reference price.
 */
export function createModel(
  instruments: readonly FeedInstrument[],
  startFrom: ReadonlyMap<string, number> = new Map(),
): Model {
  const pairs = instruments.filter(({ category }) => PAIR_CATEGORIES.has(category))
  const alone = instruments.filter(({ category }) => !PAIR_CATEGORIES.has(category))
  const nodes = valueNodes(pairs, startFrom)
  const own = new Map(alone.map((instrument) => [instrument.code, ownProcess(instrument, startFrom)]))
  const legsOf = new Map<string, Legs>()
  for (const { code, baseCurrency, quoteCurrency } of instruments) {
    const process = own.get(code)
    legsOf.set(
      code,
      process
        ? { base: process, quote: null }
        : { base: nodes.get(baseCurrency) ?? null, quote: nodes.get(quoteCurrency) ?? null },
    )
  }
  const processes = [...nodes.values(), ...own.values()].filter((process) => process !== null)
  return { processes, legsOf }
}

/** Derives the value of each currency from the root by breadth-first search over the pairs: EUR from EURUSD rather than from EURGBP. */
function valueNodes(
  pairs: readonly FeedInstrument[],
  startFrom: ReadonlyMap<string, number>,
): Map<string, Process | null> {
  const nodes = new Map<string, Process | null>()
  for (let open = [...pairs]; open.length > 0;) {
    const known = open.filter((pair) => nodes.has(pair.baseCurrency) !== nodes.has(pair.quoteCurrency))
    if (known.length === 0) nodes.set(rootOf(open), null)
    for (const pair of known) addNode(nodes, pair, startFrom)
    open = open.filter((pair) => !nodes.has(pair.baseCurrency) || !nodes.has(pair.quoteCurrency))
  }
  return nodes
}

const rootOf = (pairs: readonly FeedInstrument[]): string =>
  pairs.some(({ quoteCurrency, baseCurrency }) => quoteCurrency === 'USD' || baseCurrency === 'USD')
    ? 'USD'
    : (pairs[0]?.quoteCurrency ?? 'USD')

function addNode(
  nodes: Map<string, Process | null>,
  pair: FeedInstrument,
  startFrom: ReadonlyMap<string, number>,
): void {
  const isBaseNew = !nodes.has(pair.baseCurrency)
  const name = isBaseNew ? pair.baseCurrency : pair.quoteCurrency
  if (nodes.has(name)) return
  const other = nodes.get(isBaseNew ? pair.quoteCurrency : pair.baseCurrency) ?? null
  const value = (log: number, ofOther: number) => (isBaseNew ? ofOther + log : ofOther - log)
  nodes.set(name, {
    ...common(pair),
    name,
    anchor: value(Math.log(pair.referencePrice), other?.anchor ?? 0),
    start: value(startLog(pair, startFrom), other?.start ?? 0),
  })
}

const ownProcess = (instrument: FeedInstrument, startFrom: ReadonlyMap<string, number>): Process => ({
  ...common(instrument),
  name: instrument.code,
  anchor: Math.log(instrument.referencePrice),
  start: startLog(instrument, startFrom),
})

function common({ category, yearlyVolatility }: FeedInstrument) {
  const { group, share } = GROUPS[category] ?? { group: category, share: 0.5 }
  return { group, groupShare: share, volatility: yearlyVolatility }
}

/** A price of zero or less (oil has traded there) has no logarithm: such an instrument starts at its reference again. */
function startLog(instrument: FeedInstrument, startFrom: ReadonlyMap<string, number>): number {
  const last = startFrom.get(instrument.code) ?? 0
  return Math.log(last > 0 ? last : instrument.referencePrice)
}

/** A full year, since simulated markets run around the clock. */
export const YEAR_MS = 31_557_600_000
/** Speed of reversion to the anchor: half of the distance in twelve weeks. */
const REVERSION_PER_YEAR = 3

/** One exact step of the Ornstein-Uhlenbeck process: what remains of the distance, and the deviation at volatility 1. */
export type Step = { readonly decay: number; readonly deviation: number }

/** The variance of a path does not depend on the size of its steps (Gillespie, Physical Review E 54, 1996). */
export function stepOf(dtMs: number): Step {
  const pull = REVERSION_PER_YEAR * (dtMs / YEAR_MS)
  const deviation = Math.sqrt(-Math.expm1(-2 * pull) / (2 * REVERSION_PER_YEAR))
  return { decay: Math.exp(-pull), deviation }
}

/** The value of a process after a step, given two standard normal deviates: its group's and its own. */
export function stepProcess(
  process: Process,
  value: number,
  step: Step,
  ofGroup: number,
  own: number,
): number {
  const shock = Math.sqrt(process.groupShare) * ofGroup + Math.sqrt(1 - process.groupShare) * own
  return process.anchor + (value - process.anchor) * step.decay + process.volatility * step.deviation * shock
}

/** The processes of a model over time. */
type Walk = {
  /** Moves every process by `dtMs`. */
  step(dtMs: number): void
  /** Logarithm of an instrument's price now. */
  log(code: string): number
}

export function createWalk(model: Model, seed: string): Walk {
  const values = new Map(model.processes.map((process) => [process, process.start]))
  const owns = model.processes.map((process) => ({
    process,
    random: createRandom(seed, `live:${process.name}`),
  }))
  const groups = new Map(
    model.processes.map(({ group }) => [group, createRandom(seed, `live:group:${group}`)]),
  )
  const valueOf = (process: Process | null) => (process ? (values.get(process) ?? process.start) : 0)
  return {
    step(dtMs) {
      const step = stepOf(dtMs)
      const shocks = new Map([...groups].map(([group, random]) => [group, random.normal()]))
      for (const { process, random } of owns) {
        const ofGroup = shocks.get(process.group) ?? 0
        values.set(process, stepProcess(process, valueOf(process), step, ofGroup, random.normal()))
      }
    },
    log(code) {
      const legs = model.legsOf.get(code)
      return legs ? valueOf(legs.base) - valueOf(legs.quote) : Number.NaN
    },
  }
}

/** Pseudo-random numbers: the same for the same seed and stream. */
export type Random = {
  /** At least 0, below 1. */
  uniform(): number
  /** Standard normal deviates. */
  normal(): number
}

/**
 * An independent stream of a seed: small fast counter (sfc32, Chris Doty-Humphrey, PractRand) started from a hash of both
 * texts. The numbers of one stream do not depend on which others exist.
 */
export function createRandom(seed: string, stream: string): Random {
  const state = hashed(`${seed}\n${stream}`)
  const uniform = () => next(state) / 4_294_967_296
  for (let round = 0; round < 12; round++) next(state)
  let spare: number | null = null
  const normal = () => {
    if (spare !== null) {
      const kept = spare
      spare = null
      return kept
    }
    const radius = Math.sqrt(-2 * Math.log(1 - uniform()))
    const angle = 2 * Math.PI * uniform()
    spare = radius * Math.sin(angle)
    return radius * Math.cos(angle)
  }
  return { uniform, normal }
}

type State = Uint32Array<ArrayBuffer>

function next(state: State): number {
  const [a = 0, b = 0, c = 0, counter = 0] = state
  const sum = (a + b + counter) >>> 0
  state[0] = b ^ (b >>> 9)
  state[1] = c + (c << 3)
  state[2] = ((c << 21) | (c >>> 11)) + sum
  state[3] = counter + 1
  return sum
}

/** FNV-1a over the characters from four different starts, each mixed with the finalizer of MurmurHash3. */
function hashed(text: string): State {
  return Uint32Array.from([0x811c9dc5, 0x9e3779b9, 0x85ebca6b, 0xc2b2ae35], (start) => {
    let hash = start
    for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
    return (hash ^ (hash >>> 16)) >>> 0
  })
}
