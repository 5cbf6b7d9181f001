import { useCallback, useEffect, useRef, useState } from 'react'
import { useHotkey } from '../hooks/use-hotkey.ts'

const SETTLED_MS = 250

export type SearchFieldProps = {
  /** The placeholder, such as "Find a user, order, case". */
  label: string
  value: string
  /** Called shortly after the last letter, and at once on Enter, without spaces around the text. */
  onSearch: (text: string) => void
}

/** A search field; `/` focuses it from anywhere, Escape clears and leaves it. */
export function SearchField({ label, value, onSearch }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(value)
  const [known, setKnown] = useState(value)
  // Cleared by the caller, such as by a button in an empty result.
  if (value !== known) {
    setKnown(value)
    if (value === '') setText('')
  }
  useHotkey(
    '/',
    useCallback(() => input.current?.focus(), []),
  )
  const wanted = text.trim()
  useEffect(() => {
    if (wanted === value) return
    const timer = setTimeout(() => onSearch(wanted), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [wanted, value, onSearch])
  const leave = () => {
    setText('')
    onSearch('')
    input.current?.blur()
  }
  return (
    <span className="relative flex min-w-0 items-center">
      <input
        ref={input}
        type="search"
        aria-label={label}
        aria-keyshortcuts="/"
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={({ key }) => (key === 'Enter' ? onSearch(wanted) : key === 'Escape' && leave())}
        className="min-h-11 w-full min-w-0 rounded-field bg-surface px-3.5 tablet:pe-10 text-note text-ink placeholder:text-third"
      />
      <kbd
        aria-hidden
        className="pointer-events-none absolute end-3 hidden rounded-[5px] px-1.5 text-tiny text-second ring-1 ring-line ring-inset tablet:block"
      >
        /
      </kbd>
    </span>
  )
}
