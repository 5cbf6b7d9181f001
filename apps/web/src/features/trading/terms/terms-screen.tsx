import { CalendarCheck } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { EmptyState } from '@fairlot/ui/feedback/empty-state.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { useTermsChanges } from '../../../live/market/terms-changes.ts'
import { useSearchParams } from '@fairlot/ui/navigation/router.tsx'
import { FailedState } from '../../../ui/failed-state.tsx'
import {
  listTermsVersions,
  termsCard,
  type TermsChange,
  type TermsVersion,
  termLabels,
} from '@fairlot/contract'
import { Badge } from '@fairlot/ui/feedback/badge.tsx'
import { Card } from '@fairlot/ui/layout/card.tsx'
import { translateOf } from '@fairlot/ui/figures/verbatim.ts'
import { DefinitionList } from '@fairlot/ui/figures/definition-list.tsx'
import { asName, Name, withNames } from '@fairlot/ui/figures/names.tsx'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { useTranslator } from '../../../i18n/use-translator.ts'
import { useBasicInfo } from '../../../live/basic-info.ts'
import { useInstruments } from '../../../live/market/instruments.ts'
import { useQuery } from '@tanstack/react-query'
import { request } from '../../../live/requests/request.ts'

/** Announced changes of terms; or, when the address names an instrument, its terms by version. */
export function TermsScreen() {
  const [search] = useSearchParams()
  const requested = requestedTermsOf(search)
  if (!requested) return <AnnouncedTerms />
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-3 px-4 pb-6">
      <TermsVersions requested={requested} />
    </div>
  )
}

/** Every announced change of terms, with its time and reason. */
function AnnouncedTerms() {
  const t = useTranslations()
  const { changes, isFailed, refetch } = useTermsChanges()
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-3 px-4 pb-6">
      <p className="text-note text-second">{t('terms.text')}</p>
      {changes?.map((change) => (
        <TermsChangeCard key={`${change.kind} ${change.id}`} change={change} />
      ))}
      {changes?.length === 0 && (
        <EmptyState icon={CalendarCheck} title={t('terms.empty')} text={t('terms.emptyText')} />
      )}
      {!changes && !isFailed && <Skeleton shape="h-32 w-full" />}
      {isFailed && <FailedState title={t('terms.failed')} onRetry={() => void refetch()} />}
    </div>
  )
}

/** One announced change of terms. */
export function TermsChangeCard({ change }: { change: TermsChange }) {
  const t = useTranslations('terms')
  const { moments } = useLocale()
  const { subject, urgent, from, rows, reason } = useTermsCard(change)
  return (
    <Card>
      <article className="flex flex-col gap-2">
        <header className="flex flex-wrap items-baseline justify-between gap-x-3">
          <h2 className="min-w-0 font-bold break-words">{withNames(subject)}</h2>
          {urgent !== null && <Badge tone="down">{urgent}</Badge>}
        </header>
        <p className="text-note text-second">{withNames(from)}</p>
        <DefinitionList
          rows={rows.map(({ term, before, after }) => ({
            term,
            value: (
              <bdi>
                <del translate={translateOf(before)} className="text-second">
                  {withNames(before)}
                </del>{' '}
                <ins translate={translateOf(after)} className="font-bold no-underline">
                  {withNames(after)}
                </ins>
              </bdi>
            ),
          }))}
        />
        {reason !== null && <p className="text-note">{withNames(reason)}</p>}
        <p className="text-tiny text-second">
          {withNames(t('announced', { time: asName(moments.dateTime(change.announcedAt)) }))}
        </p>
      </article>
    </Card>
  )
}

/** Texts of a change; operators see the same ones before they decide. */
function useTermsCard(change: TermsChange) {
  const translate = useTranslator()
  const { figures, moments } = useLocale()
  const { instruments } = useInstruments()
  const isFeeOfMargin = useBasicInfo()?.feeType !== 'fixed'
  const codeOf = (id: number) => {
    const code = instruments?.find((one) => one.id === id)?.showCode
    return code === undefined ? null : asName(code)
  }
  const dateTime = (at: number) => asName(moments.dateTime(at))
  const isMarginFixed = (id: number) => instruments?.find((one) => one.id === id)?.marginMode === 'fixed'
  const decimal = (text: string) => figures.decimal(text)
  return termsCard(
    { translate, decimal, isFeeOfMargin, isMarginFixed, codeOf, dateTime },
    { ...change, about: asName(change.about) },
  )
}

/** The requested terms: all versions of an instrument, or the one that a receipt names. */
export type RequestedTerms = { readonly instrumentId: number; readonly version: number | null }

/** Reads `/mine/terms?instrument=1&version=124`; null without a valid instrument. */
export function requestedTermsOf(search: URLSearchParams): RequestedTerms | null {
  const instrumentId = Number(search.get('instrument'))
  if (!Number.isSafeInteger(instrumentId) || instrumentId < 1) return null
  const version = Number(search.get('version'))
  return { instrumentId, version: Number.isSafeInteger(version) && version > 0 ? version : null }
}

/** Terms by version, with all values. */
export function TermsVersions({ requested }: { requested: RequestedTerms }) {
  const t = useTranslations('terms')
  const { figures } = useLocale()
  const { data, isError, refetch } = useQuery({
    queryKey: ['termsVersions', requested.instrumentId, requested.version],
    queryFn: ({ signal }) =>
      request(listTermsVersions, { ...requested, page: 1 }, { signal, isSilent: true }),
  })
  if (isError && !data) return <FailedState title={t('failed')} onRetry={() => void refetch()} />
  if (!data) return <Skeleton shape="h-32 w-full" />
  return (
    <>
      {requested.version !== null && (
        <p className="text-note text-second">
          {withNames(t('atVersion', { version: asName(figures.count(requested.version)) }))}
        </p>
      )}
      {data.versions.map((version) => (
        <TermsVersionCard key={version.id} of={version} instrumentId={requested.instrumentId} />
      ))}
    </>
  )
}

function TermsVersionCard({ of, instrumentId }: { of: TermsVersion; instrumentId: number }) {
  const t = useTranslations('terms')
  const translate = useTranslator()
  const { figures, moments } = useLocale()
  const { instruments } = useInstruments()
  const isFeeOfMargin = useBasicInfo()?.feeType !== 'fixed'
  const isMarginFixed = of.values.some(({ field, value }) => field === 'marginMode' && value === 'fixed')
  const decimal = (text: string) => figures.decimal(text)
  const labels = termLabels({ translate, decimal, isFeeOfMargin }, isMarginFixed)
  const code = instruments?.find(({ id }) => id === instrumentId)?.showCode ?? `${instrumentId}`
  const subjects = {
    instrument: <Name>{code}</Name>,
    settings: t('everything'),
    calendar: t('field.session'),
    source: t('source'),
  }
  return (
    <Card>
      <article className="flex flex-col gap-2">
        <header className="flex flex-wrap items-baseline justify-between gap-x-3">
          <h2 className="min-w-0 font-bold break-words">{subjects[of.kind]}</h2>
          {of.isUrgent && <Badge tone="down">{t('urgent')}</Badge>}
        </header>
        <p className="text-note text-second">
          {withNames(
            of.withdrawnAt !== null
              ? t('withdrawn', { time: asName(moments.dateTime(of.withdrawnAt)) })
              : of.inForceAt !== null
                ? t('since', { time: asName(moments.dateTime(of.inForceAt)) })
                : t('from', { time: asName(moments.dateTime(of.effectiveAt)) }),
          )}
          {of.version !== null &&
            withNames(` · ${t('number', { version: asName(figures.count(of.version)) })}`)}
        </p>
        <DefinitionList
          rows={of.values
            .filter(({ value }) => value !== null && value !== '')
            .map(({ field, value }) => ({
              term: labels.name(field),
              value: (
                <bdi
                  translate={translateOf(labels.value(field, value))}
                  className={of.changed.includes(field) ? 'font-bold break-words' : 'break-words'}
                >
                  {labels.value(field, value)}
                </bdi>
              ),
            }))}
        />
        <p className="text-note">
          {of.author === 'deployment' ? t('byServer') : t('reason', { reason: of.reason })}
        </p>
        <p className="text-tiny text-second">
          {withNames(t('announced', { time: asName(moments.dateTime(of.decidedAt)) }))}
        </p>
      </article>
    </Card>
  )
}
