import {
  requestWithdrawal,
  bindReceivingMethod,
  getDeposit,
  getWithdrawal,
  listDepositAccounts,
  listDepositAddresses,
  listDepositCurrencies,
  listDeposits,
  listPayoutCurrencies,
  listReceivingMethods,
  listWithdrawals,
  removeReceivingMethod,
  cancelWithdrawal,
  reportCoinDeposit,
  reportWireDeposit,
} from '@fairlot/contract'
import type { CoinDeposit, ReceivingMethodForm, WireDeposit, WithdrawalForm } from '@fairlot/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useBasicInfoAnswer } from '../../live/basic-info.ts'
import { change } from '../../live/requests/change.ts'
import { FIRST_PAGE, rowsAfter } from '../../live/requests/paged-rows.ts'
import { queryClient } from '../../live/requests/query-client.ts'
import { request, type RequestOptions } from '../../live/requests/request.ts'

/** Where money is paid to or from: a coin's network, or a bank. */
export type PaymentKind = 'coin' | 'bank'

/** Lists that a step of a case changes; `live/account` fetches them again when one is pushed. */
const CASES = ['funds', 'cases']
const METHODS = ['funds', 'methods']

const silently = { isSilent: true } as const
const fresh = { staleTime: 0 } as const
/** Polled, so that what the broker sets up meanwhile appears without a reload. */
const watched = { staleTime: 0, refetchInterval: 10_000 } as const
const changing: RequestOptions = { isSilent: true, isWaitedFor: true, showsConfirmation: true }

const refetch = (queryKey: readonly string[]) => queryClient.invalidateQueries({ queryKey })

/** Whether and how deposits are possible, apart from the addresses and accounts. */
export const useDepositInfo = () => useBasicInfoAnswer(watched).data

export const useDepositAddresses = () =>
  useQuery({
    queryKey: ['funds', 'channels'],
    queryFn: ({ signal }) => request(listDepositAddresses, null, { signal, ...silently }),
    ...watched,
  })

export const useDepositCurrencies = () =>
  useQuery({
    queryKey: ['funds', 'depositCurrencies'],
    queryFn: ({ signal }) => request(listDepositCurrencies, null, { signal, ...silently }),
    ...watched,
  })

/** The accounts of a currency; none are requested before one is chosen. */
export const useDepositAccounts = (currency: string | undefined) =>
  useQuery({
    queryKey: ['funds', 'depositAccounts', currency],
    queryFn: ({ signal }) =>
      request(listDepositAccounts, { currency: currency ?? null }, { signal, ...silently }),
    enabled: currency !== undefined,
    ...watched,
  })

export function useDeposits(kind: PaymentKind) {
  const query = useInfiniteQuery({
    queryKey: [...CASES, 'deposits', kind],
    queryFn: ({ pageParam: before, signal }) =>
      request(listDeposits, { kind, page: 1, before }, { signal, ...silently }),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: (_last, pages) => rowsAfter(pages, (page) => page.deposits),
    ...fresh,
  })
  return { ...query, deposits: query.data?.pages.flatMap((page) => page.deposits) }
}

/** Submits a deposit request and returns its number. Rejects if the server does, without showing a message. */
export async function submitCoinDeposit(deposit: CoinDeposit): Promise<number> {
  const { id } = await change(reportCoinDeposit, deposit, changing)
  await refetch(['funds'])
  return id
}

/** Like `submitCoinDeposit`, for a wire. */
export async function submitWireDeposit(deposit: WireDeposit): Promise<number> {
  const { id } = await change(reportWireDeposit, deposit, changing)
  await refetch(['funds'])
  return id
}

export const usePayoutCurrencies = (kind: PaymentKind) =>
  useQuery({
    queryKey: ['funds', 'payoutCurrencies', kind],
    queryFn: ({ signal }) => request(listPayoutCurrencies, { kind }, { signal, ...silently }),
    ...fresh,
  })

export const useReceivingMethods = (kind: PaymentKind) =>
  useQuery({
    queryKey: [...METHODS, kind],
    queryFn: ({ signal }) =>
      request(listReceivingMethods, { kind, currencyId: null }, { signal, ...silently }),
    ...fresh,
  })

/** Adds a receiving method. Rejects if the server does, without showing a message. */
export async function addMethod(form: ReceivingMethodForm): Promise<void> {
  await change(bindReceivingMethod, form, changing)
  await refetch(METHODS)
}

/** Removes a receiving method; a rejection is shown. */
export async function removeMethod(id: number): Promise<void> {
  await change(removeReceivingMethod, { id }, { isWaitedFor: true, showsConfirmation: true })
  await refetch(METHODS)
}

export function useWithdrawals(kind: PaymentKind) {
  const query = useInfiniteQuery({
    queryKey: [...CASES, 'withdrawals', kind],
    queryFn: ({ pageParam: before, signal }) =>
      request(listWithdrawals, { kind, page: 1, before }, { signal, ...silently }),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: (_last, pages) => rowsAfter(pages, (page) => page.withdrawals),
    ...fresh,
  })
  return { ...query, withdrawals: query.data?.pages.flatMap((page) => page.withdrawals) }
}

export const useDeposit = (id: number) =>
  useQuery({
    queryKey: [...CASES, 'deposit', id],
    queryFn: ({ signal }) => request(getDeposit, { id }, { signal, ...silently }),
    ...fresh,
  })

export const useWithdrawal = (id: number) =>
  useQuery({
    queryKey: [...CASES, 'withdrawal', id],
    queryFn: ({ signal }) => request(getWithdrawal, { id }, { signal, ...silently }),
    ...fresh,
  })

/** Submits a withdrawal request and returns its number. Rejects if the server does, without showing a message. */
export async function sendWithdrawal(form: WithdrawalForm): Promise<number> {
  const { id } = await change(requestWithdrawal, form, changing)
  await refetch(['funds'])
  return id
}

/** Cancels a withdrawal; a rejection is shown. */
export async function cancelOwnWithdrawal(id: number): Promise<void> {
  await change(cancelWithdrawal, { id }, { isWaitedFor: true, showsConfirmation: true })
  await refetch(['funds'])
}
