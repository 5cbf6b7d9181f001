import { toInstrument, toQuote } from '@fairlot/contract'
import type { Instrument } from '@fairlot/core'
import { useEffect, useMemo } from 'react'
import { useAccountFigures, useBasicInfo } from '../../live/account.ts'
import { useInstruments } from '../../live/instruments.ts'
import { useOrders, wantsMore } from '../../live/orders.ts'
import { quoteOf } from '../../live/quotes.ts'
import { standingOf, type Standing } from './standing.ts'

/** The account at the prices of now, for questions about an instrument; null for a visitor and until all is known. */
export function useStanding(instrument: Instrument): Standing | null {
  const info = useBasicInfo()
  const balance = useAccountFigures()?.balance
  const { instruments: listed } = useInstruments()
  const instruments = useMemo(() => listed?.map(toInstrument), [listed])
  const holding = useOrders('holding')
  const { orders, total, loadMore } = holding
  const isMoreWanted = wantsMore(holding)
  useEffect(() => {
    if (isMoreWanted) void loadMore()
  }, [isMoreWanted, loadMore])
  if (!info || balance === undefined || !instruments || !orders || orders.length !== total) return null
  return standingOf(instrument, {
    ...{ info, instruments, balance, positions: orders },
    quoteOf: (needed) => {
      const live = quoteOf(needed.id)
      return live && toQuote({ ...live, instrumentId: needed.id }, needed, live.receivedAt)
    },
  })
}
