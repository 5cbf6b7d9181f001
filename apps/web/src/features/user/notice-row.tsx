import type { NoticeGroup, NoticeRow as Row } from '@fairlot/contract'
import { Dot } from '@fairlot/ui/dot.tsx'
import { Icon } from '@fairlot/ui/icon.tsx'
import {
  ArrowDownToLine,
  ArrowUpFromLine,
  ClipboardList,
  Megaphone,
  BadgeCheck,
  Headset,
  ShieldCheck,
  TrendingDown,
  TriangleAlert,
  UserRoundCog,
} from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import { Link } from '@fairlot/ui/router.tsx'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../i18n/locale-provider.tsx'
import { noticePath } from './notice-path.ts'

const ICONS: Record<NoticeGroup, LucideIcon> = {
  ...{ margin: TriangleAlert, stopOut: TrendingDown, orders: ClipboardList, account: UserRoundCog },
  ...{
    deposit: ArrowDownToLine,
    withdrawal: ArrowUpFromLine,
    identity: BadgeCheck,
    news: Megaphone,
    support: Headset,
    security: ShieldCheck,
  },
}

const isGrave = (group: NoticeGroup): boolean => group === 'margin' || group === 'stopOut'

/** One notice: what it is about, what happened and when; it leads to where one can see more. */
export function NoticeRow({ notice }: { notice: Row }) {
  const t = useTranslations('notices')
  const { moments } = useLocale()
  const { group, title, text, time, isRead } = notice
  return (
    <li>
      <Link to={noticePath(notice)} className="flex items-start gap-3 py-3">
        <span
          className={`grid size-9 shrink-0 place-items-center rounded-full bg-surface ${isGrave(group) ? 'text-danger' : 'text-second'}`}
        >
          <Icon of={ICONS[group]} size={18} />
        </span>
        <span className="flex min-w-0 grow flex-col gap-0.5">
          <span className="flex gap-1.5">
            {!isRead && (
              <span className="flex h-[1lh] shrink-0 items-center">
                <Dot tone="brass" />
                <span className="sr-only">{t('isNew')}</span>
              </span>
            )}
            {/* Words may be of another language than the screen, and of another direction. */}
            <bdi className="min-w-0 grow font-bold break-words">{title}</bdi>
          </span>
          {text !== '' && <bdi className="line-clamp-4 break-words">{text}</bdi>}
          <span className="text-note text-second">
            <bdi>{moments.dateTime(time)}</bdi>
          </span>
        </span>
      </Link>
    </li>
  )
}
