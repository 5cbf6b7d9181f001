import type { OrderView } from '@fairlot/contract'
import {
  accountSnapshot,
  pathToAccount,
  stopOutPrice,
  stopOutPriceOnceOpen,
  toTicks,
  type AccountSnapshot,
  type ConversionLeg,
  type Instrument,
  type Money,
  type Position,
  type Price,
  type Pricing,
  type Quote,
  type StopOutTerms,
  type WeighedPosition,
} from '@fairlot/core'

/** An account and the prices it is asked about at. */
export type PricedAccount = {
  readonly account: AccountSnapshot
  readonly pricing: Pricing & StopOutTerms
}

/** A balance and all positions: one that is missing would make every answer wrong. */
export const accountOf = (balance: Money, positions: readonly OrderView[]): AccountSnapshot =>
  accountSnapshot(
    balance,
    positions.flatMap((order) => toPosition(order) ?? []),
  )

function toPosition(order: OrderView): WeighedPosition | null {
  const { id, instrument, side, lots, leverage, margin, openPrice } = order
  const price = openPrice && toTicks(openPrice, instrument.priceDecimals)
  return price === null
    ? null
    : { id, instrumentId: instrument.id, side, lots, leverage, margin, openPrice: price }
}

/** The instruments that an account depends on, each with the pairs that convert its money. */
export type Dependencies = {
  readonly instruments: ReadonlyMap<number, Instrument>
  readonly conversionPaths: ReadonlyMap<number, readonly ConversionLeg[]>
  /** All whose prices are needed. */
  readonly priced: readonly Instrument[]
}

/** What an account depends on, and what `instrument` would add, if any; null while one of them is not known, or nothing converts it. */
export function dependenciesOf(
  account: AccountSnapshot,
  instrument: Instrument | null,
  { all, currency }: { readonly all: readonly Instrument[]; readonly currency: string },
): Dependencies | null {
  const instruments = new Map<number, Instrument>()
  const conversionPaths = new Map<number, readonly ConversionLeg[]>()
  for (const id of new Set([...account.exposures.keys(), ...(instrument ? [instrument.id] : [])])) {
    const needed = all.find((one) => one.id === id)
    const path = needed && pathToAccount(all, needed, currency)
    if (!needed || !path) return null
    instruments.set(id, needed)
    conversionPaths.set(id, path)
  }
  const pairs = [...conversionPaths.values()].flatMap((path) => path.map((leg) => leg.instrument))
  const priced = new Map([...instruments.values(), ...pairs].map((one) => [one.id, one]))
  return { instruments, conversionPaths, priced: [...priced.values()] }
}

/** The account at the prices of all that it depends on; null while one of them is missing. */
export function pricedAccount(
  account: AccountSnapshot,
  { instruments, conversionPaths, priced }: Dependencies,
  { stopOutLevel, quoteOf }: { stopOutLevel: number; quoteOf: (instrument: Instrument) => Quote | null },
): PricedAccount | null {
  const quotes = new Map<number, Quote>()
  for (const one of priced) {
    const quote = quoteOf(one)
    if (!quote) return null
    quotes.set(one.id, quote)
  }
  return { account, pricing: { instruments, conversionPaths, quotes, settings: { stopOutLevel } } }
}

/** The price at which each position of the account would be stopped out, in ticks; those that never would are left out. */
export function stopOutsOf({ account, pricing }: PricedAccount): ReadonlyMap<number, Price> {
  // Positions on one side of an instrument share theirs.
  const places = Map.groupBy(account.orders.values(), ({ instrumentId, side }) => `${instrumentId} ${side}`)
  const prices = [...places.values()].flatMap((sharing) => {
    const price = sharing[0] ? stopOutPrice(pricing, account, sharing[0]) : null
    return price === null ? [] : sharing.map(({ id }) => [id, price] as const)
  })
  return new Map(prices)
}

/** No position has it: the number of one that is only asked about. */
const ASKED_ID = 0

/** The price at which one more position would be stopped out once it has opened; null: at none. */
export const stopOutOnceOpen = (
  { account, pricing }: PricedAccount,
  position: Omit<WeighedPosition, 'id'> & Pick<Position, 'fee'>,
): Price | null => stopOutPriceOnceOpen(pricing, account, { ...position, id: ASKED_ID })
