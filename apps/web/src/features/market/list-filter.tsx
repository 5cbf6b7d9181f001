import { useCallback, useDeferredValue, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { isSearchedFor } from '@fairlot/contract'
import { Chip, ChipRow } from '@fairlot/ui/controls/chip.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { useCategories } from './queries.ts'
import { Search, X } from 'lucide-react'
import { Link } from '@fairlot/ui/navigation/router.tsx'
import { useIsDirectory } from '../../live/basic-info.ts'
import { Icon } from '@fairlot/ui/graphics/icon.tsx'
import { IconButton } from '@fairlot/ui/controls/icon-button.tsx'
import { useHotkey } from '@fairlot/ui/hooks/use-hotkey.ts'

/**
 * Search and category of an instrument list. `filter` is shown in the controls at once; `listed` is used by the list, which follows
 * with a lower priority.
 */
export function useListFilter() {
  const [filter, setFilter] = useState(EVERYTHING)
  const change = useCallback(
    (changed: Partial<ListFilter>) => setFilter((before) => ({ ...before, ...changed })),
    [],
  )
  const clear = useCallback(() => setFilter(EVERYTHING), [])
  return { filter, listed: useDeferredValue(filter), change, clear }
}

/** The searched fields of an instrument. */
export type Searchable = { id: number; code: string; showCode: string; name: string; categoryId: number }

/** Category 0 stands for all. */
export const ALL = 0
/** The watchlist, among the categories. */
export const WATCHLIST = -1

export type ListFilter = { readonly text: string; readonly categoryId: number }

const EVERYTHING: ListFilter = { text: '', categoryId: ALL }

/**
 * The instruments of a category that are searched for (`isSearchedFor`), in the given order.
 */
export function filterInstruments<Row extends Searchable>(
  rows: readonly Row[],
  { categoryId, text }: ListFilter,
  namesOf: (row: Row) => readonly string[],
  watched: ReadonlySet<number>,
): readonly Row[] {
  const isIn = (row: Row) =>
    categoryId === ALL || (categoryId === WATCHLIST ? watched.has(row.id) : row.categoryId === categoryId)
  return rows.filter(
    (row) => isIn(row) && (text === '' || isSearchedFor([row.code, row.showCode, ...namesOf(row)], text)),
  )
}

type CategoryChipsProps = { selected: number; onSelect: (categoryId: number) => void }

/** All, the watchlist, and each category of the server. */
export function CategoryChips({ selected, onSelect }: CategoryChipsProps) {
  const t = useTranslations('market')
  const categories = useCategories()
  return (
    <ChipRow label={t('categories')}>
      <Chip isOneOfRow isSelected={selected === ALL} onSelect={() => onSelect(ALL)}>
        {t('all')}
      </Chip>
      <Chip isOneOfRow isSelected={selected === WATCHLIST} onSelect={() => onSelect(WATCHLIST)}>
        {t('watchlist')}
      </Chip>
      {categories?.map(({ id, name }) => (
        <Chip key={id} isOneOfRow isSelected={selected === id} onSelect={() => onSelect(id)}>
          {name}
        </Chip>
      )) ?? [20, 24, 20].map((width, at) => <ChipSkeleton key={at} width={width} />)}
    </ChipRow>
  )
}

const ChipSkeleton = ({ width }: { width: number }) => (
  <span className="flex min-h-11 items-center" style={{ width: `${width / 4}rem` }}>
    <Skeleton shape="h-9 w-full" />
  </span>
)

type SearchFieldProps = {
  text: string
  /** How many instruments there are to find; null while unknown. */
  count: number | null
  hasFocusAtStart?: boolean
  /** A key that moves the focus here from anywhere on the screen; shown in the field. */
  hotkey?: string
  /** The path of the search screen, to which the search icon leads. */
  searchPath?: string
  onChange: (text: string) => void
}

/** Searches while the user types; Escape or the cross clears it. */
export function SearchField(props: SearchFieldProps) {
  const { text, count, hasFocusAtStart = false, hotkey, searchPath, onChange } = props
  const t = useTranslations()
  const isDirectory = useIsDirectory()
  const input = useRef<HTMLInputElement>(null)
  useHotkey(
    hotkey ?? null,
    useCallback(() => input.current?.focus(), []),
  )
  return (
    <div
      role="search"
      className="flex items-center rounded-field bg-surface text-second focus-within:outline-2 focus-within:outline-brass"
    >
      {searchPath === undefined ? (
        <span className="ps-3.5">
          <Icon of={Search} size={18} />
        </span>
      ) : (
        <Link
          to={searchPath}
          aria-label={t(isDirectory ? 'screens.companies' : 'screens.product')}
          className="-me-2.5 grid size-11 shrink-0 place-items-center"
        >
          <Icon of={Search} size={18} />
        </Link>
      )}
      <input
        ref={input}
        type="search"
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        autoFocus={hasFocusAtStart}
        value={text}
        aria-label={t('market.searchLabel')}
        placeholder={count === null ? t('app.search') : t('market.searchPlaceholder', { count })}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && onChange('')}
        className="min-h-11 w-full min-w-0 bg-transparent px-2.5 text-body text-ink outline-none placeholder:text-third [&::-webkit-search-cancel-button]:hidden"
      />
      {text !== '' && <IconButton icon={X} label={t('app.clear')} onClick={() => onChange('')} />}
      {text === '' && hotkey && (
        <kbd
          aria-hidden
          className="me-3 rounded-[6px] px-1.5 font-sans text-tiny ring-1 ring-line ring-inset"
        >
          {hotkey}
        </kbd>
      )}
    </div>
  )
}
