import type { Decimal, InstrumentListing, QuoteSource, QuoteUpdate } from '@fairlot/contract'
import { useSyncExternalStore } from 'react'
import { createStore } from 'zustand/vanilla'
import type { StoreApi } from 'zustand/vanilla'
import { learnMarketTime, useEverySecond } from './market-clock.ts'
import { createFrame, nextFrame } from '../frame-batch.ts'

/** The newest price of an instrument and its trading day, as it is painted. */
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
  /** When it arrived here, epoch ms on the reader's clock. The age counts from it. */
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

/** Whether `next` is at least as new as what is shown. */
const isNewer = (next: LiveQuote, shown: LiveQuote | null): boolean =>
  shown === null || next.time > shown.time || (next.time === shown.time && next.seq >= shown.seq)

function show(instrumentId: number, quote: LiveQuote): void {
  const store = storeOf(instrumentId)
  if (!isNewer(quote, store.getState().quote)) return
  learnMarketTime(quote.time)
  store.setState({ quote })
}

const paintLater = createFrame<number, LiveQuote>(nextFrame, show)

/** Takes a price from the socket; it is painted with the next frame, and only the newest of each instrument. */
export function receiveQuote(update: QuoteUpdate, receivedAt: number): void {
  const { close: mid, open, high, low, changePercent } = update.day
  const { bid, ask, source, time, seq } = update
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
    receivedAt,
  })
}

/** Takes the price that came with a list; a newer one from the socket stays. */
export function receiveListing(listing: InstrumentListing, receivedAt: number): void {
  const { bid, ask, source, quoteTime: time, day } = listing
  if (bid === null || ask === null || source === null || time === null || day === null) return
  const { close: mid, open, high, low, changePercent } = day
  const seq = listing.quoteSeq ?? 0
  show(listing.id, { bid, ask, mid, open, high, low, changePercent, source, time, seq, receivedAt })
}

/** Renders only when what `look` answers about the newest price turns. The same where the first page is rendered. */
function useLook<Answer>(instrumentId: number, look: (quote: LiveQuote | null) => Answer): Answer {
  const store = storeOf(instrumentId)
  const now = () => look(store.getState().quote)
  return useSyncExternalStore(store.subscribe, now, now)
}

/** The newest price of one instrument; null before the first. Renders with this instrument's ticks only. */
export const useQuote = (instrumentId: number): LiveQuote | null => useLook(instrumentId, (quote) => quote)

/** Whether an instrument has had a price; renders only when the first comes. */
export const useHasQuote = (instrumentId: number): boolean => useLook(instrumentId, (quote) => quote !== null)

/** The newest price outside of rendering. */
export const quoteOf = (instrumentId: number): LiveQuote | null => storeOf(instrumentId).getState().quote

/** Calls back with every painted price of an instrument, for what is drawn outside of React. */
export const onQuote = (instrumentId: number, listener: (quote: LiveQuote) => void): (() => void) =>
  storeOf(instrumentId).subscribe(({ quote }) => quote && listener(quote))

/** Seconds since the price arrived when it is too old to trade on, else null. Only asked while the market is open. */
export const useStaleSeconds = (
  listing: Pick<InstrumentListing, 'id' | 'isOpen' | 'freshnessMs'>,
): number | null =>
  useEverySecond(() => {
    const quote = quoteOf(listing.id)
    if (!listing.isOpen || !quote) return null
    const ageMs = Date.now() - quote.receivedAt
    return ageMs > listing.freshnessMs ? Math.floor(ageMs / 1000) : null
  })
