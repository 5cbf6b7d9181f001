import type { Decimal, InstrumentListing, QuoteSource, QuoteUpdate } from '@fairlot/contract'
import { useSyncExternalStore } from 'react'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { syncMarketClock, useEverySecond } from './market-clock.ts'
import { createFrame, nextFrame } from '../connection/frame-batch.ts'

/** The newest price of an instrument with the figures of its trading day. */
export type LiveQuote = {
  readonly bid: Decimal
  readonly ask: Decimal
  /** The mid: what lists and charts show. */
  readonly mid: Decimal
  readonly open: Decimal
  readonly high: Decimal
  readonly low: Decimal
  readonly changePercent: Decimal | null
  readonly source: QuoteSource
  /** When the server accepted it, epoch ms on the market clock. */
  readonly time: number
  readonly seq: number
  /** When the server took it, as far as is known, epoch ms on the device's clock. The age counts from here. */
  readonly receivedAt: number
}

type QuoteStore = StoreApi<{ quote: LiveQuote | null }>

const stores = new Map<number, QuoteStore>()

function storeOf(instrumentId: number): QuoteStore {
  const known = stores.get(instrumentId)
  if (known) return known
  const store = createStore<{ quote: LiveQuote | null }>(() => ({ quote: null }))
  stores.set(instrumentId, store)
  return store
}

/** Whether `next` is at least as new as the shown price. */
const isNewer = (next: LiveQuote, shown: LiveQuote | null): boolean =>
  shown === null || next.time > shown.time || (next.time === shown.time && next.seq >= shown.seq)

function show(instrumentId: number, quote: LiveQuote): void {
  const store = storeOf(instrumentId)
  const shown = store.getState().quote
  if (!isNewer(quote, shown)) return
  syncMarketClock(quote.time)
  // A price already shown that a new subscription or list sends again keeps its age.
  const isSame = shown !== null && shown.time === quote.time && shown.seq === quote.seq
  const receivedAt = isSame ? Math.min(shown.receivedAt, quote.receivedAt) : quote.receivedAt
  store.setState({ quote: { ...quote, receivedAt } })
}

let held: Promise<void> | null = null

/**
 * Holds prices of the socket back until the returned function is called. A price shown while React renders the first screen in pieces
 * makes it render the whole screen again in one, which blocks a slow phone.
 */
export function holdQuotes(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  held = promise
  return () => {
    held = null
    resolve()
  }
}

const paintLater = createFrame<number, LiveQuote>(
  (paint) => (held ? void held.then(() => nextFrame(paint)) : nextFrame(paint)),
  show,
)

/** Records a price from the socket, with the age it came with; the newest of each instrument is painted with the next frame. */
export function receiveQuote(update: QuoteUpdate, receivedAt: number): void {
  const { close: mid, open, high, low, changePercent } = update.day
  const { bid, ask, source, time, seq, ageMs } = update
  paintLater(update.instrumentId, {
    bid,
    ask,
    mid,
    open,
    high,
    low,
    changePercent,
    source,
    time,
    seq,
    receivedAt: receivedAt - (ageMs ?? 0),
  })
}

/** Records the price of a list fetched at `receivedAt`, with the age it had then, unless a newer one came from the socket. */
export function receiveListing(listing: InstrumentListing, receivedAt: number): void {
  const { bid, ask, source, quoteTime: time, day } = listing
  if (bid === null || ask === null || source === null || time === null || day === null) return
  const { close: mid, open, high, low, changePercent } = day
  const seq = listing.quoteSeq ?? 0
  const takenAt = receivedAt - listing.quoteAgeMs
  show(listing.id, { bid, ask, mid, open, high, low, changePercent, source, time, seq, receivedAt: takenAt })
}

/** A value read from the newest price; renders only when it changes. */
function useQuoteValue<Answer>(instrumentId: number, read: (quote: LiveQuote | null) => Answer): Answer {
  const store = storeOf(instrumentId)
  const now = () => read(store.getState().quote)
  return useSyncExternalStore(store.subscribe, now, now)
}

/** The newest price of one instrument; null before the first. Renders with this instrument's ticks only. */
export const useQuote = (instrumentId: number): LiveQuote | null =>
  useQuoteValue(instrumentId, (quote) => quote)

/** Whether an instrument has a price; renders only when the first arrives. */
export const useHasQuote = (instrumentId: number): boolean =>
  useQuoteValue(instrumentId, (quote) => quote !== null)

/** The newest price outside of rendering. */
export const quoteOf = (instrumentId: number): LiveQuote | null => storeOf(instrumentId).getState().quote

/** Calls back with every painted price of an instrument, for code that draws outside of React. */
export const onQuote = (instrumentId: number, listener: (quote: LiveQuote) => void): (() => void) =>
  storeOf(instrumentId).subscribe(({ quote }) => quote && listener(quote))

/** Age in seconds of a price that is too old to trade on; null while it is fresh or the market is closed. */
export const useStaleSeconds = (
  listing: Pick<InstrumentListing, 'id' | 'isOpen' | 'freshnessMs'>,
): number | null => useEverySecond(() => staleSeconds(listing, quoteOf(listing.id), Date.now()))

/** The same at a time of the device's clock (epoch ms), which in a replay differs from the market's. */
export function staleSeconds(
  { isOpen, freshnessMs }: Pick<InstrumentListing, 'isOpen' | 'freshnessMs'>,
  quote: Pick<LiveQuote, 'receivedAt'> | null,
  now: number,
): number | null {
  if (!isOpen || !quote) return null
  // A price from the future: the device's clock was set back, so its age is unknown.
  const ageMs = Math.abs(now - quote.receivedAt)
  return ageMs > freshnessMs ? Math.floor(ageMs / 1000) : null
}

const KEYS = {
  live: { demo: 'demoLive', real: 'live' },
  recorded: { demo: 'demoRecorded', real: 'recorded' },
  simulated: { demo: 'demoSimulated', real: 'simulated' },
} as const

/** Key of the message that names the source of prices, and marks a demo account. */
export const sourceKey = (source: QuoteSource, isDemo: boolean) => KEYS[source][isDemo ? 'demo' : 'real']
