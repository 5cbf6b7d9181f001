import { useTranslations } from 'use-intl'
import { useLocale } from '../../i18n/locale-provider.tsx'
import { Card } from '@fairlot/ui/card.tsx'
import { Skeleton } from '@fairlot/ui/skeleton.tsx'
import { FailedLine } from '../../ui/failed-line.tsx'
import { useFunds } from './queries.ts'

/** What may be used, and what is held for withdrawals. */
export function BalanceCard() {
  const t = useTranslations('funds')
  const { data: funds, isError, refetch } = useFunds()
  if (isError && !funds)
    return (
      <Card>
        <FailedLine text={t('balanceFailed')} onRetry={refetch} />
      </Card>
    )
  return (
    <Card>
      <dl className="flex flex-wrap justify-between gap-x-6 gap-y-3">
        <Amount name={t('available')} units={funds?.available} isMain />
        <Amount name={t('frozen')} units={funds?.frozen} note={t('frozenText')} />
      </dl>
    </Card>
  )
}

type AmountProps = { name: string; units: bigint | undefined; note?: string; isMain?: boolean }

function Amount({ name, units, note, isMain = false }: AmountProps) {
  const { figures } = useLocale()
  return (
    <div>
      <dt className="text-tiny text-second">{name}</dt>
      <dd className={`font-bold ${isMain ? 'text-figure' : 'text-title'}`}>
        {units === undefined ? <Skeleton shape="h-7 w-32" /> : <bdi dir="ltr">{figures.money(units)}</bdi>}
      </dd>
      {note && <dd className="text-tiny text-second">{note}</dd>}
    </div>
  )
}
