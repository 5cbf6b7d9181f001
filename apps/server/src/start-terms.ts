/** The terms at a start: the first ones of a journal, and what this start changes of those in force. */
import {
  DEPLOYMENT,
  isRejection,
  type Instrument,
  type InstrumentSource,
  type Listing,
  type Seed,
  type State,
  type TermsChange,
  type TradingSettings,
} from '@fairlot/core'
import type { Queries } from './database/open.ts'
import type { Engine, EngineCommand } from './engine/engine.ts'
import { isSameSource, sourceBy, type MarketHours } from './feeds/instrument-source.ts'
import type { OpenFeeds } from './feeds/open-feeds.ts'
import type { InstrumentSeed } from './seed/instrument-seed.ts'
import { listingOfSeed, seedInstruments, seedSessions } from './seed/seed.ts'
import { storedSettings } from './settings/app-settings.ts'
import { DEFAULT_TRADING_SETTINGS, readTradingSettings } from './settings/trading-settings.ts'

/** The settings that a start gives, by name. */
type Given = Readonly<Record<string, string>>

/**
 * What a journal without terms begins with: the seed; or, in a database from before terms were events, what its tables say. Throws an
 * Error that names the setting that is wrong.
 */
export async function firstTerms(queries: Queries, given: Given): Promise<Seed> {
  const kept = await queries.selectFrom('instrument').select('terms').orderBy('id').execute()
  const seeds =
    kept.length > 0 ? kept.map(({ terms }) => JSON.parse(terms) as InstrumentSeed) : seedInstruments()
  const stored = await storedSettings(queries)
  return {
    settings: { ...DEFAULT_TRADING_SETTINGS, ...readTradingSettings({ ...stored, ...given }) },
    instruments: seeds.map(({ instrument }) => instrument),
    listings: new Map(seeds.map((seed) => [seed.instrument.id, listingOfSeed(seed)])),
    sessions: seedSessions(),
  }
}

/** Journals the first terms. Throws an Error that says why they cannot hold. */
export async function adoptTerms(engine: Engine, seed: Seed): Promise<void> {
  const answer = await engine.execute({ type: 'adoptTerms', seed, by: DEPLOYMENT })
  if ('entry' in answer) return
  if (!isRejection(answer)) throw new Error(UNWRITTEN)
  const { field, instrument } = answer.details
  const { accountCurrency } = seed.settings
  throw new Error(
    field === 'accountCurrency'
      ? `The setting SETTING_ACCOUNT_CURRENCY is wrong: no pair turns the money of ${instrument} into ${accountCurrency}.`
      : `The terms to begin with cannot hold: ${field} is out of its range.`,
  )
}

const UNWRITTEN = 'The terms could not be written into the journal.'

/** The sources of a first start. */
export const firstSources = (
  instruments: Iterable<Instrument>,
  feeds: OpenFeeds,
  marketHours: MarketHours,
): Map<number, InstrumentSource> =>
  new Map([...instruments].map(({ id, code }) => [id, sourceBy(feeds.feedOf(code), code, marketHours)]))

/**
 * Journals what this start asks for otherwise than what is in force; nothing where nothing differs. Throws an Error when it asks for
 * another account currency, which never changes.
 */
export async function changeTerms(
  engine: Engine,
  { given, feeds, marketHours }: { given: Given; feeds: OpenFeeds; marketHours: MarketHours },
): Promise<void> {
  const state = engine.state()
  const changes = [
    ...settingsChange(settingsAt(state, feeds.clock.now()), given),
    ...sourceChanges(state, feeds, marketHours),
  ]
  const answers = await Promise.all(
    changes.map((change) =>
      engine.execute({ type: 'setTerms', change, effectiveAt: null, by: DEPLOYMENT } satisfies EngineCommand),
    ),
  )
  for (const answer of answers) {
    if ('entry' in answer) continue
    throw new Error(isRejection(answer) ? `This start cannot change ${answer.details['field']}.` : UNWRITTEN)
  }
}

/** The settings at a moment (epoch ms): those announced for an earlier one are in force with the first entry. */
function settingsAt(state: State, at: number): TradingSettings {
  const due = [...state.announced.values()].filter(({ effectiveAt }) => effectiveAt <= at)
  return due
    .toSorted((a, b) => a.effectiveAt - b.effectiveAt || a.changeId - b.changeId)
    .reduce(
      (settings, { change }) => (change.kind === 'settings' ? change.settings : settings),
      state.settings,
    )
}

function settingsChange(before: TradingSettings, given: Given): TermsChange[] {
  const asked = readTradingSettings(given)
  if (asked.accountCurrency !== undefined && asked.accountCurrency !== before.accountCurrency) {
    throw new Error(
      `The account currency of this deployment is ${before.accountCurrency} and never changes: start without ` +
        'SETTING_ACCOUNT_CURRENCY, or on a database of its own.',
    )
  }
  const names = Object.keys(asked) as (keyof TradingSettings)[]
  const isSame = names.every((name) => asked[name] === before[name])
  return isSame ? [] : [{ kind: 'settings', settings: { ...before, ...asked } }]
}

/** A source that may still price its instrument stays in force until another one does. */
function sourceChanges(
  { instruments, sources }: State,
  feeds: OpenFeeds,
  marketHours: MarketHours,
): TermsChange[] {
  return [...instruments.values()].flatMap(({ id, code }) => {
    const able = feeds.feeds.filter((feed) => feed.covers([code]).length > 0)
    const possible = [...able, ...(able.length === 0 ? [null] : [])].map((feed) =>
      sourceBy(feed, code, marketHours),
    )
    if (possible.some((source) => isSameSource(sources.get(id), source))) return []
    const source = sourceBy(feeds.feedOf(code), code, marketHours)
    return [{ kind: 'source' as const, instrumentId: id, source }]
  })
}

/** An instrument with what is known of it beside its terms. */
export const listingsOf = (state: State): { instrument: Instrument; listing: Listing }[] =>
  [...state.instruments.values()].flatMap((instrument) => {
    const listing = state.listings.get(instrument.id)
    return listing ? [{ instrument, listing }] : []
  })
