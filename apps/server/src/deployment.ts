import type { Quote } from '@fairlot/core'
import { dayTurnOf, type SessionCalendar } from '@fairlot/core'
import { openDatabase, type Database } from './database/open.ts'
import { startEngine, type Engine } from './engine/engine.ts'
import type { FeedInstrument } from './feeds/feed.ts'
import { openFeeds, type OpenFeeds } from './feeds/open-feeds.ts'
import { loadCatalogue, type Catalogue } from './market/catalogue.ts'
import { createMarket, type Market } from './market/market.ts'
import { createOpeningHours } from './market/opening-hours.ts'
import { loadQuotes } from './market/quote-store.ts'
import type { Config } from './plugins/config.ts'
import { seedCalendar } from './seed/seed.ts'
import { loadAppSettings, type AppSettings } from './settings/app-settings.ts'

/** Everything that runs behind the HTTP server, in the order in which it starts. */
export type Deployment = {
  readonly config: Config
  readonly settings: AppSettings
  readonly database: Database
  readonly engine: Engine
  readonly market: Market
  /** What an operator should know at start. */
  readonly notices: readonly string[]
  stop(): Promise<void>
}

/** A setting that stops the start; its message is the sentence for the operator. */
export class SettingError extends Error {}

export type OnError = (error: unknown, doing: string) => void

/** Opens the database, rebuilds the engine, and connects it to the feeds. Prices move once `market.start()` is called. */
export async function startDeployment(config: Config, onError: OnError): Promise<Deployment> {
  const database = await openDatabase(config)
  const { queries } = database
  const settings = await loadAppSettings(queries, config.fixedSettings)
  const catalogue = await loadCatalogue(queries)
  const calendar = seedCalendar()
  const lastQuotes = await loadQuotes(queries)
  const feedInstruments = toFeedInstruments(catalogue, calendar)
  const feeds = await openFeeds(config.feed, {
    instruments: feedInstruments,
    startFrom: lastMids(catalogue, lastQuotes),
    notBefore: lastQuotes.reduce((latest, quote) => Math.max(latest, quote.receivedAt), 0),
  })
  if ('problem' in feeds) throw new SettingError(feeds.problem)
  const hours = createOpeningHours(calendar, config.marketHours, feeds.feedOf)
  const engine = await startEngine({
    database,
    world: {
      settings: {
        accountCurrency: settings.account_currency,
        feeType: settings.fee_type,
        demoBalance: settings.demo_balance,
        freshnessMs: settings.freshness_ms,
      },
      instruments: tradedInstruments(catalogue, feeds),
      isOpen: hours.isOpen,
    },
    now: () => feeds.clock.now(),
    onError,
  })
  for (const quote of lastQuotes) engine.state().quotes.set(quote.instrumentId, quote)
  const market = await createMarket({
    queries,
    catalogue,
    calendar,
    hours,
    feeds,
    feedInstruments,
    engine,
    lastQuotes,
    onError,
  })
  const stop = async () => {
    await market.stop()
    await engine.stop()
    await database.close()
  }
  return { config, settings, database, engine, market, notices: feeds.notices, stop }
}

/** The core's instruments; where a source is quiet by nature its quotes count longer. */
const tradedInstruments = (catalogue: Catalogue, feeds: OpenFeeds) =>
  catalogue.instruments.map(({ instrument }) => {
    const freshnessMs = feeds.feedOf(instrument.code)?.freshnessMs(instrument.code) ?? null
    return freshnessMs === null ? instrument : { ...instrument, freshnessMs }
  })

function toFeedInstruments(catalogue: Catalogue, calendar: SessionCalendar): FeedInstrument[] {
  return catalogue.instruments.map(({ instrument, category, ...typical }) => {
    const unit = 10 ** instrument.priceDecimals
    const session = calendar.get(instrument.session)
    return {
      code: instrument.code,
      category,
      baseCurrency: instrument.baseCurrency,
      quoteCurrency: instrument.quoteCurrency,
      priceDecimals: instrument.priceDecimals,
      typicalSpread: typical.typicalSpread / unit,
      referencePrice: typical.referencePrice / unit,
      yearlyVolatility: typical.yearlyVolatility / 1e6,
      dayTurn: session ? dayTurnOf(session) : 'utcMidnight',
    }
  })
}

/** Simulated prices go on where they stopped. */
function lastMids(catalogue: Catalogue, quotes: readonly Quote[]): Map<string, number> {
  const mids = quotes.flatMap((quote) => {
    const instrument = catalogue.byId.get(quote.instrumentId)?.instrument
    return instrument
      ? [[instrument.code, (quote.bid + quote.ask) / 2 / 10 ** instrument.priceDecimals] as const]
      : []
  })
  return new Map(mids)
}
