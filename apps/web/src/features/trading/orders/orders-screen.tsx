import type { OrderList as List } from '@fairlot/contract'
import { useCallback, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { refreshAccount } from '../../../live/account/account.ts'
import { useOrders } from '../../../live/account/orders.ts'
import { PullToRefresh } from '@fairlot/ui/pull-to-refresh.tsx'
import { useScrollBox } from '@fairlot/ui/scroll-box.tsx'
import { Segmented } from '@fairlot/ui/segmented.tsx'
import { CloseAll } from './close-all.tsx'
import { OrderList } from './order-list.tsx'
import { OrderSheet } from './order-sheet.tsx'
import { OrderSummary } from './order-summary.tsx'

/** What the user holds, waits for and has ended, under the account's figures. */
export function OrdersScreen() {
  const t = useTranslations()
  const [list, setList] = useState<List>('holding')
  const [openId, setOpenId] = useState<number | null>(null)
  const state = useOrders(list)
  const refresh = useCallback(() => void refreshAccount(), [])
  const order = state.orders?.find(({ id }) => id === openId)
  return (
    <>
      <PullToRefresh box={useScrollBox()} label={t('market.refreshing')} onRefresh={refresh} />
      <div className="mx-auto flex max-w-2xl flex-col gap-3 px-4 pb-4">
        <OrderSummary bookedProfit={list === 'history' ? state.profit : undefined} />
        <Segmented
          label={t('order.tabs')}
          trough="surface"
          options={useTabs()}
          value={list}
          onChange={setList}
        />
        {list === 'holding' && state.orders && <CloseAll orders={state.orders} total={state.total ?? 0} />}
        <OrderList list={list} state={state} onOpen={setOpenId} />
      </div>
      <OrderSheet
        order={order}
        isOpen={openId !== null && order !== undefined}
        onClose={() => setOpenId(null)}
      />
    </>
  )
}

/** The three lists with how many orders are in those that live. */
export function useTabs(): { value: List; label: string }[] {
  const t = useTranslations('order')
  const { figures } = useLocale()
  const { total: holding } = useOrders('holding')
  const { total: pending } = useOrders('pending')
  return [
    {
      value: 'holding',
      label: holding ? t('holdingCount', { count: figures.count(holding) }) : t('holding'),
    },
    {
      value: 'pending',
      label: pending ? t('pendingCount', { count: figures.count(pending) }) : t('pending'),
    },
    { value: 'history', label: t('history') },
  ]
}
