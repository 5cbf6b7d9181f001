import type { OrderView } from '@fairlot/contract'
import { type ReactNode, Suspense } from 'react'
import { useTranslations } from 'use-intl'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { useSearchParams } from '@fairlot/ui/navigation/router.tsx'
import { CopyScreen } from '../../features/copying/copy-screen.tsx'
import { parseId } from '../../features/copying/figures.tsx'
import { useCopy, useStrategy } from '../../features/copying/queries.ts'
import { StartCopyScreen } from '../../features/copying/start-copy-screen.tsx'
import { StrategyScreen } from '../../features/copying/strategy-screen.tsx'
import { BackHeader } from '../back-header.tsx'
import { lazyWithMessages } from '../lazy-with-messages.tsx'

const OrderRecord = lazyWithMessages(
  'trading',
  async () => (await import('../../features/trading/orders/order-record.tsx')).OrderRecord,
)

const inFrame = (record: ReactNode): ReactNode => (
  <Suspense fallback={<Skeleton shape="my-2 h-12 w-full" />}>{record}</Suspense>
)

const recordOfOthers = (order: OrderView): ReactNode => inFrame(<OrderRecord order={order} isOthers />)

const ownRecord = (order: OrderView, action?: ReactNode): ReactNode =>
  inFrame(<OrderRecord order={order} action={action} />)

/** The id in the query of the address. */
function useId(): number | null {
  const [search] = useSearchParams()
  return parseId(search.get('id'))
}

export function StrategyPage() {
  const t = useTranslations('screens')
  const { data } = useStrategy(useId())
  return (
    <>
      <BackHeader title={data?.name ?? t('strategy')} isWide />
      <StrategyScreen renderOrder={recordOfOthers} />
    </>
  )
}

export function StartCopyPage() {
  const t = useTranslations()
  const { data } = useStrategy(useId())
  return (
    <>
      <BackHeader
        title={data ? t('copying.copyNamed', { name: data.name }) : t('screens.startCopy')}
        isWide
      />
      <StartCopyScreen />
    </>
  )
}

export function CopyPage() {
  const t = useTranslations()
  const { data } = useCopy(useId())
  return (
    <>
      <BackHeader
        title={data ? t('copying.copiedName', { name: data.copy.name }) : t('screens.copy')}
        isWide
      />
      <CopyScreen renderOrder={ownRecord} />
    </>
  )
}
