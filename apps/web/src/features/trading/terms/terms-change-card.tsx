import type { TermsChange } from '@fairlot/contract'
import { useTranslations } from 'use-intl'
import { Badge } from '@fairlot/ui/badge.tsx'
import { Card } from '@fairlot/ui/card.tsx'
import { DefinitionList } from '@fairlot/ui/definition-list.tsx'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { useInstruments } from '../../../live/market/instruments.ts'
import { useTermText } from './use-term-text.ts'

/** Of more it is said how many. */
const MOST_NAMED = 5

/** A change of terms that is going to hold. */
export function TermsChangeCard({ change }: { change: TermsChange }) {
  const t = useTranslations('terms')
  const { moments } = useLocale()
  const { fields, effectiveAt, announcedAt, reason, isUrgent } = change
  const textOf = useTermText({ isMarginFixed: useIsMarginFixed(change) })
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

/** Whether the margin of the instrument is fixed once the change holds. */
function useIsMarginFixed({ fields, instrumentIds: [id] }: TermsChange): boolean {
  const { instruments } = useInstruments()
  const changed = fields.find(({ field }) => field === 'marginMode')?.after
  return (changed ?? instruments?.find((one) => one.id === id)?.marginMode) === 'fixed'
}

/** Whom a change concerns: instruments by their codes, or all. */
function useSubject({ kind, instrumentIds }: TermsChange): string {
  const t = useTranslations('terms')
  const { instruments } = useInstruments()
  if (kind === 'settings') return t('everything')
  const names = instrumentIds.flatMap((id) => instruments?.find((one) => one.id === id)?.showCode ?? [])
  const named = names.slice(0, MOST_NAMED).join(', ')
  const more = instrumentIds.length - Math.min(names.length, MOST_NAMED)
  return more > 0 ? t('andMore', { named, count: more }) : named
}
