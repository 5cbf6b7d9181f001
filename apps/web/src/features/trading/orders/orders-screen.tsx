import type { OrderList as List } from '@fairlot/contract'
import { useCallback, useState } from 'react'
import { useSearchParams } from '@fairlot/ui/router.tsx'
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
  useAsked((asked) => {
    setList('history')
    setOpenId(asked)
  })
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

/** A link may ask for the history, and for one order in it: `?list=history&order=12`. Told once for each visit by such a link. */
function useAsked(show: (orderId: number | null) => void): void {
  const [search] = useSearchParams()
  const asked = search.get('list') === 'history' ? (search.get('order') ?? '') : null
  const [shown, setShown] = useState<string | null>(null)
  if (asked === shown) return
  setShown(asked)
  if (asked !== null) show(Number(asked) || null)
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
