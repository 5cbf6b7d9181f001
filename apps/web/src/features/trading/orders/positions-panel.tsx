import type { OrderList as List } from '@fairlot/contract'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useOrders } from '../../../live/account/orders.ts'
import { Segmented } from '@fairlot/ui/segmented.tsx'
import { CloseAll } from './close-all.tsx'
import { More, NoOrders, OrdersFailed } from './order-list.tsx'
import { OrderSheet } from './order-sheet.tsx'
import { useTabs } from './orders-screen.tsx'
import { PositionsTable } from './positions-table.tsx'

/** The user's orders as a table under the chart. */
export function PositionsPanel() {
  const t = useTranslations('order')
  const [list, setList] = useState<List>('holding')
  const [openId, setOpenId] = useState<number | null>(null)
  const state = useOrders(list)
  const order = state.orders?.find(({ id }) => id === openId)
  return (
    <div className="flex flex-col gap-1 px-5 py-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <div className="w-96">
          <Segmented label={t('tabs')} trough="surface" options={useTabs()} value={list} onChange={setList} />
        </div>
        {list === 'holding' && state.orders && <CloseAll orders={state.orders} total={state.total ?? 0} />}
      </div>
      {state.isFailed && <OrdersFailed onRetry={state.refetch} />}
      {state.orders?.length === 0 && <NoOrders list={list} />}
      {state.orders && state.orders.length > 0 && (
        <div className="overflow-x-auto">
          <PositionsTable orders={state.orders} onOpen={setOpenId} />
        </div>
      )}
      <More state={state} />
      <OrderSheet
        order={order}
        isOpen={openId !== null && order !== undefined}
        onClose={() => setOpenId(null)}
      />
    </div>
  )
}
