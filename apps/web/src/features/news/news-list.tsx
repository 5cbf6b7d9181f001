import { EmptyState } from '@fairlot/ui/empty-state.tsx'
import { Skeleton } from '@fairlot/ui/skeleton.tsx'
import { Newspaper } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { NewsRow } from './news-row.tsx'
import type { useNews } from './queries.ts'
import { FailedState } from '../../ui/failed-state.tsx'
import { MoreButton } from '../../ui/more-button.tsx'

type NewsListProps = {
  news: ReturnType<typeof useNews>
  /** Up to which moment the reader had seen them before, epoch ms; null for never, undefined to mark none as new. */
  seenBefore: number | null | undefined
}

/** The rows that were fetched, and a button for more. */
export function NewsList({ news, seenBefore }: NewsListProps) {
  const t = useTranslations('news')
  const { items, error, refetch } = news
  if (!items) return error ? <Failed error={error} onRetry={() => void refetch()} /> : <Loading />
  if (items.length === 0) return <EmptyState icon={Newspaper} title={t('empty')} text={t('emptyText')} />
  return (
    <>
      <ul className="divide-y divide-line">
        {items.map((item) => (
          <NewsRow
            key={item.id}
            item={item}
            isNew={seenBefore !== undefined && item.publishedAt > (seenBefore ?? 0)}
          />
        ))}
      </ul>
      <MoreButton pages={news} />
    </>
  )
}

/** What could not be had, and a way to ask once more. */
export function Failed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const t = useTranslations()
  const text = t('news.failedText')
  return <FailedState title={t('news.failed')} text={text} error={error} onRetry={onRetry} />
}

const Loading = () => (
  <div className="divide-y divide-line">
    {[0, 1, 2, 3, 4].map((row) => (
      <div key={row} className="flex items-center gap-3 py-3">
        <Skeleton shape="size-16 shrink-0" />
        <span className="flex grow flex-col gap-2">
          <Skeleton shape="h-3.5 w-4/5" />
          <Skeleton shape="h-2.5 w-3/5" />
          <Skeleton shape="h-2.5 w-24" />
        </span>
      </div>
    ))}
  </div>
)
