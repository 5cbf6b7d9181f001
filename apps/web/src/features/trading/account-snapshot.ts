import { type Decimal, type OrderView, toInstrument, toQuote } from '@fairlot/contract'
import { fromTicks } from '@fairlot/core/decimal'
import {
  accountSnapshot,
  type AccountSnapshot,
  type ConversionLeg,
  type Instrument,
  type Money,
  pathToAccount,
  type Position,
  type Price,
  type Pricing,
  type Quote,
  stopOutPrice,
  stopOutPriceOnceOpen,
  type StopOutTerms,
  toTicks,
  type SnapshotPosition,
} from '@fairlot/core'
import { useEffect, useMemo, useState } from 'react'
import { useAccountFigures } from '../../live/account/account.ts'
import { useBasicInfo } from '../../live/basic-info.ts'
import { useInstruments } from '../../live/market/instruments.ts'
import { type OrdersState, useOrders, wantsMore } from '../../live/account/orders.ts'
import { quoteOf } from '../../live/market/quotes.ts'

/** The account at current prices, for calculations about an instrument; null for a visitor and until everything has loaded. */
export function useAccountSnapshot(instrument: Instrument): PricedAccount | null {
  const holding = useOrders('holding')
  const { loadMore } = holding
  const isMoreWanted = wantsMore(holding)
  useEffect(() => {
    if (isMoreWanted) void loadMore()
  }, [isMoreWanted, loadMore])
  return useAccountSnapshotOf(instrument, holding)
}

/** Stop-out price of each position: at current prices, or as last fetched while not everything has loaded. */
export function useStopOuts(): ReadonlyMap<number, Decimal> {
  const holding = useOrders('holding')
  const answered = useAccountFigures()?.stopOuts ?? []
  const snapshot = useAccountSnapshotOf(null, holding)
  if (!snapshot) return new Map(answered.map(({ orderId, price }) => [orderId, price]))
  const decimalsOf = new Map(holding.orders?.map(({ id, instrument }) => [id, instrument.priceDecimals]))
  const now = [...stopOutsOf(snapshot)].map(
    ([id, price]) => [id, fromTicks(price, decimalsOf.get(id) ?? 0)] as const,
  )
  return new Map(now)
}

/** Calculated once for each change of the positions, the balance or one of the prices that it depends on. */
function useAccountSnapshotOf(
  instrument: Instrument | null,
  { orders, total }: OrdersState,
): PricedAccount | null {
  const { currency, stopOutLevel } = useBasicInfo() ?? {}
  const balance = useAccountFigures()?.balance
  const { instruments: listed } = useInstruments()
  const all = useMemo(() => listed?.map(toInstrument), [listed])
  const account = useMemoOfList([balance, total, ...(orders ?? [])], () =>
    balance === undefined || !orders || orders.length !== total ? null : accountOf(balance, orders),
  )
  const needed = useMemo(
    () => account && all && currency && dependenciesOf(account, instrument, { all, currency }),
    [account, instrument, all, currency],
  )
  const quotes = (needed ? needed.priced : []).map(({ id }) => quoteOf(id))
  return useMemoOfList([account, needed, stopOutLevel, ...quotes], () =>
    account && needed
      ? pricedAccount(account, needed, { stopOutLevel: Number(stopOutLevel), quoteOf: quoteNow })
      : null,
  )
}

function quoteNow(instrument: Instrument): Quote | null {
  const live = quoteOf(instrument.id)
  return live && toQuote({ ...live, instrumentId: instrument.id }, instrument, live.receivedAt)
}

/** An account and the prices for calculations about it. */
export type PricedAccount = {
  readonly account: AccountSnapshot
  readonly pricing: Pricing & StopOutTerms
}

/** The account of a balance and all its positions; a missing position would make every result wrong. */
export const accountOf = (balance: Money, positions: readonly OrderView[]): AccountSnapshot =>
  accountSnapshot(
    balance,
    positions.flatMap((order) => toPosition(order) ?? []),
  )

function toPosition(order: OrderView): SnapshotPosition | null {
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
  /** All instruments whose prices are needed. */
  readonly priced: readonly Instrument[]
}

/** The instruments that an account depends on, and `instrument` if given; null while one is unknown or has no conversion. */
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

/** The account with the prices of all instruments it depends on; null while one is missing. */
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

/** Stop-out price of each position in ticks; positions that cannot be stopped out are left out. */
function stopOutsOf({ account, pricing }: PricedAccount): ReadonlyMap<number, Price> {
  // Positions on one side of an instrument share one stop-out price.
  const places = Map.groupBy(account.orders.values(), ({ instrumentId, side }) => `${instrumentId} ${side}`)
  const prices = [...places.values()].flatMap((sharing) => {
    const price = sharing[0] ? stopOutPrice(pricing, account, sharing[0]) : null
    return price === null ? [] : sharing.map(({ id }) => [id, price] as const)
  })
  return new Map(prices)
}

/** Id of a position that does not exist yet; no real position has it. */
const HYPOTHETICAL_ID = 0

/** Stop-out price of one more position once it has opened; null when it cannot be stopped out. */
export const stopOutOnceOpen = (
  { account, pricing }: PricedAccount,
  position: Omit<SnapshotPosition, 'id'> & Pick<Position, 'fee'>,
): Price | null => stopOutPriceOnceOpen(pricing, account, { ...position, id: HYPOTHETICAL_ID })

type Kept<Value> = { readonly keys: readonly unknown[]; readonly value: Value }

const isSame = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((key, index) => Object.is(key, b[index]))

/** Remembers the last value; makes a new one when the keys or their number change. */
export function memoizeLast<Value>(): (keys: readonly unknown[], make: () => Value) => Value {
  let last: Kept<Value> | null = null
  return (keys, make) => {
    if (last === null || !isSame(last.keys, keys)) last = { keys, value: make() }
    return last.value
  }
}

/** `useMemo` for a variable number of keys, such as a list of orders or of prices. */
function useMemoOfList<Value>(keys: readonly unknown[], make: () => Value): Value {
  const [kept] = useState(() => memoizeLast<Value>())
  return kept(keys, make)
}
