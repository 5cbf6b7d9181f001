import { useTranslations } from 'use-intl'
import { FactList } from '@fairlot/ui/fact-list.tsx'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { useDeposit } from '../payment-queries.ts'

/** One deposit in full. */
export function DepositFacts({ id }: { id: number }) {
  const t = useTranslations('payments')
  const { figures, moments } = useLocale()
  const number = t('depositNumber', { number: String(id) })
  return (
    <div className="flex flex-col gap-3 pt-1 pb-6">
      <h2 className="text-title font-bold">{number}</h2>
      <Loaded query={useDeposit(id)}>
        {({ amount, credited, currency, network, status, createdAt, endedAt, remark }) => (
          <FactList
            facts={[
              { label: t('depositTold'), value: <bdi dir="ltr">{figures.money(amount)}</bdi> },
              {
                label: t('depositCredited'),
                value: credited !== null && <bdi dir="ltr">{figures.money(credited)}</bdi>,
              },
              { label: t('currency'), value: [currency, network].filter((part) => part !== '').join(' · ') },
              { label: t('depositState'), value: t(`depositStatus.${status}`) },
              { label: t('depositToldAt'), value: moments.dateTime(createdAt) },
              { label: t('depositEndedAt'), value: endedAt !== null && moments.dateTime(endedAt) },
              { label: t('depositRemark'), value: remark },
            ].filter(({ value }) => value !== '' && value !== false)}
          />
        )}
      </Loaded>
    </div>
  )
}
