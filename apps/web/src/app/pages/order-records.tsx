import type { OrderView, StrategyOrder } from '@fairlot/contract'
import type { ReactNode } from 'react'
import { SmallPart } from '@fairlot/ui/feedback/boundary.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { lazyWithMessages } from '../lazy-with-messages.tsx'

const OrderRecord = lazyWithMessages(
  'trading',
  async () => (await import('../../features/trading/orders/order-record.tsx')).OrderRecord,
)

const PublicOrder = lazyWithMessages(
  'trading',
  async () => (await import('../../features/trading/orders/public-order.tsx')).PublicOrder,
)

const inFrame = (record: ReactNode): ReactNode => (
  <SmallPart loading={<Skeleton shape="my-2 h-12 w-full" />}>{record}</SmallPart>
)

/** A closed order of somebody else's strategy. */
export const recordOfOthers = (order: StrategyOrder): ReactNode => inFrame(<PublicOrder order={order} />)

/** An order of the own account or of an own copy; `action` stands beside an open one. */
export const ownRecord = (order: OrderView, action?: ReactNode): ReactNode =>
  inFrame(<OrderRecord order={order} action={action} />)
