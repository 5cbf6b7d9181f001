import { toInstrument, toQuote, type InstrumentListing } from '@fairlot/contract'
import {
  convert,
  pathToAccount,
  toTicks,
  type ConversionLeg,
  type Fraction,
  type Instrument,
  type Price,
  type Quote,
} from '@fairlot/core'
import { useMemo } from 'react'
import { useBasicInfo } from '../../live/basic-info.ts'
import { useInstruments } from '../../live/market/instruments.ts'
import { useQuote, useStaleSeconds, type LiveQuote } from '../../live/market/quotes.ts'

/** An instrument with its current price, in the units of the core. */
export type TradeMarket = {
  readonly instrument: Instrument
  readonly quote: { readonly bid: Price; readonly ask: Price } | null
  /** Age of a price too old to trade on, in seconds; null while it is fresh. */
  readonly staleSeconds: number | null
  /** From the quote currency to the account currency; null while a price of the conversion is missing. */
  readonly rate: Fraction | null
}

/** The live market of one instrument. */
export function useTradeMarket(listing: InstrumentListing): TradeMarket {
  const instrument = useMemo(() => toInstrument(listing), [listing])
  const live = useQuote(listing.id)
  const { priceDecimals } = instrument
  return {
    instrument,
    quote: useMemo(() => live && pricesOf(live, priceDecimals), [live, priceDecimals]),
    staleSeconds: useStaleSeconds(listing),
    rate: useRate(instrument),
  }
}

function pricesOf({ bid, ask }: LiveQuote, priceDecimals: number): TradeMarket['quote'] {
  const prices = { bid: toTicks(bid, priceDecimals), ask: toTicks(ask, priceDecimals) }
  return prices.bid === null || prices.ask === null ? null : { bid: prices.bid, ask: prices.ask }
}

const NO_INSTRUMENT = 0

/** Conversion rate of the quote currency, from the live prices of the one or two pairs that it needs. */
function useRate(instrument: Instrument): Fraction | null {
  const path = useConversionPath(instrument)
  const [first, second] = path ?? []
  const firstQuote = useLegQuote(first)
  const secondQuote = useLegQuote(second)
  return useMemo(() => {
    const quotes = [firstQuote, secondQuote]
    const quoteOf = (id: number) => quotes.find((quote) => quote?.instrumentId === id) ?? undefined
    return path === null ? null : (convert(path, quoteOf)?.rate ?? null)
  }, [path, firstQuote, secondQuote])
}

function useConversionPath(instrument: Instrument): readonly ConversionLeg[] | null {
  const { instruments } = useInstruments()
  const currency = useBasicInfo()?.currency
  return useMemo(
    () =>
      currency === undefined
        ? null
        : pathToAccount((instruments ?? []).map(toInstrument), instrument, currency),
    [instruments, currency, instrument],
  )
}

function useLegQuote(leg: ConversionLeg | undefined): Quote | null {
  const live = useQuote(leg?.instrument.id ?? NO_INSTRUMENT)
  return useMemo(
    () =>
      leg && live
        ? toQuote({ ...live, instrumentId: leg.instrument.id }, leg.instrument, live.receivedAt)
        : null,
    [leg, live],
  )
}
