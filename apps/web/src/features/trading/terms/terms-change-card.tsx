import { termsSubject, type TermsChange } from '@fairlot/contract'
import { useTranslations } from 'use-intl'
import { Badge } from '@fairlot/ui/badge.tsx'
import { Card } from '@fairlot/ui/card.tsx'
import { DefinitionList } from '@fairlot/ui/definition-list.tsx'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { useSay } from '../../../i18n/use-say.ts'
import { useInstruments } from '../../../live/market/instruments.ts'
import { useTermText } from './use-term-text.ts'

/** A change of terms that is going to hold. */
export function TermsChangeCard({ change }: { change: TermsChange }) {
  const t = useTranslations('terms')
  const { moments } = useLocale()
  const textOf = useTermText()
  const { fields, effectiveAt, announcedAt, reason, isUrgent } = change
  return (
    <Card>
      <article className="flex flex-col gap-2">
        <header className="flex flex-wrap items-baseline justify-between gap-x-3">
          <h2 className="font-bold">{useSubject(change)}</h2>
          {isUrgent && <Badge tone="down">{t('urgent')}</Badge>}
        </header>
        <p className="text-note text-second">{t('from', { time: moments.dateTime(effectiveAt) })}</p>
        <DefinitionList
          rows={fields.map(({ field, before, after }) => ({
            term: textOf.name(field),
            value: (
              <bdi>
                <del className="text-second">{textOf.value(field, before)}</del>{' '}
                <ins className="font-bold no-underline">{textOf.value(field, after)}</ins>
              </bdi>
            ),
          }))}
        />
        {reason !== '' && <p className="text-note">{t('reason', { reason })}</p>}
        <p className="text-tiny text-second">{t('announced', { time: moments.dateTime(announcedAt) })}</p>
      </article>
    </Card>
  )
}

/** Whom a change concerns. */
function useSubject(change: TermsChange): string {
  const say = useSay()
  const { instruments } = useInstruments()
  return termsSubject(say, change, (id) => instruments?.find((one) => one.id === id)?.showCode ?? null)
}
