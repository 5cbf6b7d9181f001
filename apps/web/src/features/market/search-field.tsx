import { Search, X } from 'lucide-react'
import { useCallback, useRef } from 'react'
import { Link } from '@fairlot/ui/router.tsx'
import { useTranslations } from 'use-intl'
import { useIsDirectory } from '../../live/basic-info.ts'
import { Icon } from '@fairlot/ui/icon.tsx'
import { IconButton } from '@fairlot/ui/icon-button.tsx'
import { useHotkey } from '@fairlot/ui/use-hotkey.ts'

type SearchFieldProps = {
  text: string
  /** How many instruments there are to find; null while unknown. */
  count: number | null
  hasFocusAtStart?: boolean
  /** A key that leads here from anywhere on the screen; shown in the field. */
  hotkey?: string
  /** A search that has the screen for itself; the glass leads there. */
  searchPath?: string
  onChange: (text: string) => void
}

/** Searches as one types; Escape or the cross empties it. */
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
