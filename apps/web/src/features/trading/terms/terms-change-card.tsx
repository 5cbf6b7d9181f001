import { termsCard, type TermsChange } from '@fairlot/contract'
import { useTranslations } from 'use-intl'
import { Badge } from '@fairlot/ui/badge.tsx'
import { Card } from '@fairlot/ui/card.tsx'
import { DefinitionList } from '@fairlot/ui/definition-list.tsx'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { useSay } from '../../../i18n/use-say.ts'
import { useBasicInfo } from '../../../live/basic-info.ts'
import { useInstruments } from '../../../live/market/instruments.ts'

/** A change of terms that is going to hold. */
export function TermsChangeCard({ change }: { change: TermsChange }) {
  const t = useTranslations('terms')
  const { moments } = useLocale()
  const { subject, urgent, from, rows, reason } = useTermsCard(change)
  return (
    <Card>
      <article className="flex flex-col gap-2">
        <header className="flex flex-wrap items-baseline justify-between gap-x-3">
          <h2 className="min-w-0 font-bold break-words">{subject}</h2>
          {urgent !== null && <Badge tone="down">{urgent}</Badge>}
        </header>
        <p className="text-note text-second">{from}</p>
        <DefinitionList
          rows={rows.map(({ term, before, after }) => ({
            term,
            value: (
              <bdi>
                <del className="text-second">{before}</del>{' '}
                <ins className="font-bold no-underline">{after}</ins>
              </bdi>
            ),
          }))}
        />
        {reason !== null && <p className="text-note">{reason}</p>}
        <p className="text-tiny text-second">
          {t('announced', { time: moments.dateTime(change.announcedAt) })}
        </p>
      </article>
    </Card>
  )
}

/** Its words, which operators are shown before they decide. */
function useTermsCard(change: TermsChange) {
  const say = useSay()
  const { figures, moments } = useLocale()
  const { instruments } = useInstruments()
  const isFeeOfMargin = useBasicInfo()?.feeType !== 'fixed'
  const codeOf = (id: number) => instruments?.find((one) => one.id === id)?.showCode ?? null
  const { dateTime } = moments
  const isMarginFixed = (id: number) => instruments?.find((one) => one.id === id)?.marginMode === 'fixed'
  const decimal = (text: string) => figures.decimal(text)
  return termsCard({ say, decimal, isFeeOfMargin, isMarginFixed, codeOf, dateTime }, change)
}
