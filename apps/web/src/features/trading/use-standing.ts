import { fromTicks, toInstrument, toQuote, type Decimal } from '@fairlot/contract'
import type { Instrument } from '@fairlot/core'
import { useEffect, useMemo } from 'react'
import { useAccountFigures, useBasicInfo } from '../../live/account.ts'
import { useInstruments } from '../../live/instruments.ts'
import { useOrders, wantsMore, type OrdersState } from '../../live/orders.ts'
import { quoteOf } from '../../live/quotes.ts'
import { standingOf, stopOutsOf, type Standing } from './standing.ts'

/** The account at the prices of now, for questions about an instrument; null for a visitor and until all is known. */
export function useStanding(instrument: Instrument): Standing | null {
  const holding = useOrders('holding')
  const { loadMore } = holding
  const isMoreWanted = wantsMore(holding)
  useEffect(() => {
    if (isMoreWanted) void loadMore()
  }, [isMoreWanted, loadMore])
  return useStandingOf(instrument, holding)
}

/** The price at which each position would be stopped out: at the prices of now, or as last answered while not all is loaded. */
export function useStopOuts(): ReadonlyMap<number, Decimal> {
  const holding = useOrders('holding')
  const answered = useAccountFigures()?.stopOuts ?? []
  const standing = useStandingOf(null, holding)
  if (!standing) return new Map(answered.map(({ orderId, price }) => [orderId, price]))
  const decimalsOf = new Map(holding.orders?.map(({ id, instrument }) => [id, instrument.priceDecimals]))
  const now = [...stopOutsOf(standing)].map(
    ([id, price]) => [id, fromTicks(price, decimalsOf.get(id) ?? 0)] as const,
  )
  return new Map(now)
}

function useStandingOf(instrument: Instrument | null, { orders, total }: OrdersState): Standing | null {
  const info = useBasicInfo()
  const balance = useAccountFigures()?.balance
  const { instruments: listed } = useInstruments()
  const instruments = useMemo(() => listed?.map(toInstrument), [listed])
  if (!info || balance === undefined || !instruments || !orders || orders.length !== total) return null
  return standingOf(instrument, {
    ...{ info, instruments, balance, positions: orders },
    quoteOf: (needed) => {
      const live = quoteOf(needed.id)
      return live && toQuote({ ...live, instrumentId: needed.id }, needed, live.receivedAt)
    },
  })
}
