import {
  addToCopy,
  CallError,
  claimDemo,
  closeCopyPosition,
  type CopyChange,
  type CopyForm,
  type CopyView,
  type DryRunQuery,
  getCopy,
  getCopyingTerms,
  getOwnStrategy,
  getStrategy,
  listCopies,
  listCopyLog,
  listStrategies,
  listStrategyOrders,
  type OrderView,
  type OwnStrategy,
  PAGE_ROWS,
  pauseCopy,
  publishStrategy,
  reportStrategy,
  resumeCopy,
  setCopyStopLoss,
  setCopyTerms,
  startCopy,
  stopCopy,
  type StrategyForm,
  type StrategyQuery,
  takeFromCopy,
  tryCopy,
  unpublishStrategy,
} from '@fairlot/contract'
import type { Money } from '@fairlot/core'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useIsLoggedIn } from '../../live/device/token.ts'
import { change } from '../../live/requests/change.ts'
import { fetchAgain } from '../../live/requests/query-client.ts'
import { request, type RequestOptions } from '../../live/requests/request.ts'

const silently = { isSilent: true } as const
/** Copies are pushed when an order or their money changes; prices move their figures in between. */
const AT_PRICES_OF_NOW = { staleTime: 0, refetchInterval: 4_000 } as const
/** The server shows a closed order within five seconds. */
const RANKING_FRESH_MS = 5_000

/** Finished when the loaded rows are at least the total. */
const nextPage = (last: { readonly total: number }, pages: readonly unknown[]): number | undefined =>
  pages.length * PAGE_ROWS < last.total ? pages.length + 1 : undefined

/** The ranking, page by page. The rows of the previous choice stay until the new ones are loaded. */
export function useStrategies(choice: Omit<StrategyQuery, 'page'>, isEnabled: boolean) {
  const query = useInfiniteQuery({
    queryKey: ['strategies', 'list', choice],
    queryFn: ({ pageParam: page, signal }) =>
      request(listStrategies, { ...choice, page }, { signal, ...silently }),
    initialPageParam: 1,
    getNextPageParam: nextPage,
    enabled: isEnabled,
    staleTime: RANKING_FRESH_MS,
    refetchInterval: RANKING_FRESH_MS,
    placeholderData: keepPreviousData,
  })
  return { ...query, strategies: query.data?.pages.flatMap((page) => page.strategies) }
}

export const useStrategy = (id: number | null) =>
  useQuery({
    queryKey: ['strategies', 'one', id],
    queryFn: ({ signal }) => request(getStrategy, { id: id ?? 0 }, { signal, ...silently }),
    enabled: id !== null,
    staleTime: RANKING_FRESH_MS,
  })

/** The closed orders of a strategy, the newest first, page by page. */
export function useStrategyOrders(id: number) {
  const query = useInfiniteQuery({
    queryKey: ['strategies', 'orders', id],
    queryFn: ({ pageParam: page, signal }) =>
      request(listStrategyOrders, { id, page }, { signal, ...silently }),
    initialPageParam: 1,
    getNextPageParam: nextPage,
    staleTime: RANKING_FRESH_MS,
  })
  return {
    ...query,
    orders: query.data?.pages.flatMap((page) => page.orders),
    total: query.data?.pages[0]?.total,
  }
}

export const useCopyingTerms = () =>
  useQuery({
    queryKey: ['strategies', 'terms'],
    queryFn: ({ signal }) => request(getCopyingTerms, null, { signal, ...silently }),
  })

/** A fee that has risen since it was shown is shown again, as it is now. */
async function atShownFee<Answer>(asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof CallError && error.failure.reason === 'copyFeeRaised')
      await fetchAgain({ queryKey: ['strategies', 'one'] })
    throw error
  }
}

/** A dry run; the last one stays until that of the new values is loaded. Null values ask for none. */
export const useDryRun = (values: DryRunQuery | null) =>
  useQuery({
    queryKey: ['strategies', 'dryRun', values && { ...values, amount: String(values.amount) }],
    queryFn: async ({ signal }) =>
      values && (await atShownFee(request(tryCopy, values, { signal, ...silently }))),
    enabled: values !== null,
    staleTime: RANKING_FRESH_MS,
    placeholderData: keepPreviousData,
  })

export const useOwnStrategy = () =>
  useQuery({
    queryKey: ['copies', 'strategy'],
    queryFn: ({ signal }) => request(getOwnStrategy, null, { signal, ...silently }),
    ...AT_PRICES_OF_NOW,
  })

/** The user's copies, running ones first; none are requested for a visitor. */
export const useCopies = () =>
  useQuery({
    queryKey: ['copies', 'list'],
    queryFn: async ({ signal }) => (await request(listCopies, null, { signal, ...silently })).copies,
    enabled: useIsLoggedIn(),
    ...AT_PRICES_OF_NOW,
  })

export const useCopy = (id: number | null) =>
  useQuery({
    queryKey: ['copies', 'one', id],
    queryFn: ({ signal }) => request(getCopy, { copyId: id ?? 0 }, { signal, ...silently }),
    enabled: id !== null,
    ...AT_PRICES_OF_NOW,
  })

/** What became of the provider's orders in a copy, the newest first, page by page. */
export function useCopyLog(copyId: number) {
  const query = useInfiniteQuery({
    queryKey: ['copies', 'log', copyId],
    queryFn: ({ pageParam: page, signal }) => request(listCopyLog, { copyId, page }, { signal, ...silently }),
    initialPageParam: 1,
    getNextPageParam: nextPage,
    staleTime: 0,
  })
  return { ...query, entries: query.data?.pages.flatMap((page) => page.entries) }
}

/** For buttons: a rejection is shown as a message. */
const shown: RequestOptions = { isWaitedFor: true }
/** For forms, which show rejections themselves. */
const inForm: RequestOptions = { ...shown, isSilent: true }

/** Money moves between the account and its copies, so both are fetched again. */
async function refresh(): Promise<void> {
  const keys = ['copies', 'strategies', 'figures', 'funds']
  await Promise.all(keys.map((key) => fetchAgain({ queryKey: [key] })))
}

/** Starts a copy, at no higher fee than the form names; a form shows a rejection. */
export async function sendCopy(form: CopyForm): Promise<CopyView> {
  const copy = await atShownFee(change(startCopy, form, inForm))
  await refresh()
  return copy
}

export async function pause(copyId: number): Promise<void> {
  await change(pauseCopy, { copyId }, shown)
  await refresh()
}

export async function resume(copyId: number): Promise<void> {
  await change(resumeCopy, { copyId }, shown)
  await refresh()
}

/** Closes a copy's positions and returns its money. */
export async function stop(copyId: number): Promise<void> {
  await change(stopCopy, { copyId }, shown)
  await refresh()
}

/** Puts money into a copy or takes it out; a form shows a rejection. */
export async function moveMoney(kind: 'add' | 'take', copyId: number, amount: Money): Promise<void> {
  await change(kind === 'add' ? addToCopy : takeFromCopy, { copyId, amount }, inForm)
  await refresh()
}

/** Sets the copy stop loss, in percent of the money put in; a form shows a rejection. */
export async function setStopLoss(copyId: number, stopPercent: number): Promise<void> {
  await change(setCopyStopLoss, { copyId, stopPercent }, inForm)
  await refresh()
}

/** Null leaves a choice as it is; a form shows a rejection. */
export async function changeTerms(terms: CopyChange): Promise<void> {
  await change(setCopyTerms, terms, inForm)
  await refresh()
}

/** Closes a whole position of a copy; returns the closed order. */
export async function closePosition(copyId: number, orderId: number): Promise<OrderView> {
  const order = await change(closeCopyPosition, { copyId, orderId }, shown)
  await refresh()
  return order
}

/** Publishes the own strategy or changes its texts and fee; a form shows a rejection. */
export async function publish(form: StrategyForm): Promise<OwnStrategy> {
  const own = await change(publishStrategy, form, inForm)
  await refresh()
  return own
}

/** Ends the own strategy and all its copies. */
export async function unpublish(): Promise<void> {
  await change(unpublishStrategy, null, shown)
  await refresh()
}

/** Names a demo account as the user's own, by its secret. */
export async function nameOwnDemo(demoId: string): Promise<void> {
  await change(claimDemo, { demoId }, shown)
}

/** Reports a strategy's name or description to the operators; a form shows a rejection. */
export async function report(id: number, reason: string): Promise<void> {
  await change(reportStrategy, { id, reason }, inForm)
}
