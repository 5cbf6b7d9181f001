import {
  type AccountFigures,
  type AccountUpdate,
  type Decimal,
  type FundsBalance,
  getFigures,
  LEDGER_GROUPS,
  type LedgerPage,
  type LedgerRecord,
  type OrderPage,
  type OrderView,
  PAGE_ROWS,
  type ServerMessage,
} from '@fairlot/contract'
import { money, type Money } from '@fairlot/core'
import { type InfiniteData, useQuery } from '@tanstack/react-query'
import { create } from 'zustand'
import { createFrame, nextFrame } from '../connection/frame-batch.ts'
import { onServerMessage } from '../connection/server-connection.ts'
import { fetchAgain, fetchAgainIfFetching, queryClient } from '../requests/query-client.ts'
import { request } from '../requests/request.ts'
import { onTokenChange, useIsLoggedIn } from '../device/token.ts'
import { beforeKeeping } from '../seen.ts'

const useSnapshot = create<{ snapshot: AccountSnapshot | null }>(() => ({ snapshot: null }))

const paintSnapshot = createFrame<'account', AccountSnapshot>(nextFrame, (_, snapshot) =>
  useSnapshot.setState({ snapshot }),
)

/** Keys of everything that a trade changes. */
const CHANGED_BY_TRADES = ['orders', 'figures', 'funds', 'copies', 'alerts']

/** Fetches again what a trade has changed: orders, figures, bookings, alerts. */
export const refreshAccount = (): Promise<unknown> =>
  Promise.all(CHANGED_BY_TRADES.map((key) => fetchAgain({ queryKey: [key] })))

/** Subscribes to the private messages of the account. Called once. */
export function startAccountUpdates(): void {
  const sequence = createSequence()
  const refreshIf = (isMissing: boolean) => isMissing && void refreshAccount()
  onServerMessage('account', (update) => {
    refreshIf(sequence.isBehind(update.seq))
    paintSnapshot('account', toAccountSnapshot(update))
  })
  for (const type of ['orders', 'closed', 'funds', 'notice', 'chat', 'copying', 'alerts'] as const) {
    onServerMessage(type, ({ seq }) => refreshIf(sequence.isGap(seq)))
  }
  onServerMessage('funds', showBooked)
  onServerMessage('loginResult', sequence.restart)
  onTokenChange(() => useSnapshot.setState({ snapshot: null }))
  beforeKeeping(foldSnapshot)
}

/** Shows new bookings at once in every view of the account's money. */
function showBooked({ available, frozen, records }: Extract<ServerMessage, { type: 'funds' }>): void {
  const { snapshot } = useSnapshot.getState()
  if (snapshot) useSnapshot.setState({ snapshot: { ...snapshot, balance: available } })
  else {
    queryClient.setQueryData<AccountFigures>(
      ['figures'],
      (known) => known && { ...known, balance: available },
    )
  }
  queryClient.setQueryData<FundsBalance>(['funds', 'balance'], (known) => known && { available, frozen })
  for (const [group, kinds] of [['all', null], ...Object.entries(LEDGER_GROUPS)] as const) {
    const shown = kinds ? records.filter(({ kind }) => kinds.some((each) => each === kind)) : records
    queryClient.setQueryData<LedgerPages>(
      ['funds', 'records', group],
      (known) => known && addRecords(known, shown),
    )
  }
  // A step of a deposit or withdrawal also comes as a `funds` message, even when no money moved.
  void queryClient.invalidateQueries({ queryKey: ['funds', 'cases'] })
  for (const queryKey of [['funds'], ['figures']]) fetchAgainIfFetching({ queryKey })
}

/** Brings the fetched figures and open positions up to date with the last push. */
function foldSnapshot(): void {
  const { snapshot } = useSnapshot.getState()
  if (!snapshot) return
  queryClient.setQueryData<AccountFigures>(['figures'], (known) => known && withSnapshot(known, snapshot))
  queryClient.setQueryData<InfiniteData<OrderPage, number>>(
    ['orders', 'holding'],
    (known) =>
      known && {
        ...known,
        pages: known.pages.map((page) => ({
          ...page,
          profit: snapshot.profit,
          orders: page.orders.map((order) => ({ ...order, ...snapshot.positions.get(order.id) })),
        })),
      },
  )
}

/** The account's figures now; undefined for a visitor and before the first response. */
export function useAccountFigures(): AccountFigures | undefined {
  const isLoggedIn = useIsLoggedIn()
  const { data } = useQuery({
    queryKey: ['figures'],
    queryFn: ({ signal }) => request(getFigures, null, { signal, isSilent: true }),
    enabled: isLoggedIn,
    staleTime: 0,
  })
  const snapshot = useSnapshot((state) => state.snapshot)
  if (!isLoggedIn || !data) return undefined
  return snapshot ? withSnapshot(data, snapshot) : data
}

/**
 * The account's figures with those of the last push in place of the fetched ones, unless the server computed the fetched
 * ones later. Compared by the server's clock: a push may arrive before an answer that was computed earlier.
 */
export function withSnapshot(
  figures: AccountFigures,
  { positions: _, ...snapshot }: AccountSnapshot,
): AccountFigures {
  // In the same millisecond the push counts: whatever came after it is pushed as well.
  if (figures.computedAt > snapshot.computedAt) return figures
  const equity = money(snapshot.balance + snapshot.profit)
  return { ...figures, ...snapshot, equity, free: money(equity - snapshot.margin - snapshot.reserved) }
}

/** Current price and profit of an order: as last pushed while the position is open, else the order's own, which are final. */
export function useMarkToMarket(order: OrderView): Pick<OrderView, 'currentPrice' | 'profit'> {
  const pushed = useSnapshot(({ snapshot }) => snapshot?.positions.get(order.id))
  return (order.status === 'holding' && pushed) || order
}

/** Price and profit of one position in a push. */
export type PositionUpdate = { readonly currentPrice: Decimal; readonly profit: Money }

/** The account as of the last push. */
export type AccountSnapshot = {
  readonly level: Decimal | null
  readonly margin: Money
  readonly profit: Money
  readonly balance: Money
  readonly reserved: Money
  readonly positions: ReadonlyMap<number, PositionUpdate>
  /** Epoch ms on the server's clock. */
  readonly computedAt: number
}

/** The account update with its positions as a map. */
export const toAccountSnapshot = ({
  level,
  margin,
  profit,
  balance,
  reserved,
  orders,
  computedAt,
}: AccountUpdate): AccountSnapshot => ({
  level,
  margin,
  profit,
  balance,
  reserved,
  positions: new Map(orders.map(({ id, currentPrice, profit }) => [id, { currentPrice, profit }])),
  computedAt,
})

/** Follows the one sequence of the private messages. */
export type Sequence = {
  /** Records the number of a change; true when a change before it is missing. Numbers rise by one. */
  readonly isGap: (seq: number) => boolean
  /** Records the number of the last change, which figures repeat; true when that change is missing. */
  readonly isBehind: (seq: number) => boolean
  /** Starts over: each log-in has its own sequence. */
  readonly restart: () => void
}

/** Remembers the last number and reports when a change was missed. */
export function createSequence(): Sequence {
  let last: number | null = null
  const record = (seq: number, maxAhead: number): boolean => {
    const isMissing = last !== null && seq > last + maxAhead
    last = last === null ? seq : Math.max(last, seq)
    return isMissing
  }
  return {
    isGap: (seq) => record(seq, 1),
    isBehind: (seq) => record(seq, 0),
    restart: () => {
      last = null
    },
  }
}

/** The loaded pages of the user's bookings, newest first. */
export type LedgerPages = InfiniteData<LedgerPage, number>

/** Puts new bookings on top. The number of pages stays: rows that no longer fit come with the next page. */
export function addRecords(before: LedgerPages, added: readonly LedgerRecord[]): LedgerPages {
  const records = before.pages.flatMap((page) => page.records)
  const newest = records[0]?.id ?? 0
  const fresh = added.filter(({ id }) => id > newest).toSorted((a, b) => b.id - a.id)
  if (fresh.length === 0) return before
  const all = [...fresh, ...records]
  return {
    ...before,
    pages: before.pages.map((page, index) => ({
      records: all.slice(index * PAGE_ROWS, (index + 1) * PAGE_ROWS),
      total: page.total + fresh.length,
    })),
  }
}
