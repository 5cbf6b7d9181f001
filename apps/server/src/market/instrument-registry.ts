import {
  type DayTurn,
  dayTurnOf,
  type Instrument,
  type Listing,
  type MarketStatus,
  openingHours,
  type State,
  type TradingSettings,
} from '@fairlot/core'
import type { Engine } from '../engine/engine.ts'
import { CATEGORIES } from '../seed/instrument-seed.ts'
import { freeId, type Category, type CategoryBook } from './category-book.ts'

export type RegisteredInstrument = Listing & {
  readonly instrument: Instrument
  readonly categoryId: number
}

/** All instruments with the terms in force. Read it anew each time: it changes with the terms. */
export type InstrumentRegistry = {
  readonly settings: TradingSettings
  /** In their order, those that no instrument is in too. */
  readonly categories: readonly Category[]
  /** Everything there is, highest rank first; what is switched off too, for positions may be left in it. */
  readonly instruments: readonly RegisteredInstrument[]
  readonly byId: ReadonlyMap<number, RegisteredInstrument>
  readonly byCode: ReadonlyMap<string, RegisteredInstrument>
  /** Where the trading day of an instrument turns. */
  dayTurnOf(instrument: Instrument): DayTurn
}

const TERMS_EVENTS: ReadonlySet<string> = new Set(['termsSet', 'termsTookEffect'])

/** What is on offer by the terms in force; a change shows once it is in the journal. */
export function createInstrumentRegistry(
  { state, onCommitted }: Pick<Engine, 'state' | 'onCommitted'>,
  book: Pick<CategoryBook, 'all'>,
): InstrumentRegistry {
  let [seen, called] = [state(), book.all()]
  let terms = termsOf(seen, called)
  const refresh = () => {
    ;[seen, called] = [state(), book.all()]
    terms = termsOf(seen, called)
  }
  onCommitted(({ entry }) => {
    if (entry.events.some(({ type }) => TERMS_EVENTS.has(type))) refresh()
  })
  /** After a recovery the memory is another one. */
  const now = () => {
    if (state() !== seen || book.all() !== called) refresh()
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
    dayTurnOf: ({ session }) => dayTurnIn(state(), session),
  }
}

/** Where the trading day of a session turns; one that nobody knows is that of a market without a home. */
export function dayTurnIn({ calendar }: Pick<State, 'calendar'>, sessionName: string): DayTurn {
  const session = calendar.get(sessionName)
  return session ? dayTurnOf(session) : 'utcMidnight'
}

function termsOf(state: State, called: readonly Category[]) {
  const listed = [...state.instruments.values()]
    .map((instrument) => ({ instrument, ...(state.listings.get(instrument.id) ?? unlisted(instrument)) }))
    .toSorted((a, b) => b.sort - a.sort || a.instrument.id - b.instrument.id)
  const categories = [...called, ...uncalled(listed, called)]
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

/** Categories that terms name and nobody has set up stand last, by their codes. */
function uncalled(listed: readonly Listing[], called: readonly Category[]): Category[] {
  const known = new Set(called.map(({ code }) => code))
  const codes = [...new Set(listed.map(({ category }) => category))].filter((code) => !known.has(code))
  return codes
    .toSorted()
    .map((code, index) => ({ id: freeId(called) + index, code, names: null, version: 0 }))
}

/** What an instrument is shown as that nobody has written a listing for. */
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

/** When each instrument trades, by the terms in force. */
export type OpeningHours = {
  /** `at` is epoch ms on the market clock. */
  status(instrument: Instrument, at: number): MarketStatus
}

/** The hours of the engine's memory as it stands; a recovery replaces it. */
export function liveHours(state: () => Pick<State, 'calendar' | 'sources'>): OpeningHours {
  let known: State['calendar'] | null = null
  let hoursOf = openingHours(new Map(), new Map())
  return {
    status: (instrument, at) => {
      const { calendar, sources } = state()
      if (calendar !== known) {
        known = calendar
        hoursOf = openingHours(calendar, sources)
      }
      return hoursOf(instrument, at)
    },
  }
}
