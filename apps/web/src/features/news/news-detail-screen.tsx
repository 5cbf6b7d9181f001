import { CallError, type NewsItem } from '@fairlot/contract'
import { buttonClass } from '@fairlot/ui/button.tsx'
import { EmptyState } from '@fairlot/ui/empty-state.tsx'
import { Skeleton } from '@fairlot/ui/skeleton.tsx'
import { FileX2 } from 'lucide-react'
import { Link, useSearchParams } from '@fairlot/ui/router.tsx'
import { useTranslations } from 'use-intl'
import { directionOf, tagOf } from '../../i18n/language.ts'
import { CleanHtml } from './clean-html.tsx'
import { NewsFacts } from './news-facts.tsx'
import { Failed } from './news-list.tsx'
import { useNewsItem } from './queries.ts'

/** The number in the address; null for what can be no number of an item. */
const idIn = (text: string | null): number | null =>
  text !== null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null

/** One item of news, whole. */
export function NewsDetailScreen() {
  const [query] = useSearchParams()
  const id = idIn(query.get('id'))
  const { data, error, refetch } = useNewsItem(id)
  const isGone = error instanceof CallError && error.failure.reason === 'contentNotFound'
  return (
    <div className="mx-auto max-w-2xl px-4 pb-10">
      {id === null || isGone ? (
        <Gone />
      ) : data ? (
        <Item item={data} />
      ) : error ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading />
      )}
    </div>
  )
}

function Item({ item }: { item: NewsItem }) {
  const written = { lang: tagOf(item.language), dir: directionOf(item.language) }
  return (
    <article className="flex flex-col gap-3">
      <h2 className="text-title font-bold break-words" {...written}>
        {item.title}
      </h2>
      <NewsFacts item={item} />
      {item.picture !== '' && <ItemPicture src={item.picture} />}
      <div {...written} className="flex flex-col gap-3">
        {item.summary !== '' && <p className="font-medium break-words">{item.summary}</p>}
        <CleanHtml html={item.content} />
      </div>
    </article>
  )
}

/** One that does not come leaves no gap. */
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
