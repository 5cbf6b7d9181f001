import { useTranslations } from 'use-intl'
import { Skeleton } from '../../ui/skeleton.tsx'

const ROWS = 10

/** Ten rows in the shape of the list to come. */
export function ListSkeleton() {
  const t = useTranslations('app')
  return (
    <div role="status" aria-label={t('loading')} className="@container divide-y divide-line">
      {Array.from({ length: ROWS }, (_, row) => (
        <div
          key={row}
          className="grid min-h-16 grid-cols-[44px_minmax(0,1fr)_60px_84px] items-center gap-x-2.5 py-2.5 @max-[17rem]:grid-cols-[44px_minmax(0,1fr)_84px]"
        >
          <Skeleton shape="h-7 w-11" />
          <span className="flex flex-col gap-2">
            <Skeleton shape="h-3.5 w-20" />
            <Skeleton shape="h-2.5 w-28 max-w-full" />
          </span>
          <span className="@max-[17rem]:hidden">
            <Skeleton shape="h-6 w-full" />
          </span>
          <span className="flex flex-col items-end gap-2">
            <Skeleton shape="h-3.5 w-18" />
            <Skeleton shape="h-2.5 w-12" />
          </span>
        </div>
      ))}
    </div>
  )
}
