import { SearchX, Star } from 'lucide-react'
import { Activity, memo, startTransition, useEffect, useMemo, useState } from 'react'
import { useTranslations } from 'use-intl'
import { instrumentName } from '../../i18n/currency.ts'
import { useLocale } from '../../i18n/locale-provider.tsx'
import { useInstruments, useSelectedInstrument } from '../../live/market/instruments.ts'
import { useWatched } from '../../live/market/watch-list.ts'
import { classNames } from '@fairlot/ui/class-names.ts'
import { Button } from '@fairlot/ui/button.tsx'
import { EmptyState } from '@fairlot/ui/empty-state.tsx'
import { InstrumentRow } from './instrument-row.tsx'
import { ALL, filterInstruments, type ListFilter, MINE } from './list-filter.ts'
import { Skeleton } from '@fairlot/ui/skeleton.tsx'
import { WatchStar } from './watch-star.tsx'
import { FailedState } from '../../ui/failed-state.tsx'

type InstrumentListProps = {
  filter: ListFilter
  width: 'full' | 'narrow'
  onShowAll: () => void
  /** Marks the selected instrument: where the list stands beside its chart. */
  isMarking?: boolean
}

/** The instruments that fit the filter, in the server's order: rows never move by themselves. */
export const InstrumentList = memo(function InstrumentList({
  filter,
  width,
  onShowAll,
  isMarking = false,
}: InstrumentListProps) {
  const { tag } = useLocale()
  const t = useTranslations('market')
  const selectedId = useSelectedInstrument()?.id
  const markedId = isMarking ? selectedId : undefined
  const { instruments, isFailed, refetch } = useInstruments()
  const watched = useWatched()
  const rows = useMemo(
    () => filterInstruments(instruments ?? [], filter, (row) => instrumentName(row, tag), watched),
    [instruments, filter, tag, watched],
  )
  const fitting = useMemo(() => new Set(rows), [rows])
  const last = rows.at(-1)
  const isWhole = useIsWhole()
  if (!instruments) return isFailed ? <Failed onRetry={refetch} /> : <ListSkeleton />
  return (
    <>
      {rows.length === 0 && <NoneFound filter={filter} onShowAll={onShowAll} />}
      <ul aria-label={t('list')} className="@container" hidden={rows.length === 0}>
        {(isWhole ? instruments : instruments.slice(0, FIRST_ROWS)).map((instrument) => (
          // What the filter leaves out rests unseen: making its row again would take longer than showing it.
          <Activity key={instrument.id} mode={fitting.has(instrument) ? 'visible' : 'hidden'}>
            <li
              className={classNames(
                ROW[width],
                width === 'full' && instrument !== last && LINE,
                instrument.id === markedId && 'bg-surface',
              )}
            >
              <InstrumentRow instrument={instrument} width={width} isSelected={instrument.id === markedId} />
              <WatchStar instrument={instrument} isWatched={watched.has(instrument.id)} width={width} />
            </li>
          </Activity>
        ))}
      </ul>
    </>
  )
})

/** A row out of sight is neither laid out nor painted, nor is its tint a layer. A tint may stand out of its row a little. */
const UNSEEN = 'grid grid-cols-[minmax(0,1fr)_auto] [content-visibility:auto] [overflow-clip-margin:8px]'
/** A row and its star, whose drawing stands at the edge of the text above. Until it was seen it counts as this high. */
const ROW = {
  full: `${UNSEEN} -me-3 [contain-intrinsic-size:auto_4rem]`,
  narrow: `${UNSEEN} [contain-intrinsic-size:auto_3.25rem]`,
}

/** Ends with the text above, not with the room that a thumb has around the star. */
const LINE = 'relative after:absolute after:start-0 after:end-3 after:bottom-0 after:h-px after:bg-line'

/** As many as the tallest phone shows. */
const FIRST_ROWS = 14

/** False until the first rows are painted: the rest follows in pieces that let taps through. */
function useIsWhole(): boolean {
  const [isWhole, setIsWhole] = useState(false)
  useEffect(() => startTransition(() => setIsWhole(true)), [])
  return isWhole
}

function NoneFound({ filter, onShowAll }: Pick<InstrumentListProps, 'filter' | 'onShowAll'>) {
  const t = useTranslations('market')
  if (filter.categoryId === MINE && filter.text === '')
    return (
      <EmptyState
        icon={Star}
        title={t('noneMine')}
        text={t('noneMineText')}
        action={<ShowAll onShowAll={onShowAll} />}
      />
    )
  const isSearch = filter.text !== '' || filter.categoryId === ALL
  return (
    <EmptyState
      icon={SearchX}
      title={isSearch ? t('noneFound', { text: filter.text }) : t('noneInCategory')}
      text={isSearch && t('noneFoundText')}
      action={<ShowAll onShowAll={onShowAll} />}
    />
  )
}

function ShowAll({ onShowAll }: Pick<InstrumentListProps, 'onShowAll'>) {
  const t = useTranslations('market')
  return (
    <Button tone="outline" onClick={onShowAll}>
      {t('showAll')}
    </Button>
  )
}

function Failed({ onRetry }: { onRetry: () => void }) {
  const t = useTranslations()
  return <FailedState title={t('market.failed')} text={t('market.failedText')} onRetry={onRetry} />
}

const ROWS = 10

/** Ten rows in the shape of the list to come. */
function ListSkeleton() {
  const t = useTranslations('app')
  return (
    <div role="status" aria-label={t('loading')} className="@container divide-y divide-line">
      {Array.from({ length: ROWS }, (_, row) => (
        <div
          key={row}
          className="grid min-h-16 grid-cols-[44px_minmax(0,1fr)_60px_84px] items-center gap-x-2.5 py-2.5 @max-[20.5rem]:grid-cols-[44px_minmax(0,1fr)_84px]"
        >
          <Skeleton shape="h-7 w-11" />
          <span className="flex flex-col gap-2">
            <Skeleton shape="h-3.5 w-20" />
            <Skeleton shape="h-2.5 w-28 max-w-full" />
          </span>
          <span className="@max-[20.5rem]:hidden">
            <Skeleton shape="h-6 w-full" />
          </span>
          <span className="flex flex-col items-end gap-2">
            <Skeleton shape="h-3.5 w-18" />
            <Skeleton shape="h-2.5 w-12" />
          </span>
        </div>
      ))}
    </div>
  )
}
