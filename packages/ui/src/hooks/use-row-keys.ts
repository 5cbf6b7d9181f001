import { useEffect, useRef, type RefObject } from 'react'

/** The row that a key moves to in a list of `count` rows, from row `at` (-1: none yet); null for any other key. */
export function rowAfter(key: string, at: number, count: number): number | null {
  if (count === 0) return null
  if (key === 'ArrowDown' || key === 'j') return Math.min(at + 1, count - 1)
  if (key === 'ArrowUp' || key === 'k') return Math.max(at - 1, 0)
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : null
}

const isForTheList = ({ target }: KeyboardEvent, list: HTMLElement): boolean =>
  target === document.body ||
  (target instanceof Element && target.closest('[data-row]') !== null && list.contains(target))

type RowKeys = {
  count: number
  /** The row the cursor is on; -1 for none. */
  at: number
  onMove: (index: number) => void
  onOpen: (index: number) => void
}

/**
 * Arrows, j and k, Home and End move through the rows of a list and Enter opens one, while the focus is in the list or on no
 * control at all. Rows carry `data-row`.
 */
export function useRowKeys(list: RefObject<HTMLElement | null>, keys: RowKeys | null): void {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const now = latest.current
      const element = list.current
      if (!now || !element || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (!isForTheList(event, element)) return
      const next = rowAfter(event.key, now.at, now.count)
      const isOpening = event.key === 'Enter' && now.at >= 0
      if (next === null && !isOpening) return
      event.preventDefault()
      if (next === null) return now.onOpen(now.at)
      now.onMove(next)
      element.querySelectorAll<HTMLElement>('[data-row]')[next]?.focus()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [list])
}
