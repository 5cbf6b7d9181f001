import {
  Building2,
  CandlestickChart,
  Landmark,
  type LucideIcon,
  Megaphone,
  Newspaper,
  Pin,
  Sparkles,
} from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { NewsCategory, NewsRow as Row } from '@fairlot/contract'
import { Chip, ChipRow } from '@fairlot/ui/controls/chip.tsx'
import { Dot } from '@fairlot/ui/feedback/dot.tsx'
import { EmptyState } from '@fairlot/ui/feedback/empty-state.tsx'
import { Icon } from '@fairlot/ui/graphics/icon.tsx'
import { PullToRefresh } from '@fairlot/ui/layout/pull-to-refresh.tsx'
import { Link } from '@fairlot/ui/navigation/router.tsx'
import { useScrollBox } from '@fairlot/ui/navigation/scroll-box.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { directionOf, tagOf } from '../../i18n/language.ts'
import { useIsLoggedIn } from '../../live/device/token.ts'
import { markNewsSeen, useLatestNewsAt, useNewsSeen } from '../../live/news.ts'
import { MoreButton } from '../../ui/more-button.tsx'
import { NewsFacts, NewsFailed } from './news-facts.tsx'
import { useNews } from './queries.ts'

const CATEGORIES: readonly NewsCategory[] = [
  ...(['all', 'announcements', 'company', 'market', 'product', 'policy'] as const),
]

/** News and announcements, all or of one category. Opening it marks them as seen. */
export function NewsScreen() {
  const t = useTranslations('news')
  const [category, setCategory] = useState<NewsCategory>('all')
  const news = useNews(category)
  const seenBefore = useMarkNewsSeen(category === 'all' && news.isSuccess)
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

/** Announcements only, opened from the user centre. */
export const AnnouncementScreen = () => (
  <div className="mx-auto flex max-w-2xl flex-col px-4 pb-6">
    <NewsList news={useNews('announcements')} seenBefore={undefined} />
  </div>
)

/**
 * Marks all news as seen while the list is shown. Returns up to which moment (epoch ms) the reader had seen them before, so that
 * new items can still be marked; null for never, undefined while that is unknown.
 */
function useMarkNewsSeen(isShown: boolean): number | null | undefined {
  const isLoggedIn = useIsLoggedIn()
  const latest = useLatestNewsAt()
  const seen = useNewsSeen()
  const [before, setBefore] = useState<number | null>()
  if (before === undefined && seen !== undefined) setBefore(seen)
  // The screen stays mounted when left: the next visit starts from what this one marked as seen.
  useEffect(() => () => setBefore(undefined), [isLoggedIn])
  useEffect(() => {
    if (!isShown || typeof latest !== 'number' || seen === undefined) return
    if (latest > (seen ?? 0)) markNewsSeen(latest, isLoggedIn)
  }, [isShown, latest, seen, isLoggedIn])
  return before
}

type NewsListProps = {
  news: ReturnType<typeof useNews>
  /** Up to which moment the reader had seen the news before, epoch ms; null for never, undefined to mark none as new. */
  seenBefore: number | null | undefined
}

/** The loaded items, and a button for more. */
function NewsList({ news, seenBefore }: NewsListProps) {
  const t = useTranslations('news')
  const { items, error, refetch } = news
  if (!items) return error ? <NewsFailed error={error} onRetry={() => void refetch()} /> : <Loading />
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

const ICONS: Record<Row['category'], LucideIcon> = {
  announcements: Megaphone,
  company: Building2,
  market: CandlestickChart,
  product: Sparkles,
  policy: Landmark,
}

/** One item of the list: picture, title, summary, and when it was published. */
function NewsRow({ item, isNew }: { item: Row; isNew: boolean }) {
  const t = useTranslations('news')
  const { id, title, summary, isPinned } = item
  const locale = { lang: tagOf(item.language), dir: directionOf(item.language) }
  return (
    <li>
      <Link to={`/news/detail?id=${id}`} className="flex items-start gap-3 py-3">
        <Picture item={item} />
        <span className="flex min-w-0 grow flex-col gap-0.5">
          <span className="flex gap-1.5">
            {isNew && (
              <span className="flex h-[1lh] shrink-0 items-center">
                <Dot tone="brass" />
                <span className="sr-only">{t('isNew')}</span>
              </span>
            )}
            {isPinned && (
              <span className="flex h-[1lh] shrink-0 items-center text-brass">
                <Icon of={Pin} size={14} />
                <span className="sr-only">{t('isPinned')}</span>
              </span>
            )}
            <span className="line-clamp-2 min-w-0 grow font-bold break-words">
              <bdi {...locale}>{title}</bdi>
            </span>
          </span>
          {summary !== '' && (
            <span className="line-clamp-2 text-note break-words text-second">
              <bdi {...locale}>{summary}</bdi>
            </span>
          )}
          <NewsFacts item={item} />
        </span>
      </Link>
    </li>
  )
}

/** The picture of an item, or the icon of its category. */
const Picture = ({ item: { picture, category } }: { item: Row }) => (
  <span className="relative grid size-16 shrink-0 place-items-center overflow-hidden rounded-field bg-surface text-third">
    <Icon of={ICONS[category]} />
    {picture !== '' && (
      // If the picture cannot be loaded, the icon behind it shows.
      <img
        src={picture}
        alt=""
        loading="lazy"
        className="absolute inset-0 size-full bg-surface object-cover"
        onError={({ currentTarget }) => (currentTarget.hidden = true)}
      />
    )}
  </span>
)
