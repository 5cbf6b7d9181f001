import { freshnessOf, seededCore, type Quote, type State } from '@fairlot/core'
import { createHasher, type HashCost, type Hasher } from '../platform/security/password-hash.ts'
import { openVault, sealOpenSecrets } from '../platform/database/data-key.ts'
import { lockDatabase } from '../platform/database/lock.ts'
import { openDatabase, type Database, type Queries } from '../platform/database/open.ts'
import type { Vault } from '../platform/database/vault.ts'
import { passkeysOfOtherDomains } from '../platform/security/passkeys.ts'
import { openToOthers } from '../platform/database/owner-only.ts'
import { startEngine, type Engine, type EngineOptions } from '../engine/engine.ts'
import { readHead } from '../engine/journal/journal.ts'
import { createKeyedMutex, type KeyedMutex } from '../platform/concurrency.ts'
import { createEmitter, type Subscribe } from '../platform/emitter.ts'
import { startInvariantMonitor, type InvariantMonitor } from '../engine/invariant-monitor.ts'
import type { Clock, FeedInstrument } from '../market/feeds/feed.ts'
import { openFeeds } from '../market/feeds/open-feeds.ts'
import { realPace, type Pace } from '../market/feeds/clock.ts'
import type { SourceTermsOf } from '../market/feeds/feed-router.ts'
import { openCategories, type CategoryBook } from '../market/category-book.ts'
import {
  createInstrumentRegistry,
  dayRolloverIn,
  liveHours,
  type InstrumentRegistry,
} from '../market/instrument-registry.ts'
import { createMarket, type Market } from '../market/market.ts'
import { startQuotes } from '../market/quote-store.ts'
import type { Config } from '../platform/config/config.ts'
import { loadAppSettings, type AppSettings, type LiveSettings } from '../platform/config/app-settings.ts'
import { adoptRules, adoptTerms, changeTerms, firstSources, firstTerms, listingsOf } from './start-terms.ts'

/** Everything that runs behind the HTTP server. */
export type Deployment = {
  readonly config: Config
  /** The current settings: operators change them while the server runs. */
  readonly settings: AppSettings
  readonly liveSettings: LiveSettings
  readonly database: Database
  /** Encrypts what must stay secret in a copy of the database. */
  readonly vault: Vault
  /** Hashes the passwords of users and operators; shared, because it limits how many hashes run at once. */
  readonly hasher: Hasher
  readonly engine: Engine
  /** Checks that the figures of the running engine are still consistent. */
  readonly watch: InvariantMonitor
  readonly market: Market
  readonly categories: CategoryBook
  /** Emits when an announced change of payments becomes visible to users. */
  readonly payments: {
    readonly onAnnounced: Subscribe<null>
    announced(): void
    /** By the id of a payout currency: while a withdrawal is requested in it, it does not change. */
    readonly withCurrency: KeyedMutex
  }
  /** The machine's clock, epoch ms, for sessions and mails. The market clock may follow a recording or run ahead. */
  readonly wallClock: () => number
  /** Notes for the operator, printed at the start. */
  readonly notices: readonly string[]
  /** Receives our own bugs and database failures. */
  readonly onError: OnError
  stop(): Promise<void>
}

export type OnError = (error: unknown, doing: string) => void

/** Options that tests, benchmarks and the main program set. */
export type StartOptions = Pick<EngineOptions, 'batchSize' | 'onSteppedDown'> & {
  readonly hashCost?: HashCost | undefined
}

/**
 * Locks the database, opens it, restores the engine and connects it to the feeds. Prices move once `market.start()` is
 * called. Throws an Error whose message names the problem for the operator.
 */
export async function startDeployment(
  config: Config,
  onError: OnError,
  pace: Pace = realPace,
  options: StartOptions = {},
): Promise<Deployment> {
  const takenOver = Promise.withResolvers<string>()
  // Before anything is read: another program may be using the data.
  const lock = await lockDatabase(config, takenOver.resolve)
  const opened: (() => Promise<void>)[] = [lock.release]
  try {
    const database = await openDatabase(config)
    opened.unshift(database.close)
    const deployment = await startOn(database, config, onError, pace, options)
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
  { hashCost, ...options }: StartOptions,
): Promise<Deployment> {
  const { queries } = database
  const wallClock = () => Math.floor(pace.wall())
  const vault = await openVault(queries, config, wallClock())
  await sealOpenSecrets(queries, vault)
  const liveSettings = await loadAppSettings(queries, config.fixedSettings, wallClock)
  const last = await startQuotes(queries)
  // Later events must have later times than everything stored.
  const notBefore = (await lastMoment(queries, last.quotes)) + 1
  let clock: Clock | null = null
  const engine = await startEngine({
    ...options,
    database,
    host: { freshSince: notBefore },
    quotes: last.quotes,
    // The feeds bring the clock: a recording has its own.
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
      notBefore,
      pace,
    })
    if ('problem' in feeds) throw new Error(feeds.problem)
    clock = feeds.clock
    const { marketHours, fixedSettings: given } = config
    if (first)
      await adoptTerms(engine, { ...first, sources: firstSources(first.instruments, feeds, marketHours) })
    const notes = first ? [] : await changeTerms(engine, { given, feeds, marketHours })
    await adoptRules(engine)
    await categories.adopt(engine.state())
    const market = await createMarket({
      queries,
      registry,
      hours: liveHours(engine.state),
      feeds,
      feedInstruments,
      marketHours,
      engine,
      last,
      onError,
    })
    const watch = startInvariantMonitor({
      engine,
      onError,
      onViolation: (violation) => onError(`AN INVARIANT IS BROKEN: ${violation}`, 'checking invariants'),
    })
    const announced = createEmitter<null>((error) => onError(error, 'announcing payments'))
    const stop = () => stopAll([async () => watch.stop(), market.stop, engine.stop], onError)
    return {
      config,
      liveSettings,
      settings: liveSettings.values,
      database,
      vault,
      hasher: createHasher(hashCost),
      engine,
      watch,
      market,
      wallClock,
      categories,
      payments: {
        onAnnounced: announced.subscribe,
        announced: () => announced.emit(null),
        withCurrency: createKeyedMutex(),
      },
      notices: [
        ...feeds.notices,
        ...noticesOfFiles(config),
        ...notes,
        ...(await noticesOfPasskeys(queries, config)),
      ],
      onError,
      stop,
    }
  } catch (error) {
    await engine.stop()
    throw error
  }
}

/** The server removes the rights of other users at each start; where it cannot, the operator has to. */
function noticesOfFiles({ dataDir }: Config): string[] {
  const names = openToOthers(dataDir)
  return names.length === 0
    ? []
    : [`other users of this machine can read ${names.join(', ')} in ${dataDir}: remove their permissions`]
}

async function noticesOfPasskeys(queries: Queries, { passkeys }: Config): Promise<string[]> {
  const useless = await passkeysOfOtherDomains(queries, passkeys)
  return useless === null ? [] : [useless]
}

/** The order of an instrument's sources in the current terms; null when they set none. */
const sourceTermsIn =
  ({ state }: Pick<Engine, 'state'>, registry: InstrumentRegistry): SourceTermsOf =>
  (code) => {
    const instrument = registry.byCode.get(code)?.instrument
    const order = instrument?.sourceOrder ?? []
    return instrument && order.length > 0 ? { order, freshnessMs: freshnessOf(state(), instrument) } : null
  }

/** The latest moment in the journal and the stored prices, epoch ms. Prices are saved on a timer, so they may lag behind the journal. */
async function lastMoment(queries: Queries, quotes: readonly Quote[]): Promise<number> {
  const { at } = await readHead(queries)
  return quotes.reduce((latest, quote) => Math.max(latest, quote.receivedAt), at)
}

/** Stops every part, even when one of them fails to stop, such as a lost database. */
async function stopAll(parts: readonly (() => Promise<void>)[], onError: OnError): Promise<void> {
  for (const stop of parts) {
    try {
      await stop()
    } catch (error) {
      onError(error, 'stopping')
    }
  }
}

/** Feeds read the instruments once, at the start: a new instrument is simulated from the next start on. */
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
      dayRollover: dayRolloverIn(state, instrument.session),
    }
  })
}

/** Simulated prices continue where they stopped. */
function lastMids({ instruments }: State, quotes: readonly Quote[]): Map<string, number> {
  const mids = quotes.flatMap((quote) => {
    const instrument = instruments.get(quote.instrumentId)
    return instrument
      ? [[instrument.code, (quote.bid + quote.ask) / 2 / 10 ** instrument.priceDecimals] as const]
      : []
  })
  return new Map(mids)
}
