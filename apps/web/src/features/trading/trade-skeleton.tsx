import { useTranslations } from 'use-intl'
import { Skeleton } from '@fairlot/ui/skeleton.tsx'

/** The trade screen in grey: head, price, chart, ticket. */
export function TradeSkeleton() {
  const t = useTranslations('app')
  return (
    <div role="status" aria-label={t('loading')} className="flex h-full flex-col gap-3 pt-3">
      <div className="flex items-center gap-3 px-4">
        <Skeleton shape="h-7 w-11" />
        <Skeleton shape="h-8 w-28" />
      </div>
      <div className="px-4">
        <Skeleton shape="h-10 w-44" />
      </div>
      <div className="flex-1" />
      <div className="flex flex-col gap-3 rounded-t-sheet bg-surface p-4">
        <Skeleton shape="h-11 w-full" />
        <div className="grid grid-cols-2 gap-2">
          {[0, 1, 2, 3].map((at) => (
            <Skeleton key={at} shape="h-11 w-full" />
          ))}
        </div>
        <div className="grid grid-cols-2 gap-2">
          <Skeleton shape="h-15 w-full" />
          <Skeleton shape="h-15 w-full" />
        </div>
      </div>
    </div>
  )
}
