/** What the desk shows of the market's terms, with the key that a form of each is sent back with. */
import type { InstrumentRow, SessionRow } from '@fairlot/contract/desk'
import type { State } from '@fairlot/core'
import type { Market } from '../../market/market.ts'
import { nameOf } from '../../market/category-book.ts'
import { formKeyOf, instrumentTermsOf, sessionTermsOf, tradingTermsOf } from './terms-draft.ts'

/** `search`: a part of the code, the name or the category, whatever the case; empty for all. */
export function instrumentRows(state: State, { hours, now, registry }: Market, search: string) {
  const living = livingOrders(state)
  const announced = [...state.announced.values()].flatMap(({ change }) =>
    change.kind === 'instrument' ? change.instrument.id : [],
  )
  const instruments = registry.instruments.map(({ instrument, categoryId: _, ...listing }): InstrumentRow => {
    const { id } = instrument
    const listed = state.listings.get(id) ?? listing
    return {
      ...{ id, terms: instrumentTermsOf(instrument, listed) },
      formKey: formKeyOf(state, { kind: 'instrument', instrument, listing: listed }),
      isOpen: hours.status(instrument, now()).isOpen,
      haltReason: state.halts.get(id) ?? null,
      source: state.sources.get(id)?.kind ?? null,
      announced: announced.filter((one) => one === id).length,
      ...(living.get(id) ?? { positions: 0, pendingOrders: 0 }),
    }
  })
  const calledOf = new Map(registry.categories.map((one) => [one.code, nameOf(one, 'en')]))
  const wanted = search.trim().toLowerCase()
  const fits = ({ terms: { code, showCode, name, category } }: InstrumentRow) =>
    [code, showCode, name ?? '', category, calledOf.get(category) ?? ''].some((text) =>
      text.toLowerCase().includes(wanted),
    )
  return { mode: state.mode, instruments: instruments.filter(fits) }
}

type Living = { positions: number; pendingOrders: number }

function livingOrders({ orders }: State): Map<number, Living> {
  const living = new Map<number, Living>()
  for (const { instrumentId, status } of orders.values()) {
    const counts = living.get(instrumentId) ?? { positions: 0, pendingOrders: 0 }
    counts[status === 'holding' ? 'positions' : 'pendingOrders'] += 1
    living.set(instrumentId, counts)
  }
  return living
}

export const sessionRows = (state: State): { sessions: SessionRow[] } => ({
  sessions: [...state.calendar.keys()].toSorted().flatMap((name): SessionRow[] => {
    const terms = sessionTermsOf(state, name)
    if (!terms) return []
    const keepers = [...state.instruments.values()].filter(({ session }) => session === name)
    const formKey = formKeyOf(state, { kind: 'calendar', session: terms })
    return [{ terms, formKey, instruments: keepers.map(({ code }) => code) }]
  }),
})

export const settingsForm = (state: State) => ({
  terms: tradingTermsOf(state),
  formKey: formKeyOf(state, { kind: 'settings', settings: state.settings }),
})
