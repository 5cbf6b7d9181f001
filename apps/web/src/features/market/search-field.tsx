import { Search, X } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Icon } from '../../ui/icon.tsx'
import { IconButton } from '../../ui/icon-button.tsx'

type SearchFieldProps = {
  text: string
  /** How many instruments there are to find; null while unknown. */
  count: number | null
  hasFocusAtStart?: boolean
  onChange: (text: string) => void
}

/** Searches as one types; Escape or the cross empties it. */
export function SearchField({ text, count, hasFocusAtStart = false, onChange }: SearchFieldProps) {
  const t = useTranslations()
  return (
    <div role="search" className="flex items-center rounded-field bg-surface text-second">
      <span className="ps-3.5">
        <Icon of={Search} size={18} />
      </span>
      <input
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
    </div>
  )
}
