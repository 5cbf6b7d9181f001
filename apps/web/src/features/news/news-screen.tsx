import type { NewsCategory } from '@fairlot/contract'
import { Chip, ChipRow } from '@fairlot/ui/chip.tsx'
import { PullToRefresh } from '@fairlot/ui/pull-to-refresh.tsx'
import { useScrollBox } from '@fairlot/ui/scroll-box.tsx'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { NewsList } from './news-list.tsx'
import { useNews } from './queries.ts'
import { useSeeing } from './use-seeing.ts'

const CATEGORIES: readonly NewsCategory[] = [
  ...(['all', 'announcements', 'company', 'market', 'product', 'policy'] as const),
]

/** News and announcements, all or of one category. Who opens it has seen what is new. */
export function NewsScreen() {
  const t = useTranslations('news')
  const [category, setCategory] = useState<NewsCategory>('all')
  const news = useNews(category)
  const seenBefore = useSeeing(category === 'all' && news.isSuccess)
  const box = useScrollBox()
  return (
    <>
      <PullToRefresh box={box} label={t('refreshing')} onRefresh={() => void news.refetch()} />
      <div className="mx-auto flex max-w-2xl flex-col gap-2 px-4 pb-6">
        <ChipRow label={t('categories')}>
          {CATEGORIES.map((each) => (
            <Chip key={each} isSelected={each === category} onSelect={() => setCategory(each)}>
              {t(`category.${each}`)}
            </Chip>
          ))}
        </ChipRow>
        <NewsList news={news} seenBefore={seenBefore} />
      </div>
    </>
  )
}

/** The announcements alone, as the user centre leads to them. */
export const AnnouncementScreen = () => (
  <div className="mx-auto flex max-w-2xl flex-col px-4 pb-6">
    <NewsList news={useNews('announcements')} seenBefore={undefined} />
  </div>
)
