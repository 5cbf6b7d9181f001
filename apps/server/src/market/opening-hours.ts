import { openingHours, type Instrument, type MarketStatus, type State } from '@fairlot/core'

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
