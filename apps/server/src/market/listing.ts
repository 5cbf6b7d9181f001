import type { DayFigures, InstrumentListing, QuoteUpdate } from '@fairlot/contract'
import {
  fromTicks,
  fromUnits,
  percentChange,
  ratio,
  type Candle,
  type Instrument,
  type Quote,
} from '@fairlot/core'
import type { FeedKind } from './feeds/feed.ts'
import type { OpeningHours, RegisteredInstrument } from './instrument-registry.ts'

/** The figures of the current trading day, from its day bar. */
function dayFigures({ priceDecimals }: Instrument, day: Candle): DayFigures {
  const [open, close] = [fromTicks(day.open, priceDecimals), fromTicks(day.close, priceDecimals)]
  return {
    open,
    close,
    high: fromTicks(day.high, priceDecimals),
    low: fromTicks(day.low, priceDecimals),
    changePercent: percentChange(open, close),
    volume: fromUnits(day.volume, 0),
  }
}

/** A price of an instrument as it has just been accepted, for the socket. */
export const quoteUpdate = (
  instrument: Instrument,
  quote: Quote,
  day: Candle,
  source: FeedKind,
): QuoteUpdate => ({
  instrumentId: instrument.id,
  code: instrument.code,
  bid: fromTicks(quote.bid, instrument.priceDecimals),
  ask: fromTicks(quote.ask, instrument.priceDecimals),
  time: quote.receivedAt,
  seq: quote.seq,
  source,
  ageMs: null,
  day: dayFigures(instrument, day),
})

/** A row of the market list. Without a price yet its prices are null. */
export function listingOf(
  listed: RegisteredInstrument,
  now: {
    quote: Quote | null
    day: Candle | null
    source: FeedKind | null
    hours: OpeningHours
    /** Why an operator has halted it. */
    haltReason: string | null
    freshnessMs: number
    /** The time of its first bar, if its source has no history. */
    barsSince: number | null
    at: number
  },
): InstrumentListing {
  const { instrument } = listed
  const { quote, day, at } = now
  const status = now.hours.status(instrument, at)
  return {
    id: instrument.id,
    code: instrument.code,
    showCode: listed.showCode,
    name: listed.name ?? '',
    logo: listed.logo,
    categoryId: listed.categoryId,
    isOpen: status.isOpen && now.haltReason === null,
    isTradable: instrument.isEnabled,
    priceDecimals: instrument.priceDecimals,
    lotStep: instrument.lotStep,
    lotMin: instrument.lotMin,
    lotMax: instrument.lotMax,
    contractSize: instrument.contractSize,
    feeRate: instrument.feeRate,
    marginMode: instrument.marginMode,
    leverages: instrument.leverages,
    sort: listed.sort,
    day: quote && day ? dayFigures(instrument, day) : null,
    bid: quote && fromTicks(quote.bid, instrument.priceDecimals),
    ask: quote && fromTicks(quote.ask, instrument.priceDecimals),
    source: now.source,
    quoteTime: quote?.receivedAt ?? null,
    quoteSeq: quote?.seq ?? null,
    quoteAgeMs: quote ? Math.max(0, at - quote.receivedAt) : 0,
    nextOpenAt: status.isOpen ? null : status.changesAt,
    nextCloseAt: status.isOpen ? status.changesAt : null,
    minStopDistance: fromTicks(instrument.minStopDistance, instrument.priceDecimals),
    baseCurrency: instrument.baseCurrency,
    quoteCurrency: instrument.quoteCurrency,
    allowsNegativePrice: instrument.allowsNegativePrice,
    suspectBand: instrument.suspectBand,
    maxSpread: instrument.maxSpread,
    markUp: instrument.markUp ?? ratio(0),
    session: instrument.session,
    haltReason: now.haltReason,
    swapBuy: instrument.swapRate.buy,
    swapSell: instrument.swapRate.sell,
    tripleSwapDay: instrument.tripleSwapDay,
    freshnessMs: now.freshnessMs,
    barsSince: now.barsSince,
  }
}
