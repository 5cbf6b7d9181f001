import { encode, isSearchedFor, type OutputOf, searchedNames } from '@fairlot/contract'
import {
  admitPrice,
  categoriesFile,
  changeTerms,
  DESK_PAGE_ROWS,
  feedsFile,
  getTradingTerms,
  haltTrading,
  heldPricesFile,
  instrumentsFile,
  listDeskCategories,
  listDeskInstruments,
  listDeskSessions,
  listFeeds,
  listHeldPrices,
  listRefusedPrices,
  listTermsHistory,
  previewTerms,
  refusedPricesFile,
  removeCategory,
  requestHalt,
  resumeTrading,
  saveCategory,
  sessionsFile,
  setTradingMode,
  termsHistoryFile,
  withdrawTerms,
  type DeskCategory,
  type FeedRow,
  type FeedSource,
  type InstrumentRow,
  type RefusedPrice,
  type SessionRow,
  type TermsChangeRow,
} from '@fairlot/contract/desk'
import { fromTicks, price, TICK_REFUSALS, WHOLE_MARKET, type State } from '@fairlot/core'
import type { DeskServices } from '../../desk/desk-services.ts'
import { readEngine } from '../../engine/calls.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Queries } from '../../platform/database/open.ts'
import { nameOf } from '../category-book.ts'
import type { Market } from '../market.ts'
import { categoryRows, createCategoryChanges } from './category-changes.ts'
import { createHaltRequests, createHalts } from './halts.ts'
import { createHeldPrices } from './held-prices.ts'
import { createTermsChanges, readTermsHistory } from './terms-changes.ts'
import { formKeyOf, instrumentTermsOf, sessionTermsOf, tradingTermsOf } from './terms-draft.ts'

/** Registers the desk's calls for instruments, hours and settings with their changes, halts, and feeds. */
export function registerMarketDesk(services: DeskServices): void {
  const { api, deployment, queries } = services
  const { engine, market } = deployment
  const terms = createTermsChanges(services)
  const halts = createHalts(services)
  const createHaltRequest = createHaltRequests(services)
  const categories = createCategoryChanges(services)
  const held = createHeldPrices(services)
  const codeOf = (id: number) => market.registry.byId.get(id)?.instrument.code ?? String(id)

  const instruments = ({ input }: { input: { search: string } }) =>
    readEngine(engine, (state) => instrumentRows(state, market, input.search))
  api.list(listDeskInstruments, instruments, {
    file: instrumentsFile,
    rowsOf: (answer) => instrumentCells(answer),
  })
  const listed = () =>
    readEngine(engine, (state) => ({ categories: categoryRows(state, deployment.categories.all()) }))
  api.list(listDeskCategories, listed, {
    file: categoriesFile,
    rowsOf: (answer) => answer.categories.map(categoryCells),
  })
  api.operator(requestHalt, ({ operator, input, request }) => createHaltRequest(operator, input, request))
  api.operator(saveCategory, ({ operator, input }) => categories.save(operator, input))
  api.operator(removeCategory, ({ operator, input }) => categories.remove(operator, input))
  api.list(listDeskSessions, () => readEngine(engine, sessionRows), {
    file: sessionsFile,
    rowsOf: ({ sessions }) => sessions.map(sessionCells),
  })
  api.operator(getTradingTerms, () => readEngine(engine, settingsForm))
  api.list(listTermsHistory, ({ input }, limit) => readTermsHistory(queries, input, codeOf, limit), {
    file: termsHistoryFile,
    rowsOf: ({ changes }) => changes.map(changeCells),
  })
  api.operator(previewTerms, ({ operator, input }) => terms.preview(operator, input))
  api.operator(changeTerms, ({ operator, input, request }) => terms.change(operator, input, request))
  api.operator(withdrawTerms, ({ operator, input }) => terms.withdraw(operator, input.changeId, input.reason))

  api.operator(haltTrading, ({ operator, input }) => halts.halt(operator, input))
  api.operator(resumeTrading, ({ operator, input }) => halts.resume(operator, input))
  api.operator(setTradingMode, ({ operator, input }) => halts.setMode(operator, input.mode, input.reason))

  api.list(listFeeds, readFeeds(services), {
    file: feedsFile,
    rowsOf: ({ instruments }) => instruments.map(feedCells),
  })
  api.list(listHeldPrices, () => ({ prices: held.list() }), {
    file: heldPricesFile,
    rowsOf: ({ prices }) => prices,
  })
  api.list(listRefusedPrices, ({ input }, limit) => readRefusedPrices(queries, input, codeOf, limit), {
    file: refusedPricesFile,
    rowsOf: ({ prices }) => prices,
  })
  api.operator(admitPrice, ({ operator, input }) => held.admit(operator, input))
}

/** `search`: words of the code, name or category, as in the app; empty for all. */
function instrumentRows(state: State, { hours, now, registry }: Market, search: string) {
  const active = activeOrderCounts(state)
  const announced = [...state.announced.values()].flatMap(({ change }) =>
    change.kind === 'instrument' ? change.instrument.id : [],
  )
  const instruments = registry.instruments.map(({ instrument, categoryId: _, ...listing }): InstrumentRow => {
    const { id } = instrument
    const listed = state.listings.get(id) ?? listing
    return {
      id,
      terms: instrumentTermsOf(instrument, listed),
      formKey: formKeyOf(state, { kind: 'instrument', instrument, listing: listed }),
      isOpen: hours.status(instrument, now()).isOpen,
      haltReason: state.halts.get(id) ?? null,
      haltEndsAt: state.haltEnds.get(id) ?? null,
      source: state.sources.get(id)?.kind ?? null,
      announced: announced.filter((one) => one === id).length,
      ...(active.get(id) ?? { positions: 0, pendingOrders: 0 }),
    }
  })
  const categoryNames = new Map(registry.categories.map((one) => [one.code, nameOf(one, 'en')]))
  const matches = ({ terms }: InstrumentRow) => {
    const { code, showCode, category } = terms
    const names = [...searchedNames(terms, 'en'), category, categoryNames.get(category) ?? '']
    return isSearchedFor([code, showCode, ...names], search)
  }
  return {
    mode: state.mode,
    modeReason: state.modeReason,
    modeEndsAt: state.haltEnds.get(WHOLE_MARKET) ?? null,
    instruments: instruments.filter(matches),
  }
}

type OrderCounts = { positions: number; pendingOrders: number }

function activeOrderCounts({ orders }: State): Map<number, OrderCounts> {
  const active = new Map<number, OrderCounts>()
  for (const { instrumentId, status } of orders.values()) {
    const counts = active.get(instrumentId) ?? { positions: 0, pendingOrders: 0 }
    counts[status === 'holding' ? 'positions' : 'pendingOrders'] += 1
    active.set(instrumentId, counts)
  }
  return active
}

const sessionRows = (state: State): { sessions: SessionRow[] } => ({
  sessions: [...state.calendar.keys()].toSorted().flatMap((name): SessionRow[] => {
    const terms = sessionTermsOf(state, name)
    if (!terms) return []
    const keepers = [...state.instruments.values()].filter(({ session }) => session === name)
    const formKey = formKeyOf(state, { kind: 'calendar', session: terms })
    return [{ terms, formKey, instruments: keepers.map(({ code }) => code) }]
  }),
})

const settingsForm = (state: State) => ({
  terms: tradingTermsOf(state),
  formKey: formKeyOf(state, { kind: 'settings', settings: state.settings }),
})

/** Cells with the terms as in the API: lots and rates as decimals. */
function instrumentCells(answer: OutputOf<typeof listDeskInstruments>): object[] {
  const { instruments } = encode(listDeskInstruments.response, answer) as {
    readonly instruments: readonly (Omit<InstrumentRow, 'terms'> & { readonly terms: object })[]
  }
  return instruments.map(({ terms, ...row }) => ({ ...row, ...terms }))
}

const sessionCells = ({ terms, instruments }: SessionRow): object => ({
  ...terms,
  instruments,
  holidays: terms.holidays.map(({ date, closesAt }) => (closesAt === null ? date : `${date} to ${closesAt}`)),
})

const categoryCells = (row: DeskCategory): object => ({
  ...row,
  names: row.names.map(({ language, name }) => `${language}: ${name}`),
})

const changeCells = (row: TermsChangeRow): object => ({
  ...row,
  changes: row.changes.map(({ field, before, after }) => `${field}: ${before ?? ''} -> ${after ?? ''}`),
})

const feedCells = (row: FeedRow): object => ({
  ...row,
  refused: row.refused.map(({ reason, count }) => `${reason} ${count}`),
})

/** The sources of prices: age, rate and spread of each, and how many were refused. */
function readFeeds({ deployment, now }: Pick<DeskServices, 'deployment' | 'now'>) {
  const { engine, market } = deployment
  const perMinute = countRates(engine, now)
  const codeOf = (id: number) => market.registry.byId.get(id)?.instrument.code ?? String(id)

  const rowOf = (id: number, priceDecimals: number, held: number): FeedRow => {
    const quote = market.quoteOf(id)
    const instrument = market.registry.byId.get(id)?.instrument
    const refusals = market.intake.refusals(id)
    const inPrice = (ticks: number) => fromTicks(price(ticks), priceDecimals)
    return {
      instrumentId: id,
      code: codeOf(id),
      source: quote?.source ?? null,
      kind: market.sourceOf(id),
      sourceOrder: instrument?.sourceOrder ?? [],
      isOpen: instrument !== undefined && market.hours.status(instrument, market.now()).isOpen,
      ageMs: quote && Math.max(0, market.now() - quote.receivedAt),
      perMinute: perMinute(id),
      bid: quote && inPrice(quote.bid),
      ask: quote && inPrice(quote.ask),
      spread: quote && inPrice(quote.ask - quote.bid),
      freshnessMs: market.freshnessMs(id),
      held,
      refused: TICK_REFUSALS.flatMap((reason) =>
        refusals[reason] > 0 ? { reason, count: refusals[reason] } : [],
      ),
    }
  }

  const sourceRows = (rows: readonly FeedRow[]): FeedSource[] =>
    market.feeds.map((feed) => ({
      name: feed.name,
      kind: feed.kind,
      ...feed.counters(),
      instruments: rows.filter(({ source }) => source === feed.name).length,
    }))

  /** Rows by source and by instrument. */
  return () => {
    const waiting = market.intake.records.held()
    const instruments = market.registry.instruments.map(({ instrument: { id, priceDecimals } }) =>
      rowOf(id, priceDecimals, waiting.filter(({ instrumentId }) => instrumentId === id).length),
    )
    return { sources: sourceRows(instruments), instruments, unknownCount: market.intake.unknownCount() }
  }
}

/** The period over which rates are counted, ms, and the length of its parts. */
const WINDOW_MS = 60_000
const PART_MS = 5_000
const PARTS = WINDOW_MS / PART_MS

type Counted = { readonly parts: number[]; part: number }

/** Accepted prices of an instrument in the last minute. */
function countRates(
  { onQuote }: Pick<Engine, 'onQuote'>,
  now: () => number,
): (instrumentId: number) => number {
  const counted = new Map<number, Counted>()
  /** Clears parts older than the period. */
  const advanced = (one: Counted): Counted => {
    const part = Math.floor(now() / PART_MS)
    const passed = Math.min(PARTS, part - one.part)
    for (let step = 1; step <= passed; step += 1) one.parts[(one.part + step) % PARTS] = 0
    one.part = Math.max(part, one.part)
    return one
  }
  onQuote(({ instrumentId }) => {
    const known = counted.get(instrumentId)
    const one = advanced(
      known ?? { parts: Array.from({ length: PARTS }, () => 0), part: Math.floor(now() / PART_MS) },
    )
    if (!known) counted.set(instrumentId, one)
    const index = one.part % PARTS
    one.parts[index] = (one.parts[index] ?? 0) + 1
  })
  return (instrumentId) => {
    const one = counted.get(instrumentId)
    return one ? advanced(one).parts.reduce((sum, count) => sum + count, 0) : 0
  }
}

type RefusedPriceQuery = { readonly page: number; readonly instrumentId: number | null }

/** A page of the newest refused prices, of one instrument or of all; `codeOf` gives an instrument's code. */
async function readRefusedPrices(
  queries: Queries,
  { page, instrumentId }: RefusedPriceQuery,
  codeOf: (id: number) => string,
  limit = DESK_PAGE_ROWS,
): Promise<{ prices: RefusedPrice[]; total: number }> {
  const found = queries
    .selectFrom('refused_price')
    .$if(instrumentId !== null, (query) => query.where('instrument_id', '=', BigInt(instrumentId ?? 0)))
  const { total } = await found.select((select) => select.fn.countAll().as('total')).executeTakeFirstOrThrow()
  const rows = await found
    .selectAll()
    .orderBy('at', 'desc')
    .orderBy('slot')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  const prices: RefusedPrice[] = rows.map((row) => ({
    instrumentId: Number(row.instrument_id),
    code: codeOf(Number(row.instrument_id)),
    number: Number(row.number),
    source: row.source,
    bid: row.bid,
    ask: row.ask,
    time: row.time === null ? null : Number(row.time),
    at: Number(row.at),
    reason: row.reason,
  }))
  return { prices, total: Number(total) }
}
