import { SearchX, Star } from 'lucide-react'
import { type InstrumentListing, searchedNames } from '@fairlot/contract'
import {
  Activity,
  type FocusEvent,
  type KeyboardEvent,
  memo,
  startTransition,
  useEffect,
  useMemo,
  useState,
} from 'react'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../i18n/locale-provider.tsx'
import { useInstruments, useSelectedInstrument } from '../../live/market/instruments.ts'
import { useWatched, watch } from '../../live/market/watchlist.ts'
import { classNames } from '@fairlot/ui/theme/class-names.ts'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { EmptyState } from '@fairlot/ui/feedback/empty-state.tsx'
import { InstrumentRow } from './instrument-row.tsx'
import { ALL, filterInstruments, type ListFilter, WATCHLIST } from './list-filter.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { rowAfter } from '@fairlot/ui/hooks/use-row-keys.ts'
import { asName } from '@fairlot/ui/figures/names.tsx'
import { FailedState } from '../../ui/failed-state.tsx'

type InstrumentListProps = {
  filter: ListFilter
  width: 'full' | 'narrow'
  onShowAll: () => void
  /** Marks the selected instrument, for a list beside its chart. */
  marksSelected?: boolean
}

/** The instruments that match the filter, in the server's order: rows never move by themselves. */
export const InstrumentList = memo(function InstrumentList({
  filter,
  width,
  onShowAll,
  marksSelected = false,
}: InstrumentListProps) {
  const { tag } = useLocale()
  const t = useTranslations('market')
  const selectedId = useSelectedInstrument()?.id
  const markedId = marksSelected ? selectedId : undefined
  const { instruments, isFailed, refetch } = useInstruments()
  const watched = useWatched()
  const rows = useMemo(
    () => filterInstruments(instruments ?? [], filter, (row) => searchedNames(row, tag), watched),
    [instruments, filter, tag, watched],
  )
  const matching = useMemo(() => new Set(rows), [rows])
  const last = rows.at(-1)
  const isComplete = useIsComplete()
  const { tabStop, keys } = useRowFocus(rows, markedId)
  if (!instruments) return isFailed ? <Failed onRetry={refetch} /> : <ListSkeleton />
  return (
    <>
      {rows.length === 0 && <NoneFound filter={filter} onShowAll={onShowAll} />}
      <ul aria-label={t('list')} className="@container" hidden={rows.length === 0} {...keys}>
        {(isComplete ? instruments : instruments.slice(0, FIRST_ROWS)).map((instrument) => (
          // Rows outside the filter stay mounted but hidden, because mounting them again is slow.
          <Activity key={instrument.id} mode={matching.has(instrument) ? 'visible' : 'hidden'}>
            <li
              data-instrument={instrument.id}
              className={classNames(
                ROW[width],
                width === 'full' && instrument !== last && LINE,
                instrument.id === markedId && 'bg-surface',
              )}
            >
              <InstrumentRow
                instrument={instrument}
                width={width}
                isSelected={instrument.id === markedId}
                isTabStop={instrument.id === tabStop}
              />
              <WatchStar instrument={instrument} isWatched={watched.has(instrument.id)} width={width} />
            </li>
          </Activity>
        ))}
      </ul>
    </>
  )
})

const rowOf = (target: EventTarget): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-instrument]') : null

/**
 * The list is one tab stop: the last focused row, else the marked or the first one. Up, Down, Home and End move from row to row, Left
 * and Right between a row and its star.
 */
function useRowFocus(rows: readonly InstrumentListing[], markedId: number | undefined) {
  const [focusedId, setFocusedId] = useState<number | null>(null)
  const isShown = (id: number | null | undefined) => rows.some((row) => row.id === id)
  const tabStop = [focusedId, markedId].find(isShown) ?? rows[0]?.id
  const keys = {
    onFocus: (event: FocusEvent) => setFocusedId(Number(rowOf(event.target)?.dataset['instrument']) || null),
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      const row = rowOf(event.target)
      if (!row || event.ctrlKey || event.metaKey || event.altKey) return
      const at = rows.findIndex(({ id }) => id === Number(row.dataset['instrument']))
      const next = rowAfter(event.key, at, rows.length)
      const target =
        next === null
          ? neighbourInRow(event.key, row)
          : event.currentTarget.querySelector<HTMLElement>(`[data-instrument="${rows[next]?.id}"] a`)
      if (!target) return
      event.preventDefault()
      target.focus()
    },
  }
  return { tabStop, keys }
}

/** The target of Left and Right in a row: its star or its link. */
function neighbourInRow(key: string, row: HTMLElement): HTMLElement | null {
  if (key !== 'ArrowRight' && key !== 'ArrowLeft') return null
  const isForward = (key === 'ArrowRight') === (getComputedStyle(row).direction === 'ltr')
  return row.querySelector<HTMLElement>(isForward ? 'button' : 'a')
}

/** Rows outside the viewport are neither laid out nor painted. The clip margin leaves space for the tint. */
const LAZY_ROW = 'grid grid-cols-[minmax(0,1fr)_auto] [content-visibility:auto] [overflow-clip-margin:8px]'
/** A row with its star, and its assumed height until it is first painted. */
const ROW = {
  full: `${LAZY_ROW} -me-3 [contain-intrinsic-size:auto_4rem]`,
  narrow: `${LAZY_ROW} [contain-intrinsic-size:auto_3.25rem]`,
}

/** The line below a row ends with its text and not with the touch area of the star. */
const LINE = 'relative after:absolute after:start-0 after:end-3 after:bottom-0 after:h-px after:bg-line'

/** Number of rows on the tallest phone. */
const FIRST_ROWS = 10

/** False until the first rows are painted; the rest follows in a transition, which taps can interrupt. */
function useIsComplete(): boolean {
  const [isComplete, setIsComplete] = useState(false)
  useEffect(() => startTransition(() => setIsComplete(true)), [])
  return isComplete
}

function NoneFound({ filter, onShowAll }: Pick<InstrumentListProps, 'filter' | 'onShowAll'>) {
  const t = useTranslations('market')
  if (filter.categoryId === WATCHLIST && filter.text === '')
    return (
      <EmptyState
        icon={Star}
        title={t('watchlistEmpty')}
        text={t('watchlistEmptyText')}
        action={<ShowAll onShowAll={onShowAll} />}
      />
    )
  const isSearch = filter.text !== '' || filter.categoryId === ALL
  return (
    <EmptyState
      icon={SearchX}
      title={isSearch ? t('noneFound', { text: asName(filter.text) }) : t('noneInCategory')}
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

/** Placeholder of the list. */
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

type WatchStarProps = {
  instrument: Pick<InstrumentListing, 'id' | 'showCode'>
  isWatched: boolean
  width: 'full' | 'narrow'
}

/** Wide enough for a finger on phones, for a mouse on desktops. */
const WIDTHS = { full: 'w-11', narrow: 'w-8' }

/** Adds an instrument to the watchlist or removes it. */
const WatchStar = memo(function WatchStar({ instrument, isWatched, width }: WatchStarProps) {
  const t = useTranslations('market')
  const label = t('watch', { code: instrument.showCode })
  return (
    <button
      type="button"
      // Reached from its row by the arrow keys.
      tabIndex={-1}
      aria-pressed={isWatched}
      aria-label={label}
      title={label}
      onClick={() => void watch(instrument.id, !isWatched)}
      className={classNames(
        'grid min-h-11 shrink-0 place-items-center transition-[scale] active:scale-90',
        WIDTHS[width],
        isWatched ? 'text-brass' : 'text-third',
      )}
    >
      <Star aria-hidden size={18} strokeWidth={1.75} fill={isWatched ? 'currentColor' : 'none'} />
    </button>
  )
})
