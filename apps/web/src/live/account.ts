import { getBasicInfo, getFigures } from '@fairlot/contract'
import type { AccountFigures, BasicInfo } from '@fairlot/contract'
import { money } from '@fairlot/core'
import { useQuery } from '@tanstack/react-query'
import { create } from 'zustand'
import { createFrame, nextFrame } from './frame.ts'
import { onLive } from './door.ts'
import { createSequence, hasNewPosition, toPulse } from './order-book.ts'
import type { AccountPulse, PositionUpdate } from './order-book.ts'
import { queryClient } from './query-client.ts'
import { request } from './request.ts'
import { onTokenChange, useIsLoggedIn } from './token.ts'

const usePulse = create<{ pulse: AccountPulse | null }>(() => ({ pulse: null }))

const paintPulse = createFrame<'account', AccountPulse>(nextFrame, (_, pulse) => usePulse.setState({ pulse }))

const STOP_OUTS_REFETCH_MS = 10_000
/** How often it is asked whether trading goes on. */
const MODE_REFETCH_MS = 60_000

/** Keys of everything that a trade changes. */
const CHANGED_BY_TRADES = ['orders', 'figures', 'funds']

/** Fetches again what a trade has changed: orders, figures, bookings. */
export const refreshAccount = (): Promise<unknown> =>
  Promise.all(CHANGED_BY_TRADES.map((key) => queryClient.invalidateQueries({ queryKey: [key] })))

/** Listens to the private messages; called once at the start of the app. */
export function openAccount(): void {
  const sequence = createSequence()
  let latest: AccountPulse | null = null
  const count = (seq: number) => sequence.isGap(seq) && void refreshAccount()
  onLive('account', (update) => {
    count(update.seq)
    const pulse = toPulse(update, Date.now())
    if (hasNewPosition(latest, pulse)) void refreshAccount()
    latest = pulse
    paintPulse('account', pulse)
  })
  onLive('closed', ({ seq }) => count(seq))
  onLive('loginResult', sequence.restart)
  onTokenChange(() => {
    latest = null
    usePulse.setState({ pulse: null })
  })
}

/** The account's figures now; undefined for a visitor and before the first answer. */
export function useAccountFigures(): AccountFigures | undefined {
  const isLoggedIn = useIsLoggedIn()
  const { data, dataUpdatedAt } = useQuery({
    queryKey: ['figures'],
    queryFn: ({ signal }) => request(getFigures, null, { signal, isSilent: true }),
    enabled: isLoggedIn,
    staleTime: 0,
    // Stop-out prices move with the prices of the other positions, and no push tells them.
    refetchInterval: ({ state }) => ((state.data?.stopOuts.length ?? 0) > 0 ? STOP_OUTS_REFETCH_MS : false),
  })
  const pulse = usePulse((state) => state.pulse)
  if (!isLoggedIn || !data) return undefined
  // A push from before the answer knows neither its bookings nor its orders.
  return pulse && pulse.receivedAt > dataUpdatedAt ? withPulse(data, pulse) : data
}

/** Booked figures of the last answer under the moving ones of the last push. */
export function withPulse(
  figures: AccountFigures,
  { level, margin, profit }: Pick<AccountPulse, 'level' | 'margin' | 'profit'>,
): AccountFigures {
  const equity = money(figures.balance + profit)
  return { ...figures, level, margin, profit, equity, free: money(equity - margin - figures.reserved) }
}

/** Price and profit of one position as last pushed; undefined before the first push. */
export const usePosition = (orderId: number): PositionUpdate | undefined =>
  usePulse((state) => state.pulse?.positions.get(orderId))

/** How this deployment is set up, for a screen that cannot go on without it. */
export const useBasicInfoAnswer = () =>
  useQuery({
    queryKey: ['basicInfo'],
    queryFn: ({ signal }) => request(getBasicInfo, null, { signal, isSilent: true }),
    // Trading may be paused at any time.
    refetchInterval: MODE_REFETCH_MS,
    staleTime: MODE_REFETCH_MS,
  })

/** How this deployment is set up; undefined before the first answer. */
export const useBasicInfo = (): BasicInfo | undefined => useBasicInfoAnswer().data

/** True while an operator has paused trading: nothing opens or closes, pending orders can be cancelled, stops moved. */
export const useIsCancelOnly = (): boolean => useBasicInfo()?.tradingMode === 'cancelOnly'
