import { dayTurnOf, type Quote, type SessionCalendar, type TradingSettings } from '@fairlot/core'
import { lockDatabase } from './database/lock.ts'
import { openDatabase, type Database, type Queries } from './database/open.ts'
import { startEngine, type Engine, type EngineOptions } from './engine/engine.ts'
import { readHead } from './engine/journal.ts'
import { startWatch, type Watch } from './engine/watch.ts'
import type { FeedInstrument } from './feeds/feed.ts'
import { openFeeds, type OpenFeeds } from './feeds/open-feeds.ts'
import { realPace, type Pace } from './feeds/pace.ts'
import { loadCatalogue, type Catalogue } from './market/catalogue.ts'
import { createMarket, type Market } from './market/market.ts'
import { createOpeningHours } from './market/opening-hours.ts'
import { startQuotes } from './market/quote-store.ts'
import type { Config } from './plugins/config.ts'
import { seedCalendar } from './seed/seed.ts'
import { loadAppSettings, type AppSettings } from './settings/app-settings.ts'

/** Everything that runs behind the HTTP server, in the order in which it starts. */
export type Deployment = {
  readonly config: Config
  readonly settings: AppSettings
  readonly database: Database
  readonly engine: Engine
  /** Looks whether the figures of the living engine still fit together. */
  readonly watch: Watch
  readonly market: Market
  /** Real time, epoch ms, for what concerns people: the market clock may be that of a recording. */
  readonly wallClock: () => number
  /** What an operator should know at start. */
  readonly notices: readonly string[]
  /** Told of our own bugs and of trouble with the database. */
  readonly onError: OnError
  stop(): Promise<void>
}

export type OnError = (error: unknown, doing: string) => void

/** What a bench or the program that runs it may want to say about the engine. */
type EngineTerms = Pick<EngineOptions, 'batchSize' | 'onSteppedDown'>

/**
 * Takes the database for itself, opens it, rebuilds the engine, and connects it to the feeds. Prices move once
 * `market.start()` is called. Throws an Error whose message tells the operator what is wrong.
 */
export async function startDeployment(
  config: Config,
  onError: OnError,
  pace: Pace = realPace,
  terms: EngineTerms = {},
): Promise<Deployment> {
  const takenOver = Promise.withResolvers<string>()
  // Before anything else: what is there may belong to a program that runs.
  const lock = await lockDatabase(config, takenOver.resolve)
  const opened: (() => Promise<void>)[] = [lock.release]
  try {
    const database = await openDatabase(config)
    opened.unshift(database.close)
    const deployment = await startOn(database, config, onError, pace, terms)
    void takenOver.promise.then(deployment.engine.stepDown)
    return { ...deployment, stop: () => stopAll([deployment.stop, ...opened], onError) }
  } catch (error) {
    await stopAll(opened, onError)
    throw error
  }
}

async function startOn(
  database: Database,
  config: Config,
  onError: OnError,
  pace: Pace,
  terms: EngineTerms,
): Promise<Deployment> {
  const { queries } = database
  const settings = await loadAppSettings(queries, config.fixedSettings)
  const catalogue = await loadCatalogue(queries)
  const calendar = seedCalendar()
  const last = await startQuotes(queries, [...catalogue.byId.keys()])
  const feedInstruments = toFeedInstruments(catalogue, calendar)
  const feeds = await openFeeds(config.feed, {
    instruments: feedInstruments,
    startFrom: lastMids(catalogue, last.quotes),
    notBefore: await lastMoment(queries, last.quotes),
    pace,
  })
  if ('problem' in feeds) throw new Error(feeds.problem)
  const hours = createOpeningHours(calendar, config.marketHours, feeds.feedOf)
  const engine = await startEngine({
    ...terms,
    database,
    world: {
      settings: tradingSettings(settings),
      instruments: tradedInstruments(catalogue, feeds),
      isOpen: hours.isOpen,
      freshSince: feeds.clock.now(),
    },
    quotes: last.quotes,
    now: () => feeds.clock.now(),
    onError,
  })
  const market = await createMarket({
    ...{ queries, catalogue, calendar, hours, feeds, feedInstruments },
    ...{ engine, last, onError },
  })
  const watch = startWatch({
    ...{ engine, onError },
    onViolation: (violation) => onError(`AN INVARIANT IS BROKEN: ${violation}`, 'watching the engine'),
  })
  const stop = () => stopAll([async () => watch.stop(), market.stop, engine.stop], onError)
  const wallClock = () => Math.floor(pace.now())
  return {
    config,
    settings,
    database,
    engine,
    watch,
    market,
    wallClock,
    notices: feeds.notices,
    onError,
    stop,
  }
}

/** The latest this market has seen, epoch ms: prices are saved by a timer, so a decision may be later than all of them. */
async function lastMoment(queries: Queries, quotes: readonly Quote[]): Promise<number> {
  const { at } = await readHead(queries)
  return quotes.reduce((latest, quote) => Math.max(latest, quote.receivedAt), at)
}

/** One part that cannot end in order, as when the database has gone, keeps none of the others from it. */
async function stopAll(parts: readonly (() => Promise<void>)[], onError: OnError): Promise<void> {
  for (const stop of parts) {
    try {
      await stop()
    } catch (error) {
      onError(error, 'stopping')
    }
  }
}

/** What the settings in force say about trading. */
export const tradingSettings = (settings: AppSettings): TradingSettings => ({
  accountCurrency: settings.account_currency,
  feeType: settings.fee_type,
  demoBalance: settings.demo_balance,
  freshnessMs: settings.freshness_ms,
  stopOutLevel: settings.stop_out_level,
})

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
