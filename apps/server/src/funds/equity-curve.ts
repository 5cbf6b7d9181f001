/** What an account was worth at moments whose prices are marked: worked out by the core's own rules, pure. */
import {
  addAccount,
  createCore,
  evolveEvent,
  indexOrder,
  isPriced,
  money,
  openProfit,
  unindexOrder,
  type Account,
  type Core,
  type Money,
  type Order,
  type Quote,
  type State,
  type TermsChange,
} from '@fairlot/core'

/** An account at a marked moment (epoch ms). Equity is null while the price of one of its positions was not known. */
export type EquityPoint = {
  readonly moment: number
  readonly balance: Money
  readonly equity: Money | null
}

/** Money that came to the account (above zero) or left it. */
export type Movement = { readonly at: number; readonly amount: Money }

/** A position, or the part of one that was closed by itself, as it was until its end; it knows no stops. */
export type PastPosition = {
  readonly order: Order
  readonly openedAt: number
  /** Infinity while it lives. */
  readonly endedAt: number
}

/** A change of settings or of an instrument that has taken effect. */
export type PastTerms = {
  readonly changeId: number
  /** When it was decided, and from when it held. */
  readonly at: number
  readonly effectiveAt: number
  readonly change: TermsChange
}

/** A moment and the prices marked for it. */
export type MarkedMoment = { readonly moment: number; readonly prices: readonly Quote[] }

export type AccountHistory = {
  /** Oldest first. */
  readonly moments: readonly MarkedMoment[]
  /** The balance before the first of the movements. */
  readonly balance: Money
  readonly movements: readonly Movement[]
  readonly positions: readonly PastPosition[]
  /** By version, from the first on: the order in which instruments came decides how currencies find their way. */
  readonly terms: readonly PastTerms[]
}

/**
 * A point for each moment. A moment comes before everything of its own time: what is dated with it is part of the next one.
 * So the financing of a night counts from that night on, however late it was booked.
 */
export function equityCurve(history: AccountHistory): EquityPoint[] {
  const core = createCore()
  const { state } = core
  const account = addAccount(state, 1, 'demo')
  const hasBegun = createReader(
    history.terms,
    ({ at, effectiveAt }, moment) => at < moment && effectiveAt <= moment,
  )
  const moved = createReader(
    sorted(history.movements, ({ at }) => at),
    ({ at }, moment) => at < moment,
  )
  const opened = createReader(
    sorted(history.positions, ({ openedAt }) => openedAt),
    ({ openedAt }, moment) => openedAt < moment,
  )
  const ended = createReader(
    sorted(history.positions, ({ endedAt }) => endedAt),
    ({ endedAt }, moment) => endedAt < moment,
  )
  let balance = history.balance
  return history.moments.map(({ moment, prices }) => {
    for (const terms of hasBegun(moment)) takeTerms(core, terms)
    for (const { amount } of moved(moment)) balance = money(balance + amount)
    for (const { order } of opened(moment)) indexOrder(core, account, order)
    for (const { order } of ended(moment)) unindexOrder(core, account, order)
    return { moment, balance, equity: equityAt(state, account, balance, prices) }
  })
}

function equityAt(state: State, account: Account, balance: Money, prices: readonly Quote[]): Money | null {
  state.quotes.clear()
  for (const quote of prices) state.quotes.set(quote.instrumentId, quote)
  return isPriced(state, account) ? money(balance + openProfit(state, account)) : null
}

function takeTerms(core: Core, { changeId, effectiveAt, change }: PastTerms): void {
  evolveEvent(core, { type: 'termsSet', changeId, effectiveAt, change }, effectiveAt)
}

/** Positions that live end at Infinity, which is as late as itself. */
const sorted = <Row>(rows: readonly Row[], timeOf: (row: Row) => number): Row[] =>
  rows.toSorted((a, b) => timeOf(a) - timeOf(b) || 0)

/** Hands out rows once each, in their order, as far as they come before a moment. */
function createReader<Row>(rows: readonly Row[], isBefore: (row: Row, moment: number) => boolean) {
  let place = 0
  return function* (moment: number): Generator<Row> {
    for (let row = rows[place]; row !== undefined && isBefore(row, moment); row = rows[place]) {
      place += 1
      yield row
    }
  }
}
