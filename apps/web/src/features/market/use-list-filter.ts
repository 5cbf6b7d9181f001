import { useCallback, useDeferredValue, useState } from 'react'
import { EVERYTHING, type ListFilter } from './list-filter.ts'

/**
 * What the reader looks for. `filter` is what the controls show, with the tap; `listed` is what the list shows, which follows
 * in pieces that let taps through.
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
