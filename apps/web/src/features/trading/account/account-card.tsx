import { lazy, Suspense } from 'react'
import { useAccountFigures } from '../../../live/account/account.ts'
import { Card } from '@fairlot/ui/card.tsx'
import { Skeleton } from '@fairlot/ui/skeleton.tsx'

// A visitor needs none of it, and it brings the arithmetic of stop-outs.
const AccountOverview = lazy(async () => ({
  default: (await import('./account-overview.tsx')).AccountOverview,
}))

/** The account at a glance. */
export function AccountCard() {
  const figures = useAccountFigures()
  return (
    <Card>
      {figures ? (
        <Suspense fallback={<Loading />}>
          <AccountOverview figures={figures} />
        </Suspense>
      ) : (
        <Loading />
      )}
    </Card>
  )
}

const Loading = () => (
  <div className="flex flex-col gap-3.5">
    <div className="flex h-12 items-end justify-between">
      <Skeleton shape="h-7 w-36" />
      <Skeleton shape="h-5 w-20" />
      <Skeleton shape="h-5 w-14" />
    </div>
    <Skeleton shape="h-1 w-full" />
    <Skeleton shape="h-9 w-full" />
  </div>
)
