import type { Closing, ClosingObstacle } from '@fairlot/contract'
import { ListLink } from '@fairlot/ui/list-link.tsx'
import {
  ArrowDownToLine,
  ArrowUpFromLine,
  ChartCandlestick,
  Clock,
  ScrollText,
  type LucideIcon,
} from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'

/** Where each of them is brought to its end. */
const WAYS: Record<ClosingObstacle['what'], { readonly icon: LucideIcon; readonly to: string }> = {
  positionsOpen: { icon: ChartCandlestick, to: '/order' },
  ordersPending: { icon: Clock, to: '/order' },
  depositsOpen: { icon: ArrowDownToLine, to: '/mine/charge' },
  withdrawalsOpen: { icon: ArrowUpFromLine, to: '/mine/withdraw' },
  correctionsOpen: { icon: ScrollText, to: '/mine/activity' },
  balanceLeft: { icon: ArrowUpFromLine, to: '/mine/withdraw' },
}

/** What has to be done before the account can be closed; each leads to where it is done. */
export function Obstacles({ obstacles, leftMax }: Pick<Closing, 'obstacles' | 'leftMax'>) {
  const t = useTranslations('ownData')
  const { figures } = useLocale()
  return (
    <>
      <p className="mb-1 text-note text-second">{t('first')}</p>
      <div className="-mb-3 divide-y divide-line">
        {obstacles.map(({ what, count, amount }) => (
          <ListLink
            key={what}
            {...WAYS[what]}
            title={t(`obstacle.${what}`, {
              ...{ count: count ?? 0, amount: amount === null ? '' : figures.money(amount) },
            })}
            note={t(`todo.${what}`, { most: figures.money(leftMax) })}
          />
        ))}
      </div>
    </>
  )
}
