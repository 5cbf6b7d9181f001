import {
  askWithdrawal,
  bindReceivingMethod,
  getDeposit,
  getWithdrawal,
  listChargeAccounts,
  listChargeChannels,
  listChargeCurrencies,
  listDeposits,
  listPayoutCurrencies,
  listReceivingMethods,
  listWithdrawals,
  PAGE_ROWS,
  removeReceivingMethod,
  takeBackWithdrawal,
  tellCoinDeposit,
  tellWireDeposit,
} from '@fairlot/contract'
import type { CoinDeposit, ReceivingMethodForm, WireDeposit, WithdrawalForm } from '@fairlot/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { change } from '../../live/requests/change.ts'
import { queryClient } from '../../live/requests/query-client.ts'
import { request } from '../../live/requests/request.ts'

/** Of a coin's network, or of a bank. */
export type Way = 'coin' | 'bank'

/** Lists that a step of a case changes; `live/account` has them fetched again when one is told. */
const CASES = ['funds', 'cases']
const METHODS = ['funds', 'methods']

const silently = { isSilent: true } as const
const fresh = { staleTime: 0 } as const
const changing = { isSilent: true, isWaitedFor: true, isTold: true } as const

/** Finished when the loaded rows are at least the total. */
const nextPage = (last: { readonly total: number }, pages: readonly unknown[]): number | undefined =>
  pages.length * PAGE_ROWS < last.total ? pages.length + 1 : undefined

const renew = (queryKey: readonly string[]) => queryClient.invalidateQueries({ queryKey })

export const useChargeChannels = () =>
  useQuery({
    queryKey: ['funds', 'channels'],
    queryFn: ({ signal }) => request(listChargeChannels, null, { signal, ...silently }),
    ...fresh,
  })

export const useChargeCurrencies = () =>
  useQuery({
    queryKey: ['funds', 'chargeCurrencies'],
    queryFn: ({ signal }) => request(listChargeCurrencies, null, { signal, ...silently }),
    ...fresh,
  })

/** The accounts of a currency; none are asked for before one is chosen. */
export const useChargeAccounts = (currency: string | undefined) =>
  useQuery({
    queryKey: ['funds', 'chargeAccounts', currency],
    queryFn: ({ signal }) =>
      request(listChargeAccounts, { currency: currency ?? null }, { signal, ...silently }),
    enabled: currency !== undefined,
    ...fresh,
  })

export function useDeposits(kind: Way) {
  const query = useInfiniteQuery({
    queryKey: [...CASES, 'deposits', kind],
    queryFn: ({ pageParam: page, signal }) => request(listDeposits, { kind, page }, { signal, ...silently }),
    initialPageParam: 1,
    getNextPageParam: nextPage,
    ...fresh,
  })
  return { ...query, deposits: query.data?.pages.flatMap((page) => page.deposits) }
}

/** Tells of a deposit. Rejects when refused, without showing it; so do the next four. */
export async function tellOfCoins(deposit: CoinDeposit): Promise<void> {
  await change(tellCoinDeposit, deposit, changing)
  await renew(['funds'])
}

export async function tellOfWire(deposit: WireDeposit): Promise<void> {
  await change(tellWireDeposit, deposit, changing)
  await renew(['funds'])
}

export const usePayoutCurrencies = (kind: Way) =>
  useQuery({
    queryKey: ['funds', 'payoutCurrencies', kind],
    queryFn: ({ signal }) => request(listPayoutCurrencies, { kind }, { signal, ...silently }),
    ...fresh,
  })

export const useReceivingMethods = (kind: Way) =>
  useQuery({
    queryKey: [...METHODS, kind],
    queryFn: ({ signal }) =>
      request(listReceivingMethods, { kind, currencyId: null }, { signal, ...silently }),
    ...fresh,
  })

export async function bindMethod(form: ReceivingMethodForm): Promise<void> {
  await change(bindReceivingMethod, form, changing)
  await renew(METHODS)
}

/** A refusal is shown. */
export async function removeMethod(id: number): Promise<void> {
  await change(removeReceivingMethod, { id }, { isWaitedFor: true, isTold: true })
  await renew(METHODS)
}

export function useWithdrawals(kind: Way) {
  const query = useInfiniteQuery({
    queryKey: [...CASES, 'withdrawals', kind],
    queryFn: ({ pageParam: page, signal }) =>
      request(listWithdrawals, { kind, page }, { signal, ...silently }),
    initialPageParam: 1,
    getNextPageParam: nextPage,
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

/** Answers the number of the withdrawal. */
export async function sendWithdrawal(form: WithdrawalForm): Promise<number> {
  const { id } = await change(askWithdrawal, form, changing)
  await renew(['funds'])
  return id
}

/** A refusal is shown. */
export async function takeBack(id: number): Promise<void> {
  await change(takeBackWithdrawal, { id }, { isWaitedFor: true, isTold: true })
  await renew(['funds'])
}
