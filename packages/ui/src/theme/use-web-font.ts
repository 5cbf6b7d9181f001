import { useEffect } from 'react'

type WebFontOptions = {
  /** Shows the font; until then it is only loaded. */
  isDue: boolean
  /** The font is loaded, and in the browser's cache for the next visit. */
  onLoaded?: () => void
}

/**
 * Loads the web font where the first paint did without it (see `theme.css`), and shows it when due. Waits until the browser has
 * nothing else to do: a change of font before that would count as a later largest contentful paint.
 */
export function useWebFont({ isDue, onLoaded }: WebFontOptions): void {
  useEffect(
    () => whenIdle(() => void document.fonts.load('1em "Plex late"').then(onLoaded, () => undefined)),
    [onLoaded],
  )
  useEffect(() => {
    if (isDue) return whenIdle(() => void (document.documentElement.dataset['rendered'] = ''))
  }, [isDue])
}

/** Long enough for a slow phone to show the first screen, ms. */
const SETTLED_MS = 1000
/** The longest wait for an idle moment, ms: a page whose prices move without pause has none. */
const IDLE_WITHIN_MS = 2000

/** Calls back when the page has settled and the browser is idle. Returns a function that cancels it. */
function whenIdle(act: () => void): () => void {
  // Safari has no idle callbacks.
  const whenSettled = () =>
    'requestIdleCallback' in window ? void requestIdleCallback(act, { timeout: IDLE_WITHIN_MS }) : act()
  const timer = setTimeout(whenSettled, SETTLED_MS)
  return () => clearTimeout(timer)
}
