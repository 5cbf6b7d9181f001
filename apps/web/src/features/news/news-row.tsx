import type { NewsRow as Row } from '@fairlot/contract'
import { Dot } from '@fairlot/ui/dot.tsx'
import { Icon } from '@fairlot/ui/icon.tsx'
import { Building2, CandlestickChart, Landmark, Megaphone, Pin, Sparkles } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import { Link } from '@fairlot/ui/router.tsx'
import { useTranslations } from 'use-intl'
import { directionOf, tagOf } from '../../i18n/language.ts'
import { NewsFacts } from './news-facts.tsx'

const ICONS: Record<Row['category'], LucideIcon> = {
  announcements: Megaphone,
  company: Building2,
  market: CandlestickChart,
  product: Sparkles,
  policy: Landmark,
}

/** One item of the list: picture, title, what it says in short, and when it was published. */
export function NewsRow({ item, isNew }: { item: Row; isNew: boolean }) {
  const t = useTranslations('news')
  const { id, title, summary, isPinned } = item
  const written = { lang: tagOf(item.language), dir: directionOf(item.language) }
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
              <bdi {...written}>{title}</bdi>
            </span>
          </span>
          {summary !== '' && (
            <span className="line-clamp-2 text-note break-words text-second">
              <bdi {...written}>{summary}</bdi>
            </span>
          )}
          <NewsFacts item={item} />
        </span>
      </Link>
    </li>
  )
}

/** The picture of an item, else the sign of its category. */
const Picture = ({ item: { picture, category } }: { item: Row }) => (
  <span className="relative grid size-16 shrink-0 place-items-center overflow-hidden rounded-field bg-surface text-third">
    <Icon of={ICONS[category]} />
    {picture !== '' && (
      // A picture that does not come leaves the sign in its place.
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
