/** The terms at a start: the first terms of a journal, and the changes that this start makes to those in force. */
import {
  checkBounds,
  decideTerms,
  DEPLOYMENT,
  isRejection,
  noticeEnd,
  RULES,
  type Instrument,
  type InstrumentSource,
  type Listing,
  type Seed,
  type State,
  type TermsChange,
  type TradingSettings,
} from '@fairlot/core'
import type { Queries } from '../platform/database/open.ts'
import type { Engine, EngineCommand } from '../engine/engine.ts'
import { isSameSource, sourceBy, type MarketHours } from '../market/feeds/feed.ts'
import type { OpenFeeds } from '../market/feeds/open-feeds.ts'
import { type InstrumentSeed, listingOfSeed, seedInstruments, seedSessions } from '../seed/seed.ts'
import { storedSettings } from '../platform/config/app-settings.ts'
import { DEFAULT_TRADING_SETTINGS, readTradingSettings } from '../platform/config/trading-settings.ts'

/** Settings given at the start, by name. */
type Given = Readonly<Record<string, string>>

/**
 * The first terms of a journal: the seed, or what the tables say in a database written before terms were journaled.
 * Throws an Error that names an invalid setting.
 */
export async function firstTerms(queries: Queries, given: Given): Promise<Seed> {
  const kept = await queries.selectFrom('instrument').select('terms').orderBy('id').execute()
  const seeds =
    kept.length > 0 ? kept.map(({ terms }) => JSON.parse(terms) as InstrumentSeed) : seedInstruments()
  const stored = await storedSettings(queries)
  return {
    settings: { ...DEFAULT_TRADING_SETTINGS, ...withinBounds(readTradingSettings({ ...stored, ...given })) },
    instruments: seeds.map(({ instrument }) => instrument),
    listings: new Map(seeds.map((seed) => [seed.instrument.id, listingOfSeed(seed)])),
    sessions: seedSessions(),
  }
}

/** Raises a freshness limit that is below the one operators may set: a fresh deployment has no earlier value to keep. */
const withinBounds = ({ freshnessMs, ...given }: Partial<TradingSettings>): Partial<TradingSettings> => ({
  ...given,
  ...(freshnessMs !== undefined && { freshnessMs: Math.max(freshnessMs, FRESHNESS_MIN_MS) }),
})
const FRESHNESS_MIN_MS = 1_000

/** Journals the first terms. Throws an Error that says why they are invalid. */
export async function adoptTerms(engine: Engine, seed: Seed): Promise<void> {
  const answer = await engine.execute({ type: 'adoptTerms', seed, by: DEPLOYMENT })
  if ('entry' in answer) return
  if (!isRejection(answer)) throw new Error(UNWRITTEN)
  const { field, instrument } = answer.details
  const { accountCurrency } = seed.settings
  throw new Error(
    field === 'accountCurrency'
      ? `The setting SETTING_ACCOUNT_CURRENCY is wrong: no pair turns the money of ${instrument} into ${accountCurrency}.`
      : `The first terms are invalid: ${field} is out of its range.`,
  )
}

const UNWRITTEN = 'The terms could not be written into the journal.'

/** Puts the rules of this version into force where the journal still has older ones; earlier entries keep theirs. */
export async function adoptRules(engine: Engine): Promise<void> {
  if (engine.state().rulesVersion >= RULES) return
  const answer = await engine.execute({ type: 'setRules', rules: RULES, by: DEPLOYMENT })
  if (!('entry' in answer)) throw new Error('The rules could not be written into the journal.')
}

/** The sources of a first start. */
export const firstSources = (
  instruments: Iterable<Instrument>,
  feeds: OpenFeeds,
  marketHours: MarketHours,
): Map<number, InstrumentSource> =>
  new Map([...instruments].map(({ id, code }) => [id, sourceBy(feeds.feedOf(code), code, marketHours)]))

/**
 * Journals the configured terms that differ from those in force. Once a real account holds money, a change that needs
 * two operators is announced with the full notice. Throws an Error for another account currency, which never changes.
 * Returns notes for the log.
 */
export async function changeTerms(
  engine: Engine,
  { given, feeds, marketHours }: { given: Given; feeds: OpenFeeds; marketHours: MarketHours },
): Promise<string[]> {
  const state = engine.state()
  const { timed, notes } = settingsChanges(state, given, feeds.clock.now())
  const changes: Timed[] = [
    ...timed,
    ...sourceChanges(state, feeds, marketHours).map((change) => ({ change, effectiveAt: null })),
  ]
  const answers = await Promise.all(
    changes.map(({ change, effectiveAt }) =>
      engine.execute({ type: 'setTerms', change, effectiveAt, by: DEPLOYMENT } satisfies EngineCommand),
    ),
  )
  for (const answer of answers) {
    if ('entry' in answer) continue
    throw new Error(isRejection(answer) ? `This start cannot change ${answer.details['field']}.` : UNWRITTEN)
  }
  return notes
}

/** A change and when it takes effect, epoch ms; null for at once. */
type Timed = { readonly change: TermsChange; readonly effectiveAt: number | null }

/** The settings at a moment (epoch ms), with the announced ones that are due by then. */
function settingsAt(state: State, at: number): TradingSettings {
  const due = [...state.announced.values()].filter(({ effectiveAt }) => effectiveAt <= at)
  return due
    .toSorted((a, b) => a.effectiveAt - b.effectiveAt || a.changeId - b.changeId)
    .reduce(
      (settings, { change }) => (change.kind === 'settings' ? change.settings : settings),
      state.settings,
    )
}

/** The settings that this start changes: at once, or at the end of the notice period. `at` is now. */
function settingsChanges(state: State, given: Given, at: number): { timed: Timed[]; notes: string[] } {
  const before = settingsAt(state, at)
  const requested = readTradingSettings(given)
  if (requested.accountCurrency !== undefined && requested.accountCurrency !== before.accountCurrency) {
    throw new Error(
      `The account currency of this deployment is ${before.accountCurrency} and never changes: start without ` +
        'SETTING_ACCOUNT_CURRENCY, or on a database of its own.',
    )
  }
  const differing = (Object.keys(requested) as (keyof TradingSettings)[]).filter(
    (name) => requested[name] !== before[name],
  )
  const changed = (names: readonly (keyof TradingSettings)[], of: TradingSettings): TermsChange => ({
    kind: 'settings',
    settings: Object.assign(
      { ...of },
      ...names.map((name) => ({ [name]: requested[name] })),
    ) as TradingSettings,
  })
  const isOutOfBounds = (name: keyof TradingSettings) => checkBounds(state, changed([name], before)) !== null
  const isAnnounced = (name: keyof TradingSettings) =>
    [...state.announced.values()].some(
      ({ change, effectiveAt }) =>
        effectiveAt > at && change.kind === 'settings' && change.settings[name] === requested[name],
    )
  const valid = differing.filter((name) => !isOutOfBounds(name))
  const needingNotice = valid.filter((name) => needsNotice(state, changed([name], before), at))
  const atOnce = valid.filter((name) => !needingNotice.includes(name))
  // A change at once withdraws what was announced, which is then announced again.
  const later = atOnce.length > 0 ? needingNotice : needingNotice.filter((name) => !isAnnounced(name))
  const end = noticeEnd(state, changed(later, before), at) + START_MS
  const withdrawnFrom = atOnce.length > 0 ? at : later.length > 0 ? end : Infinity
  const withdrawn = [...state.announced.values()].filter(
    ({ change, effectiveAt }) => effectiveAt > withdrawnFrom && change.kind === 'settings',
  )
  return {
    timed: [
      ...(atOnce.length > 0 ? [{ change: changed(atOnce, before), effectiveAt: null }] : []),
      ...(later.length > 0
        ? [
            {
              change: changed([...atOnce, ...later], atOnce.length > 0 ? before : settingsAt(state, end)),
              effectiveAt: end,
            },
          ]
        : []),
    ],
    notes: [
      ...differing
        .filter(isOutOfBounds)
        .map((name) => `${name} is out of its bounds: the value in force stays.`),
      ...later.map(
        (name) =>
          `${name} is announced and takes effect at ${new Date(end).toISOString()}: real accounts hold money.`,
      ),
      ...withdrawn.map(
        ({ changeId }) =>
          `The announced change ${changeId} of the settings is withdrawn by those of this start.`,
      ),
    ],
  }
}

/** An upper bound for the time between reading the terms at the start and journaling them, ms. */
const START_MS = 60_000

function needsNotice(state: State, change: TermsChange, at: number): boolean {
  const tried = decideTerms(state, { type: 'setTerms', at, change, effectiveAt: null, by: DEPLOYMENT })
  return isRejection(tried) && tried.rejected === 'noticeTooShort'
}

/** A source that can still price its instrument stays in force. */
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

/** Each instrument with its listing. */
export const listingsOf = (state: State): { instrument: Instrument; listing: Listing }[] =>
  [...state.instruments.values()].flatMap((instrument) => {
    const listing = state.listings.get(instrument.id)
    return listing ? [{ instrument, listing }] : []
  })
