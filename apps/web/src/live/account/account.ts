import { getFigures, LEDGER_GROUPS } from '@fairlot/contract'
import type { AccountFigures, FundsBalance, OrderView, ServerMessage } from '@fairlot/contract'
import { money } from '@fairlot/core'
import { useQuery } from '@tanstack/react-query'
import { create } from 'zustand'
import { createFrame, nextFrame } from '../frame-batch.ts'
import { onServerMessage } from '../connection/server-connection.ts'
import { addRecords, type LedgerPages } from './ledger-pages.ts'
import { createSequence, toPulse } from './account-feed.ts'
import type { AccountPulse } from './account-feed.ts'
import { fetchAgain, fetchAgainIfFetching, queryClient } from '../requests/query-client.ts'
import { request } from '../requests/request.ts'
import { onTokenChange, useIsLoggedIn } from '../auth/token.ts'

const usePulse = create<{ pulse: AccountPulse | null }>(() => ({ pulse: null }))

const paintPulse = createFrame<'account', AccountPulse>(nextFrame, (_, pulse) => usePulse.setState({ pulse }))

/** Keys of everything that a trade changes. */
const CHANGED_BY_TRADES = ['orders', 'figures', 'funds']

/** Fetches again what a trade has changed: orders, figures, bookings. */
export const refreshAccount = (): Promise<unknown> =>
  Promise.all(CHANGED_BY_TRADES.map((key) => fetchAgain({ queryKey: [key] })))

/** Listens to the private messages; called once at the start of the app. */
export function startAccountUpdates(): void {
  const sequence = createSequence()
  const refreshIf = (isMissing: boolean) => isMissing && void refreshAccount()
  onServerMessage('account', (update) => {
    refreshIf(sequence.isBehind(update.seq))
    paintPulse('account', toPulse(update, Date.now()))
  })
  for (const type of ['orders', 'closed', 'funds', 'notice', 'chat'] as const) {
    onServerMessage(type, ({ seq }) => refreshIf(sequence.isGap(seq)))
  }
  onServerMessage('funds', showBooked)
  onServerMessage('loginResult', sequence.restart)
  onTokenChange(() => usePulse.setState({ pulse: null }))
}

/** Shows what was booked at once, wherever money is shown. */
function showBooked({ available, frozen, records }: Extract<ServerMessage, { type: 'funds' }>): void {
  const { pulse } = usePulse.getState()
  if (pulse) usePulse.setState({ pulse: { ...pulse, balance: available } })
  else {
    queryClient.setQueryData<AccountFigures>(['figures'], (was) => was && { ...was, balance: available })
  }
  queryClient.setQueryData<FundsBalance>(['funds', 'balance'], (was) => was && { available, frozen })
  for (const [group, kinds] of [['all', null], ...Object.entries(LEDGER_GROUPS)] as const) {
    const shown = kinds ? records.filter(({ kind }) => kinds.some((each) => each === kind)) : records
    queryClient.setQueryData<LedgerPages>(['funds', 'records', group], (was) => was && addRecords(was, shown))
  }
  // A step of a deposit or withdrawal is told with the money, whether some moved or not.
  void queryClient.invalidateQueries({ queryKey: ['funds', 'cases'] })
  for (const queryKey of [['funds'], ['figures']]) fetchAgainIfFetching({ queryKey })
}

/** The account's figures now; undefined for a visitor and before the first answer. */
export function useAccountFigures(): AccountFigures | undefined {
  const isLoggedIn = useIsLoggedIn()
  const { data, dataUpdatedAt } = useQuery({
    queryKey: ['figures'],
    queryFn: ({ signal }) => request(getFigures, null, { signal, isSilent: true }),
    enabled: isLoggedIn,
    staleTime: 0,
  })
  const pulse = usePulse((state) => state.pulse)
  if (!isLoggedIn || !data) return undefined
  // A push from before the answer knows neither its bookings nor its orders.
  return pulse && pulse.receivedAt > dataUpdatedAt ? withPulse(data, pulse) : data
}

/** The figures of the last push in place of those of the last answer. */
export function withPulse(
  figures: AccountFigures,
  { positions: _, receivedAt: _at, ...pulse }: AccountPulse,
): AccountFigures {
  const equity = money(pulse.balance + pulse.profit)
  return { ...figures, ...pulse, equity, free: money(equity - pulse.margin - pulse.reserved) }
}

/** Price and profit of an order: while it is held as last pushed, else its own, which are final once it has ended. */
export function useMarkToMarket(order: OrderView): Pick<OrderView, 'currentPrice' | 'profit'> {
  const pushed = usePulse(({ pulse }) => pulse?.positions.get(order.id))
  return (order.status === 'holding' && pushed) || order
}
