import { Skeleton } from '../ui/skeleton.tsx'

/** What stands in the place of a screen whose code is on its way. */
export const ScreenSkeleton = () => (
  <div className="mx-auto flex max-w-2xl flex-col gap-4 p-4">
    <Skeleton shape="h-8 w-40" />
    <Skeleton shape="h-28 w-full" />
    <Skeleton shape="h-11 w-full" />
    <Skeleton shape="h-64 w-full" />
  </div>
)
