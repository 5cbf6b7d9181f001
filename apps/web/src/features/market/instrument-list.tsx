import { CloudOff, SearchX } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { instrumentName } from '../../i18n/currency.ts'
import { useSpeech } from '../../i18n/provider.tsx'
import { useSelectedInstrument } from '../../live/instruments.ts'
import type { InstrumentsState } from '../../live/instruments.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { InstrumentRow } from './instrument-row.tsx'
import { ALL, filterInstruments } from './list-filter.ts'
import { ListSkeleton } from './list-skeleton.tsx'

type InstrumentListProps = {
  list: InstrumentsState
  filter: { text: string; categoryId: number }
  width: 'full' | 'narrow'
  onShowAll: () => void
  /** Marks the selected instrument: where the list stands beside its chart. */
  isMarking?: boolean
}

/** The instruments that fit the filter, in the server's order: rows never move by themselves. */
export function InstrumentList({ list, filter, width, onShowAll, isMarking = false }: InstrumentListProps) {
  const { tag } = useSpeech()
  const t = useTranslations('market')
  const selectedId = useSelectedInstrument()?.id
  const { instruments } = list
  const { text, categoryId } = filter
  const rows = useMemo(
    () => filterInstruments(instruments ?? [], { text, categoryId }, (row) => instrumentName(row, tag)),
    [instruments, text, categoryId, tag],
  )
  if (!instruments) return list.isFailed ? <Failed onRetry={list.refetch} /> : <ListSkeleton />
  if (rows.length === 0) return <NoneFound filter={filter} onShowAll={onShowAll} />
  return (
    <ul
      aria-label={t('list')}
      className={width === 'full' ? '@container divide-y divide-line' : '@container'}
    >
      {rows.map((instrument) => (
        <li key={instrument.id}>
          <InstrumentRow
            instrument={instrument}
            width={width}
            isSelected={isMarking && instrument.id === selectedId}
          />
        </li>
      ))}
    </ul>
  )
}

function NoneFound({ filter, onShowAll }: Pick<InstrumentListProps, 'filter' | 'onShowAll'>) {
  const t = useTranslations('market')
  const isSearch = filter.text !== '' || filter.categoryId === ALL
  return (
    <EmptyState
      icon={SearchX}
      title={isSearch ? t('noneFound', { text: filter.text }) : t('noneInCategory')}
      text={isSearch && t('noneFoundText')}
      action={
        <Button tone="outline" onClick={onShowAll}>
          {t('showAll')}
        </Button>
      }
    />
  )
}

function Failed({ onRetry }: { onRetry: () => void }) {
  const t = useTranslations()
  return (
    <EmptyState
      icon={CloudOff}
      title={t('market.failed')}
      text={t('market.failedText')}
      action={
        <Button tone="outline" onClick={onRetry}>
          {t('app.retry')}
        </Button>
      }
    />
  )
}
