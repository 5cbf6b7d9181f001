import {
  CANDLES_DEFAULT,
  CANDLES_RECENT,
  listCandles,
  listCategories,
  listInstruments,
  listRecentCandles,
  listTermsChanges,
  type BasicInfo,
  type Candle as CandleView,
  type Category,
  type InstrumentListing,
} from '@fairlot/contract'
import { fromTicks, fromUnits, type Period } from '@fairlot/core'
import type { Queries } from '../database/open.ts'
import type { Engine } from '../engine/engine.ts'
import type { Api } from '../http/api.ts'
import type { FirstDataOf } from '../http/first-page.ts'
import {
  languageCodeOf,
  languageOf,
  translatorFor,
  type LanguageCode,
  type Translate,
} from '../i18n/translate.ts'
import { refuse, type Refusal } from '../http/refusal.ts'
import { listAnnounced } from './announced-terms.ts'
import { nameOf } from './category-book.ts'
import type { RegisteredInstrument } from './instrument-registry.ts'
import { listingOf } from './listing.ts'
import type { Market } from './market.ts'

/** Where announced changes of terms are looked up. */
export type TermsSource = { readonly queries: Queries; readonly engine: Engine }

export function registerMarket(api: Api, market: Market, { queries, engine }: TermsSource): void {
  api.visitor(listInstruments, ({ input }) => listingsOf(market, input.search))

  api.visitor(listCategories, ({ language }) => categoriesOf(market, language))

  api.visitor(listTermsChanges, () => listAnnounced(queries, engine))

  api.visitor(listCandles, ({ input }) =>
    readCandles(market, { ...input, limit: input.limit ?? CANDLES_DEFAULT }),
  )

  api.visitor(listRecentCandles, ({ input }) =>
    readCandles(market, { ...input, before: null, limit: CANDLES_RECENT }),
  )
}

/** Every enabled instrument whose code or name holds the text. */
const listingsOf = (market: Market, search: string | null): InstrumentListing[] =>
  market.registry.instruments
    .filter((listed) => listed.instrument.isEnabled && matches(listed, search))
    .map((listed) =>
      listingOf(listed, {
        quote: market.quoteOf(listed.instrument.id),
        day: market.candles.current(listed.instrument.id, '1day'),
        source: market.sourceOf(listed.instrument.id),
        hours: market.hours,
        haltReason: market.haltReasonOf(listed.instrument.id),
        freshnessMs: market.freshnessMs(listed.instrument.id),
        barsSince: market.barsSince(listed.instrument.id),
        at: market.now(),
      }),
    )

/** Those that something is in: a chip that leads to nothing is none. */
function categoriesOf({ registry }: Market, language: LanguageCode): Category[] {
  const used = new Set(registry.instruments.map(({ categoryId }) => categoryId))
  return registry.categories
    .filter(({ id }) => used.has(id))
    .map((category) => ({ id: category.id, name: nameOf(category, language) }))
}

/** What the first page of the app shows. */
export const firstDataOf =
  (market: Market, basicInfoOf: (translate: Translate) => Promise<BasicInfo>): FirstDataOf =>
  async (language) => {
    const basicInfo = await basicInfoOf(translatorFor(languageOf(language)))
    return {
      instruments: listingsOf(market, null),
      categories: categoriesOf(market, languageCodeOf(language)),
      basicInfo,
    }
  }

/** A part of the code, the shown code or the name, whatever the case. */
function matches({ instrument, showCode, name }: RegisteredInstrument, search: string | null): boolean {
  const wanted = search?.trim().toLowerCase() ?? ''
  return [instrument.code, showCode, name ?? ''].some((text) => text.toLowerCase().includes(wanted))
}

async function readCandles(
  market: Market,
  asked: { instrumentId: number; period: Period; before: number | null; limit: number },
): Promise<CandleView[] | Refusal> {
  const listed = market.registry.byId.get(asked.instrumentId)
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
