import { pathToAccount } from '../money/currency-conversion.ts'
import type { TermsSet } from '../event.ts'
import { defineSession } from '../trading-hours/session-text.ts'
import type { State } from '../state.ts'
import type { Core } from '../core.ts'
import { needSweep } from '../due-work/sweep-cursor.ts'
import type { TermsChange, TradingSettings } from './terms.ts'
import type { Instrument } from './instrument.ts'

/** Terms from a moment on: at once, or put aside until that moment is told of. */
export function setTerms(core: Core, event: TermsSet, at: number): void {
  const { state } = core
  state.lastChangeId = Math.max(state.lastChangeId, event.changeId)
  if (event.effectiveAt > at) state.announced.set(event.changeId, event)
  else applyTerms(core, event.change)
}

/** The moment of announced terms has come. */
export function bringTermsIntoEffect(core: Core, changeId: number): void {
  const { state } = core
  const announced = state.announced.get(changeId)
  if (!announced) throw new Error(`an event names change of terms ${changeId}, which was not announced`)
  state.announced.delete(changeId)
  applyTerms(core, announced.change)
}

function applyTerms(core: Core, change: TermsChange): void {
  const { state } = core
  state.termsVersion += 1
  switch (change.kind) {
    case 'settings':
      applySettings(core, change.settings)
      return
    case 'instrument':
      forgetOldPrice(state, change.instrument)
      state.instruments.set(change.instrument.id, change.instrument)
      if (change.listing) state.listings.set(change.instrument.id, change.listing)
      findConversionPaths(state)
      if (!change.instrument.isEnabled) needSweep(core.sweep)
      return
    case 'calendar':
      state.calendar.set(change.session.name, defineSession(change.session))
      return
    case 'source':
      state.sources.set(change.instrumentId, change.source)
      return
  }
}

/** A price in other digits or of other money is the price of another instrument: nothing fills until there is a new one. */
function forgetOldPrice(state: State, after: Instrument): void {
  const before = state.instruments.get(after.id)
  if (before && PRICED_IN.some((field) => before[field] !== after[field])) state.quotes.delete(after.id)
}

const PRICED_IN = ['priceDecimals', 'baseCurrency', 'quoteCurrency'] as const

/** Another stop-out level moves everybody's safe prices. */
function applySettings({ state, touched }: Core, settings: TradingSettings): void {
  const { accountCurrency, stopOutLevel } = state.settings
  state.settings = settings
  if (settings.accountCurrency !== accountCurrency) findConversionPaths(state)
  if (settings.stopOutLevel === stopOutLevel) return
  for (const account of state.accounts.values()) if (account.margin > 0n) touched.add(account.id)
}

/** Legs name instruments as they are now, so every change of one is a change of all ways. */
function findConversionPaths(state: State): void {
  const { accountCurrency } = state.settings
  const instruments = [...state.instruments.values()]
  for (const instrument of instruments) {
    state.conversionPaths.set(instrument.id, pathToAccount(instruments, instrument, accountCurrency))
  }
}
