import { Card } from '@fairlot/ui/layout/card.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'

/** Placeholder of the account card. In a file of its own, because a visitor's first page loads it and not the card. */
export const AccountCardSkeleton = () => (
  <Card>
    <div className="flex flex-col gap-3.5">
      <div className="flex h-12 items-end justify-between">
        <Skeleton shape="h-7 w-36" />
        <Skeleton shape="h-5 w-20" />
        <Skeleton shape="h-5 w-14" />
      </div>
      <Skeleton shape="h-1 w-full" />
      <Skeleton shape="h-9 w-full" />
    </div>
  </Card>
)
