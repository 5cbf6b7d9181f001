import { useEffect } from 'react'

/**
 * Shows the app's own letters to a reader for whom they came too late: `theme.css` lets the first paint do without them. Only once the app
 * stands on the screen, for its text in other letters than the page's would be a new, later paint of the whole.
 */
export function useOwnLetters(): void {
  useEffect(() => {
    const painted = requestAnimationFrame(() => {
      document.documentElement.dataset['stands'] = ''
    })
    return () => cancelAnimationFrame(painted)
  }, [])
}
