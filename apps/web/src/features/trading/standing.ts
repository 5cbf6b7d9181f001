import { toTicks, type BasicInfo, type OrderView } from '@fairlot/contract'
import {
  addAccount,
  indexOrder,
  isHolding,
  money,
  seededState,
  stopOutPrice,
  stopOutPriceOnceOpen,
  type Account,
  type Instrument,
  type Lots,
  type Money,
  type Position,
  type Price,
  type Quote,
  type Side,
  type State,
  type TradingSettings,
} from '@fairlot/core'

/** The account as the core sees it: its balance and its positions at the prices of now. */
export type Standing = { readonly state: State; readonly account: Account }

export type StandingParts = {
  readonly info: Pick<
    BasicInfo,
    'currency' | 'feeType' | 'demoBalance' | 'freshnessMs' | 'warningLevel' | 'stopOutLevel'
  >
  readonly instruments: readonly Instrument[]
  readonly balance: Money
  /** All of them: one that is missing would make every answer wrong. */
  readonly positions: readonly OrderView[]
  readonly quoteOf: (instrument: Instrument) => Quote | null
}

const ACCOUNT_ID = 1

/** Puts an account together for questions about `instrument`, if any; null while a price for it, or for a position, is missing. */
export function standingOf(instrument: Instrument | null, parts: StandingParts): Standing | null {
  const { info, positions, balance } = parts
  const needed = new Set(positions.map((order) => order.instrument.id))
  if (instrument) needed.add(instrument.id)
  const state = seededState(
    { settings: settingsOf(info), instruments: neededInstruments(parts.instruments, needed, info.currency) },
    { isOpen: () => true },
  )
  const account = addAccount(state, ACCOUNT_ID, 'demo')
  for (const order of positions.map(toPosition)) if (order) indexOrder(state, account, order)
  if (![...needed].every((id) => takePrices(state, id, parts.quoteOf))) return null
  return { state, account: { ...account, available: { ...account.available, balance } } }
}

/** The terms of now; what only decides about new orders is not asked here. */
const settingsOf = (info: StandingParts['info']): TradingSettings => ({
  accountCurrency: info.currency,
  feeType: info.feeType,
  demoBalance: info.demoBalance,
  freshnessMs: info.freshnessMs,
  warningLevel: Number(info.warningLevel),
  stopOutLevel: Number(info.stopOutLevel),
  maxLivingOrders: Number.MAX_SAFE_INTEGER,
  noticeMs: 0,
  fourEyesLimit: money(0n),
})

/** Those that are asked about, and every pair that may convert their money: a few of all, for this is done with every price. */
function neededInstruments(
  all: readonly Instrument[],
  needed: ReadonlySet<number>,
  currency: string,
): readonly Instrument[] {
  const quoteCurrencies = all.filter(({ id }) => needed.has(id)).map(({ quoteCurrency }) => quoteCurrency)
  const concerned = new Set([currency, 'USD', ...quoteCurrencies])
  return all.filter(
    ({ id, baseCurrency, quoteCurrency }) =>
      needed.has(id) || (concerned.has(baseCurrency) && concerned.has(quoteCurrency)),
  )
}

/** Takes the price of an instrument and those of the pairs that its money is converted with. */
function takePrices(state: State, instrumentId: number, quoteOf: StandingParts['quoteOf']): boolean {
  const instrument = state.instruments.get(instrumentId)
  const path = state.conversionPaths.get(instrumentId)
  if (!instrument || !path) return false
  return [instrument, ...path.map((leg) => leg.instrument)].every((needed) => {
    const quote = quoteOf(needed)
    if (quote) state.quotes.set(needed.id, quote)
    return quote !== null
  })
}

function toPosition(order: OrderView): Position | null {
  const { priceDecimals } = order.instrument
  const openPrice = order.openPrice && toTicks(order.openPrice, priceDecimals)
  if (openPrice === null) return null
  return positionOf({ ...order, instrumentId: order.instrument.id, price: openPrice })
}

type PositionTerms = {
  readonly id: number
  readonly instrumentId: number
  readonly side: Side
  readonly lots: Lots
  readonly leverage: number
  readonly margin: Money
  readonly fee: Money
  readonly price: Price
}

const positionOf = ({ price, ...terms }: PositionTerms): Position => ({
  id: terms.id,
  instrumentId: terms.instrumentId,
  side: terms.side,
  lots: terms.lots,
  leverage: terms.leverage,
  margin: terms.margin,
  fee: terms.fee,
  accountId: ACCOUNT_ID,
  kind: 'market',
  status: 'holding',
  targetPrice: null,
  acceptedPrice: price,
  openPrice: price,
  takeProfit: null,
  stopLoss: null,
  trailingDistance: null,
  expiresAt: null,
  createdAt: 0,
  openedAt: 0,
  openedSeq: 0,
  financedAt: 0,
})

/** The price at which each position of the account would be stopped out, in ticks; those that never would are left out. */
export function stopOutsOf({ state, account }: Standing): ReadonlyMap<number, Price> {
  const positions = [...account.orders.values()].filter(isHolding)
  // Positions on one side of an instrument share theirs.
  const places = Map.groupBy(positions, ({ instrumentId, side }) => `${instrumentId} ${side}`)
  const prices = [...places.values()].flatMap((sharing) => {
    const price = sharing[0] ? stopOutPrice(state, account, sharing[0]) : null
    return price === null ? [] : sharing.map(({ id }) => [id, price] as const)
  })
  return new Map(prices)
}

/** The price at which one more position would be stopped out once it has opened; null: at none. */
export const stopOutOnceOpen = (
  { state, account }: Standing,
  { instrument, ...terms }: Omit<PositionTerms, 'id' | 'instrumentId'> & { readonly instrument: Instrument },
): Price | null =>
  stopOutPriceOnceOpen(
    state,
    account,
    positionOf({ ...terms, id: state.lastOrderId + 1, instrumentId: instrument.id }),
  )
