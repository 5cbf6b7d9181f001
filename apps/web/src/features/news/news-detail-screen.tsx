import { FileX2 } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { CallError, type NewsItem } from '@fairlot/contract'
import { buttonClass } from '@fairlot/ui/controls/button.tsx'
import { EmptyState } from '@fairlot/ui/feedback/empty-state.tsx'
import { Link, useSearchParams } from '@fairlot/ui/navigation/router.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { directionOf, tagOf } from '../../i18n/language.ts'
import { CleanHtml } from './clean-html.tsx'
import { NewsFacts, NewsFailed } from './news-facts.tsx'
import { useNewsItem } from './queries.ts'

/** The item id in the query; null if it is not a valid id. */
const parseId = (text: string | null): number | null =>
  text !== null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null

/** One news item in full. */
export function NewsDetailScreen() {
  const [query] = useSearchParams()
  const id = parseId(query.get('id'))
  const { data, error, refetch } = useNewsItem(id)
  const isGone = error instanceof CallError && error.failure.reason === 'contentNotFound'
  return (
    <div className="mx-auto max-w-2xl px-4 pb-10">
      {id === null || isGone ? (
        <Gone />
      ) : data ? (
        <Item item={data} />
      ) : error ? (
        <NewsFailed error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading />
      )}
    </div>
  )
}

function Item({ item }: { item: NewsItem }) {
  const locale = { lang: tagOf(item.language), dir: directionOf(item.language) }
  return (
    <article className="flex flex-col gap-3">
      <h2 className="text-title font-bold break-words" {...locale}>
        {item.title}
      </h2>
      <NewsFacts item={item} />
      {item.picture !== '' && <ItemPicture src={item.picture} />}
      <div {...locale} className="flex flex-col gap-3">
        {item.summary !== '' && <p className="font-medium break-words">{item.summary}</p>}
        <CleanHtml html={item.content} />
      </div>
    </article>
  )
}

/** A picture that cannot be loaded leaves no gap. */
const ItemPicture = ({ src }: { src: string }) => (
  <img
    src={src}
    alt=""
    className="max-h-80 w-full rounded-card bg-surface object-cover"
    onError={({ currentTarget }) => (currentTarget.hidden = true)}
  />
)

function Gone() {
  const t = useTranslations('news')
  return (
    <EmptyState
      icon={FileX2}
      title={t('gone')}
      text={t('goneText')}
      action={
        <Link to="/news" className={buttonClass('outline')}>
          {t('toNews')}
        </Link>
      }
    />
  )
}

const Loading = () => (
  <div className="flex flex-col gap-3">
    <Skeleton shape="h-6 w-4/5" />
    <Skeleton shape="h-3 w-40" />
    <Skeleton shape="h-40 w-full" />
    <Skeleton shape="h-24 w-full" />
  </div>
)
