import {
  CANDLES_DEFAULT,
  CANDLES_RECENT,
  fromTicks,
  fromUnits,
  listCandles,
  listCategories,
  listInstruments,
  listRecentCandles,
  type Candle as CandleView,
} from '@fairlot/contract'
import type { Period } from '@fairlot/core'
import type { Api } from '../plugins/api.ts'
import { refuse, type Refusal } from '../plugins/refusal.ts'
import { CATEGORIES } from '../seed/instrument-seed.ts'
import type { CatalogueInstrument } from './catalogue.ts'
import { listingOf } from './listing.ts'
import type { Market } from './market.ts'

const SEEDED: ReadonlySet<string> = new Set(CATEGORIES)

export function registerMarket(api: Api, market: Market): void {
  const { catalogue } = market

  api.visitor(listInstruments, ({ input }) =>
    catalogue.instruments
      .filter((listed) => listed.instrument.isEnabled && matches(listed, input.search))
      .map((listed) =>
        listingOf(listed, {
          quote: market.quoteOf(listed.instrument.id),
          day: market.candles.current(listed.instrument.id, '1day'),
          source: market.sourceOf(listed.instrument.id),
          hours: market.hours,
          haltReason: market.haltReasonOf(listed.instrument.id),
          freshnessMs: market.freshnessMs(listed.instrument.id),
          at: market.now(),
        }),
      ),
  )

  api.visitor(listCategories, ({ say }) =>
    catalogue.categories.map(({ id, name }) => ({
      id,
      // What an operator has added has the operator's name in every language.
      name: SEEDED.has(name) ? say(`category.${name}`) : name,
    })),
  )

  api.visitor(listCandles, ({ input }) =>
    readCandles(market, { ...input, limit: input.limit ?? CANDLES_DEFAULT }),
  )

  api.visitor(listRecentCandles, ({ input }) =>
    readCandles(market, { ...input, before: null, limit: CANDLES_RECENT }),
  )
}

/** A part of the code, the shown code or the name, whatever the case. */
function matches({ instrument, showCode, name }: CatalogueInstrument, search: string | null): boolean {
  const wanted = search?.trim().toLowerCase() ?? ''
  return [instrument.code, showCode, name ?? ''].some((text) => text.toLowerCase().includes(wanted))
}

async function readCandles(
  market: Market,
  asked: { instrumentId: number; period: Period; before: number | null; limit: number },
): Promise<CandleView[] | Refusal> {
  const listed = market.catalogue.byId.get(asked.instrumentId)
  if (!listed) return refuse('unknownInstrument')
  const { code, priceDecimals } = listed.instrument
  const candles = await market.candles.read(asked)
  return candles.map((candle) => ({
    code,
    instrumentId: asked.instrumentId,
    period: asked.period,
    time: candle.time,
    open: fromTicks(candle.open, priceDecimals),
    high: fromTicks(candle.high, priceDecimals),
    low: fromTicks(candle.low, priceDecimals),
    close: fromTicks(candle.close, priceDecimals),
    volume: fromUnits(candle.volume, 0),
  }))
}
