import {
  type DayRollover,
  dayRolloverOf,
  type Instrument,
  type InstrumentSource,
  type Listing,
  type MarketStatus,
  openingHours,
  type State,
  type TradingSettings,
} from '@fairlot/core'
import type { Engine } from '../engine/engine.ts'
import { CATEGORIES } from '../seed/seed.ts'
import { freeId, type Category, type CategoryBook } from './category-book.ts'

export type RegisteredInstrument = Listing & {
  readonly instrument: Instrument
  readonly categoryId: number
}

/** All instruments with the terms in force. Do not keep a copy: it changes with the terms. */
export type InstrumentRegistry = {
  readonly settings: TradingSettings
  /** All categories in order, also empty ones. */
  readonly categories: readonly Category[]
  /** All instruments, highest rank first; disabled ones too, as they may have open positions. */
  readonly instruments: readonly RegisteredInstrument[]
  readonly byId: ReadonlyMap<number, RegisteredInstrument>
  readonly byCode: ReadonlyMap<string, RegisteredInstrument>
  /** The boundary of an instrument's trading day. */
  dayRolloverOf(instrument: Instrument): DayRollover
}

const TERMS_EVENTS: ReadonlySet<string> = new Set(['termsSet', 'termsTookEffect'])

/** The registry of the engine's current terms; a change shows once it is in the journal. */
export function createInstrumentRegistry(
  { state, onCommitted }: Pick<Engine, 'state' | 'onCommitted'>,
  book: Pick<CategoryBook, 'all'>,
): InstrumentRegistry {
  let [known, knownCategories] = [state(), book.all()]
  let terms = termsOf(known, knownCategories)
  const refresh = () => {
    ;[known, knownCategories] = [state(), book.all()]
    terms = termsOf(known, knownCategories)
  }
  onCommitted(({ entry }) => {
    if (entry.events.some(({ type }) => TERMS_EVENTS.has(type))) refresh()
  })
  /** Refreshes also after a recovery, which replaces the engine's state. */
  const now = () => {
    if (state() !== known || book.all() !== knownCategories) refresh()
    return terms
  }
  return {
    get settings() {
      return now().settings
    },
    get categories() {
      return now().categories
    },
    get instruments() {
      return now().instruments
    },
    get byId() {
      return now().byId
    },
    get byCode() {
      return now().byCode
    },
    dayRolloverOf: ({ session }) => dayRolloverIn(state(), session),
  }
}

/** The boundary of a session's trading day; UTC midnight for an unknown session. */
export function dayRolloverIn({ calendar }: Pick<State, 'calendar'>, sessionName: string): DayRollover {
  const session = calendar.get(sessionName)
  return session ? dayRolloverOf(session) : 'utcMidnight'
}

function termsOf(state: State, knownCategories: readonly Category[]) {
  const listed = [...state.instruments.values()]
    .map((instrument) => ({ instrument, ...(state.listings.get(instrument.id) ?? unlisted(instrument)) }))
    .toSorted((a, b) => b.sort - a.sort || a.instrument.id - b.instrument.id)
  const categories = [...knownCategories, ...unknownCategories(listed, knownCategories)]
  const idOf = new Map(categories.map(({ id, code }) => [code, id]))
  const instruments = listed.map((one) => ({ ...one, categoryId: idOf.get(one.category) ?? 0 }))
  return {
    settings: state.settings,
    categories,
    instruments,
    byId: new Map(instruments.map((one) => [one.instrument.id, one])),
    byCode: new Map(instruments.map((one) => [one.instrument.code, one])),
  }
}

/** Categories that terms name but that are not set up come last, by code. */
function unknownCategories(listed: readonly Listing[], knownCategories: readonly Category[]): Category[] {
  const known = new Set(knownCategories.map(({ code }) => code))
  const codes = [...new Set(listed.map(({ category }) => category))].filter((code) => !known.has(code))
  return codes
    .toSorted()
    .map((code, index) => ({ id: freeId(knownCategories) + index, code, names: null, version: 0 }))
}

/** The default listing of an instrument. */
const unlisted = ({ code, minStopDistance }: Instrument): Listing => ({
  showCode: code,
  name: code,
  category: CATEGORIES[0],
  logo: '',
  sort: 0,
  pricePip: 1,
  typicalSpread: minStopDistance,
  referencePrice: 0,
  yearlyVolatility: 0,
})

/** The trading hours of instruments by the terms in force. */
export type OpeningHours = {
  /** `at` is epoch ms on the market clock; the hours are those of `source`, or of the one in force. */
  status(instrument: Instrument, at: number, source?: InstrumentSource): MarketStatus
}

/** The hours of the engine's current state, which a recovery replaces. */
export function liveHours(state: () => Pick<State, 'calendar' | 'sources'>): OpeningHours {
  let known: State['calendar'] | null = null
  let hoursOf = openingHours(new Map(), new Map())
  return {
    status: (instrument, at, source) => {
      const { calendar, sources } = state()
      if (calendar !== known) {
        known = calendar
        hoursOf = openingHours(calendar, sources)
      }
      return hoursOf(instrument, at, source)
    },
  }
}
