import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { classNames } from '@fairlot/ui/class-names.ts'
import { FineFigure } from '@fairlot/ui/fine-figure.tsx'
import type { OrderCost } from './ticket-summary.ts'

type CostLineProps = { cost: OrderCost | null; available: bigint | null; isAffordable: boolean }

/** What the order holds back and costs, and what there is. */
export function CostLine({ cost, available, isAffordable }: CostLineProps) {
  const t = useTranslations('ticket')
  const { figures } = useLocale()
  return (
    <dl className="flex flex-wrap gap-x-4 gap-y-0.5 text-note">
      <Part term={t('margin')}>{cost ? <FineFigure parts={figures.fine(cost.margin)} /> : '–'}</Part>
      <Part term={t('fee')}>{cost ? <FineFigure parts={figures.fine(cost.fee)} /> : '–'}</Part>
      {available !== null && (
        <Part term={t('available')}>
          <bdi dir="ltr" className={classNames(!isAffordable && 'text-danger')}>
            {figures.money(available)}
          </bdi>
        </Part>
      )}
    </dl>
  )
}

const Part = ({ term, children }: { term: string; children: React.ReactNode }) => (
  <div className="flex items-baseline gap-1.5 whitespace-nowrap">
    <dt className="text-second">{term}</dt>
    <dd className="font-bold">{children}</dd>
  </div>
)
