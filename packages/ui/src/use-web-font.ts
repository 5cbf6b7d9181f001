import { useEffect } from 'react'

/**
 * Shows the web font to a reader for whom it came too late: `theme.css` lets the first paint do without it. Only once the app is drawn, for its
 * text in another font than the page's would be a new, later largest paint.
 */
export function useWebFont(): void {
  useEffect(() => {
    const drawn = requestAnimationFrame(() => {
      document.documentElement.dataset['drawn'] = ''
    })
    return () => cancelAnimationFrame(drawn)
  }, [])
}
