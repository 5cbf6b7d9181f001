import { toInstrument, toQuote, toTicks, type InstrumentListing } from '@fairlot/contract'
import {
  conversionPath,
  convert,
  type ConversionLeg,
  type Fraction,
  type Instrument,
  type Price,
  type Quote,
} from '@fairlot/core'
import { useMemo } from 'react'
import { useBasicInfo } from '../../live/account.ts'
import { useInstruments } from '../../live/instruments.ts'
import { useQuote, useStaleSeconds, type LiveQuote } from '../../live/quotes.ts'

/** An instrument with its price of now, in the units the core computes in. */
export type TradeMarket = {
  readonly instrument: Instrument
  readonly quote: { readonly bid: Price; readonly ask: Price } | null
  /** Age of a price too old to trade on, in seconds; null while it is fresh. */
  readonly staleSeconds: number | null
  /** From the quote currency to the account currency; null while a price on the way is missing. */
  readonly rate: Fraction | null
}

/** The market of one instrument as it moves. */
export function useTradeMarket(listing: InstrumentListing): TradeMarket {
  const instrument = useMemo(() => toInstrument(listing), [listing])
  const live = useQuote(listing.id)
  return {
    instrument,
    quote: live && pricesOf(live, instrument.priceDecimals),
    staleSeconds: useStaleSeconds(listing),
    rate: useRate(instrument),
  }
}

function pricesOf({ bid, ask }: LiveQuote, priceDecimals: number): TradeMarket['quote'] {
  const prices = { bid: toTicks(bid, priceDecimals), ask: toTicks(ask, priceDecimals) }
  return prices.bid === null || prices.ask === null ? null : { bid: prices.bid, ask: prices.ask }
}

const NO_INSTRUMENT = 0

/** The conversion of the quote currency, from the live prices of the one or two pairs that lead there. */
function useRate(instrument: Instrument): Fraction | null {
  const path = useConversionPath(instrument)
  const [first, second] = path ?? []
  const quotes = [useLegQuote(first), useLegQuote(second)]
  const quoteOf = (id: number) => quotes.find((quote) => quote?.instrumentId === id) ?? undefined
  return path === null ? null : (convert(path, quoteOf)?.rate ?? null)
}

function useConversionPath({ quoteCurrency }: Instrument): readonly ConversionLeg[] | null {
  const { instruments } = useInstruments()
  const currency = useBasicInfo()?.currency
  return useMemo(
    () =>
      currency === undefined
        ? null
        : conversionPath((instruments ?? []).map(toInstrument), quoteCurrency, currency),
    [instruments, currency, quoteCurrency],
  )
}

function useLegQuote(leg: ConversionLeg | undefined): Quote | null {
  const live = useQuote(leg?.instrument.id ?? NO_INSTRUMENT)
  if (!leg || !live) return null
  return toQuote({ ...live, instrumentId: leg.instrument.id }, leg.instrument, live.receivedAt)
}
