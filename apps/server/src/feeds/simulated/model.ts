import type { FeedInstrument } from '../feed.ts'

/**
 * A value that moves on its own: a currency, metal or coin against the root currency, or the price of an index, energy or
 * share. Its logarithm returns slowly to an anchor (Ornstein-Uhlenbeck), driven by a factor of its group and by itself.
 */
export type Process = {
  readonly name: string
  /** Values of a group move together. */
  readonly group: string
  /** Part of the variance that comes from the group's factor. Two equal members correlate by it. */
  readonly groupShare: number
  /** Standard deviation of the yearly logarithmic return. */
  readonly volatility: number
  /** Logarithm it returns to. */
  readonly anchor: number
  /** Logarithm it starts from. */
  readonly start: number
}

/** The logarithm of an instrument's price: one process minus another one; null is the root, which is always 0. */
export type Legs = { readonly base: Process | null; readonly quote: Process | null }

export type Model = { readonly processes: readonly Process[]; readonly legsOf: ReadonlyMap<string, Legs> }

/** Prices of these are taken from two legs, so that every cross agrees with the pairs it is made of. */
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

/** Values everything from a root along the pairs, nearest first: EUR by EURUSD before by EURGBP. */
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

/** A price of zero or less (oil has been there) has no logarithm: such an instrument starts at its reference again. */
function startLog(instrument: FeedInstrument, startFrom: ReadonlyMap<string, number>): number {
  const last = startFrom.get(instrument.code) ?? 0
  return Math.log(last > 0 ? last : instrument.referencePrice)
}
