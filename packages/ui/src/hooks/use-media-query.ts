import { useCallback, useSyncExternalStore } from 'react'

/** A window in which the app is a desktop workspace, below it the phone layout: `desktop` of the style sheet. */
export const WIDE = '(min-width: 64rem)'

/** Whether a media query matches now; renders again when that changes. */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    [query],
  )
  // A page rendered on the server is laid out for a phone held upright.
  return useSyncExternalStore(
    subscribe,
    () => matchMedia(query).matches,
    () => false,
  )
}
