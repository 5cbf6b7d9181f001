import { toInstrument, toQuote, type Decimal } from '@fairlot/contract'
import { fromTicks } from '@fairlot/core/decimal'
import type { Instrument, Quote } from '@fairlot/core'
import { useEffect, useMemo } from 'react'
import { useAccountFigures } from '../../live/account/account.ts'
import { useBasicInfo } from '../../live/basic-info.ts'
import { useInstruments } from '../../live/market/instruments.ts'
import { useOrders, wantsMore, type OrdersState } from '../../live/account/orders.ts'
import { quoteOf } from '../../live/market/quotes.ts'
import {
  accountOf,
  dependenciesOf,
  pricedAccount,
  stopOutsOf,
  type PricedAccount,
} from './account-snapshot.ts'
import { useMemoOf } from './use-memo-of.ts'

/** The account at the prices of now, for questions about an instrument; null for a visitor and until all is known. */
export function useAccountSnapshot(instrument: Instrument): PricedAccount | null {
  const holding = useOrders('holding')
  const { loadMore } = holding
  const isMoreWanted = wantsMore(holding)
  useEffect(() => {
    if (isMoreWanted) void loadMore()
  }, [isMoreWanted, loadMore])
  return useAccountSnapshotOf(instrument, holding)
}

/** The price at which each position would be stopped out: at the prices of now, or as last answered while not all is loaded. */
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

/** Worked out once for each change of the positions, the balance or one of the prices that it depends on. */
function useAccountSnapshotOf(
  instrument: Instrument | null,
  { orders, total }: OrdersState,
): PricedAccount | null {
  const { currency, stopOutLevel } = useBasicInfo() ?? {}
  const balance = useAccountFigures()?.balance
  const { instruments: listed } = useInstruments()
  const all = useMemo(() => listed?.map(toInstrument), [listed])
  const account = useMemoOf([balance, total, ...(orders ?? [])], () =>
    balance === undefined || !orders || orders.length !== total ? null : accountOf(balance, orders),
  )
  const needed = useMemo(
    () => account && all && currency && dependenciesOf(account, instrument, { all, currency }),
    [account, instrument, all, currency],
  )
  const live = (needed ? needed.priced : []).map(({ id }) => quoteOf(id))
  return useMemoOf([account, needed, stopOutLevel, ...live], () =>
    account && needed
      ? pricedAccount(account, needed, { stopOutLevel: Number(stopOutLevel), quoteOf: quoteNow })
      : null,
  )
}

function quoteNow(instrument: Instrument): Quote | null {
  const live = quoteOf(instrument.id)
  return live && toQuote({ ...live, instrumentId: instrument.id }, instrument, live.receivedAt)
}
