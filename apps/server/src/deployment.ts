import { freshnessOf, seededCore, type Quote, type State } from '@fairlot/core'
import { openVault } from './database/data-key.ts'
import { lockDatabase } from './database/lock.ts'
import { openDatabase, type Database, type Queries } from './database/open.ts'
import { sealOpenSecrets } from './database/seal-secrets.ts'
import type { Vault } from './database/vault.ts'
import { startEngine, type Engine, type EngineOptions } from './engine/engine.ts'
import { readHead } from './engine/journal/journal.ts'
import { startInvariantMonitor, type InvariantMonitor } from './engine/invariant-monitor.ts'
import type { Clock, FeedInstrument } from './feeds/feed.ts'
import { openFeeds } from './feeds/open-feeds.ts'
import { realPace, type Pace } from './feeds/pace.ts'
import type { SourceTermsOf } from './feeds/source-order.ts'
import { openCategories, type CategoryBook } from './market/category-book.ts'
import {
  createInstrumentRegistry,
  dayTurnIn,
  liveHours,
  type InstrumentRegistry,
} from './market/instrument-registry.ts'
import { createMarket, type Market } from './market/market.ts'
import { startQuotes } from './market/quote-store.ts'
import type { Config } from './config/config.ts'
import { loadAppSettings, type AppSettings, type LiveSettings } from './settings/app-settings.ts'
import { adoptTerms, changeTerms, firstSources, firstTerms, listingsOf } from './start-terms.ts'

/** Everything that runs behind the HTTP server, in the order in which it starts. */
export type Deployment = {
  readonly config: Config
  /** What is in force: operators change it while the server runs. */
  readonly settings: AppSettings
  readonly liveSettings: LiveSettings
  readonly database: Database
  /** Encrypts what nobody should read in a copy of the database. */
  readonly vault: Vault
  readonly engine: Engine
  /** Looks whether the figures of the living engine still fit together. */
  readonly watch: InvariantMonitor
  readonly market: Market
  readonly categories: CategoryBook
  /** The machine's clock, epoch ms, for what concerns people: the market clock may be that of a recording, or ahead. */
  readonly wallClock: () => number
  /** What an operator should know at start. */
  readonly notices: readonly string[]
  /** Told of our own bugs and of trouble with the database. */
  readonly onError: OnError
  stop(): Promise<void>
}

export type OnError = (error: unknown, doing: string) => void

/** What a bench or the program that runs it may want to say about the engine. */
export type EngineTerms = Pick<EngineOptions, 'batchSize' | 'onSteppedDown'>

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
  const wallClock = () => Math.floor(pace.wall())
  const vault = await openVault(queries, config, wallClock())
  await sealOpenSecrets(queries, vault)
  const liveSettings = await loadAppSettings(queries, config.fixedSettings)
  const last = await startQuotes(queries)
  // Whatever comes from now on is later than all that has been.
  const notBefore = (await lastMoment(queries, last.quotes)) + 1
  let clock: Clock | null = null
  const engine = await startEngine({
    ...terms,
    database,
    host: { freshSince: notBefore },
    quotes: last.quotes,
    // Time stands still until the feeds are open: a recording brings its own.
    now: () => clock?.now() ?? 0,
    onError,
  })
  try {
    const first = engine.state().termsVersion === 0 ? await firstTerms(queries, config.fixedSettings) : null
    const feedInstruments = toFeedInstruments(first ? seededCore(first).state : engine.state())
    const categories = await openCategories(queries, onError)
    const registry = createInstrumentRegistry(engine, categories)
    const feeds = await openFeeds(config.feed, {
      instruments: feedInstruments,
      sourceTermsOf: sourceTermsIn(engine, registry),
      startFrom: lastMids(engine.state(), last.quotes),
      ...{ notBefore, pace },
    })
    if ('problem' in feeds) throw new Error(feeds.problem)
    clock = feeds.clock
    const { marketHours, fixedSettings: given } = config
    if (first)
      await adoptTerms(engine, { ...first, sources: firstSources(first.instruments, feeds, marketHours) })
    else await changeTerms(engine, { given, feeds, marketHours })
    await categories.adopt(engine.state())
    const market = await createMarket({
      ...{ queries, registry, hours: liveHours(engine.state) },
      ...{ feeds, feedInstruments, marketHours, engine, last, onError },
    })
    const watch = startInvariantMonitor({
      ...{ engine, onError },
      onViolation: (violation) => onError(`AN INVARIANT IS BROKEN: ${violation}`, 'watching the engine'),
    })
    const stop = () => stopAll([async () => watch.stop(), market.stop, engine.stop], onError)
    return {
      ...{ config, liveSettings, settings: liveSettings.values, database, vault, engine, watch, market },
      ...{ wallClock, categories },
      ...{ notices: feeds.notices, onError, stop },
    }
  } catch (error) {
    await engine.stop()
    throw error
  }
}

/** The order of an instrument's sources by the terms in force. */
const sourceTermsIn =
  ({ state }: Pick<Engine, 'state'>, registry: InstrumentRegistry): SourceTermsOf =>
  (code) => {
    const instrument = registry.byCode.get(code)?.instrument
    const order = instrument?.sourceOrder ?? []
    return instrument && order.length > 0 ? { order, freshnessMs: freshnessOf(state(), instrument) } : null
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

/** What feeds have to know is taken at the start: an instrument that comes later is simulated from the next one on. */
function toFeedInstruments(state: State): FeedInstrument[] {
  return listingsOf(state).map(({ instrument, listing }) => {
    const unit = 10 ** instrument.priceDecimals
    return {
      code: instrument.code,
      category: listing.category,
      baseCurrency: instrument.baseCurrency,
      quoteCurrency: instrument.quoteCurrency,
      priceDecimals: instrument.priceDecimals,
      typicalSpread: listing.typicalSpread / unit,
      referencePrice: listing.referencePrice / unit,
      yearlyVolatility: listing.yearlyVolatility / 1e6,
      dayTurn: dayTurnIn(state, instrument.session),
    }
  })
}

/** Simulated prices go on where they stopped. */
function lastMids({ instruments }: State, quotes: readonly Quote[]): Map<string, number> {
  const mids = quotes.flatMap((quote) => {
    const instrument = instruments.get(quote.instrumentId)
    return instrument
      ? [[instrument.code, (quote.bid + quote.ask) / 2 / 10 ** instrument.priceDecimals] as const]
      : []
  })
  return new Map(mids)
}
