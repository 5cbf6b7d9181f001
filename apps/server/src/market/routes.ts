import {
  CANDLES_DEFAULT,
  CANDLES_RECENT,
  getWatchList,
  isSearchedFor,
  listCandles,
  listCategories,
  listInstruments,
  listRecentCandles,
  listTermsChanges,
  listTermsVersions,
  searchedNames,
  setWatched,
  type BasicInfo,
  type Candle as CandleView,
  type Category,
  type InstrumentListing,
  type TermsChange,
} from '@fairlot/contract'
import { fromTicks, fromUnits, type Period } from '@fairlot/core'
import type { Engine } from '../engine/engine.ts'
import type { Queries } from '../platform/database/open.ts'
import type { Api } from '../platform/http/api.ts'
import type { InitialPageDataOf } from '../platform/http/first-page.ts'
import {
  languageCodeOf,
  languageOf,
  tagOf,
  translatorFor,
  type LanguageCode,
  type Translate,
} from '../platform/i18n/translate.ts'
import { isRefusal, refuse, type Refusal } from '../platform/refusal.ts'
import { nameOf } from './category-book.ts'
import type { InstrumentRegistry, RegisteredInstrument } from './instrument-registry.ts'
import { listingOf } from './listing.ts'
import type { Market } from './market.ts'
import { listAnnounced, readTermsVersions } from './terms-history.ts'

/** The sources of announced changes: terms, and what is announced like terms. */
export type TermsSource = {
  readonly queries: Queries
  readonly engine: Engine
  readonly otherChanges: () => Promise<TermsChange[]>
}

export function registerMarket(
  api: Api,
  market: Market,
  { queries, engine, otherChanges }: TermsSource,
): void {
  api.visitor(listInstruments, ({ input, language }) => listingsOf(market, input.search, language))

  api.visitor(listCategories, ({ language }) => categoriesOf(market, language))

  api.visitor(listTermsChanges, async () => {
    const terms = await listAnnounced(queries, engine, market.now())
    return isRefusal(terms) ? terms : [...terms, ...(await otherChanges())]
  })

  api.visitor(listTermsVersions, ({ input }) => readTermsVersions({ queries, engine }, input))

  api.visitor(listCandles, ({ input }) =>
    readCandles(market, { ...input, limit: input.limit ?? CANDLES_DEFAULT }),
  )

  api.visitor(listRecentCandles, ({ input }) =>
    readCandles(market, { ...input, before: null, limit: CANDLES_RECENT }),
  )
}

/** Every enabled instrument that is searched for. */
const listingsOf = (
  market: Market,
  search: string | null,
  language: LanguageCode = 'en',
): InstrumentListing[] =>
  market.registry.instruments
    .filter((listed) => listed.instrument.isEnabled && (search === null || matches(listed, search, language)))
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

/** Categories with at least one instrument. */
function categoriesOf({ registry }: Market, language: LanguageCode): Category[] {
  const used = new Set(registry.instruments.map(({ categoryId }) => categoryId))
  return registry.categories
    .filter(({ id }) => used.has(id))
    .map((category) => ({ id: category.id, name: nameOf(category, language) }))
}

/** The data of the app's first page. */
export const initialPageData =
  (market: Market, basicInfoOf: (translate: Translate) => Promise<BasicInfo>): InitialPageDataOf =>
  async (language) => {
    const basicInfo = await basicInfoOf(translatorFor(languageOf(language)))
    return {
      instruments: listingsOf(market, null),
      categories: categoriesOf(market, languageCodeOf(language)),
      basicInfo,
    }
  }

/** Searches code, shown code and name; of a pair the names of its currencies, in the caller's language and in English. */
const matches = (
  { instrument, showCode, name }: RegisteredInstrument,
  search: string,
  language: LanguageCode,
): boolean => {
  const names = searchedNames({ ...instrument, name }, tagOf(language))
  return isSearchedFor([instrument.code, showCode, ...names], search)
}

async function readCandles(
  market: Market,
  query: { instrumentId: number; period: Period; before: number | null; limit: number },
): Promise<CandleView[] | Refusal> {
  const listed = market.registry.byId.get(query.instrumentId)
  if (!listed) return refuse('unknownInstrument')
  const { code, priceDecimals } = listed.instrument
  const candles = await market.candles.read(query)
  return candles.map((candle) => ({
    code,
    instrumentId: query.instrumentId,
    period: query.period,
    time: candle.time,
    open: fromTicks(candle.open, priceDecimals),
    high: fromTicks(candle.high, priceDecimals),
    low: fromTicks(candle.low, priceDecimals),
    close: fromTicks(candle.close, priceDecimals),
    volume: fromUnits(candle.volume, 0),
  }))
}

/** A user's own list of instruments. */
export function registerWatchList(api: Api, queries: Queries, registry: InstrumentRegistry): void {
  const listOf = async (userId: number) => {
    const rows = await queries
      .selectFrom('watched_instrument')
      .select('instrument_id')
      .where('user_id', '=', BigInt(userId))
      .orderBy('instrument_id')
      .execute()
    return { instrumentIds: rows.map((row) => Number(row.instrument_id)) }
  }

  api.user(getWatchList, ({ user }) => listOf(user.id))

  api.user(setWatched, async ({ user, input: { instrumentIds, isWatched } }) => {
    if (!instrumentIds.every((id) => registry.byId.has(id))) return refuse('unknownInstrument')
    await setRows(queries, user.id, new Set(instrumentIds), isWatched)
    return listOf(user.id)
  })
}

async function setRows(
  queries: Queries,
  userId: number,
  instrumentIds: ReadonlySet<number>,
  isWatched: boolean,
): Promise<void> {
  const ids = [...instrumentIds].map(BigInt)
  if (ids.length === 0) return
  const user_id = BigInt(userId)
  if (isWatched)
    await queries
      .insertInto('watched_instrument')
      .values(ids.map((instrument_id) => ({ user_id, instrument_id })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  else
    await queries
      .deleteFrom('watched_instrument')
      .where('user_id', '=', user_id)
      .where('instrument_id', 'in', ids)
      .execute()
}
