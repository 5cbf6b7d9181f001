import { watchSight } from '@fairlot/ui/sight.ts'
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect } from 'react'
import { type LiveQuote, onQuote, quoteOf } from '../../live/market/quotes.ts'

/**
 * Paints the newest price with every rendering, and each later one without rendering while `row` is in sight. A row that
 * comes into sight is brought up to date first.
 */
export function useQuotePainting(
  row: RefObject<Element | null>,
  instrumentId: number,
  paint: (quote: LiveQuote) => void,
): void {
  const paintEvent = useEffectEvent(paint)
  // What React has written is as old as the rendering, and it does not write again what it believes to stand there.
  useLayoutEffect(() => {
    const quote = quoteOf(instrumentId)
    if (quote) paintEvent(quote)
  })
  useEffect(() => {
    if (!row.current) return
    let stop: (() => void) | undefined
    const unwatch = watchSight(row.current, (isInSight) => {
      stop?.()
      stop = undefined
      if (!isInSight) return
      const quote = quoteOf(instrumentId)
      if (quote) paintEvent(quote)
      stop = onQuote(instrumentId, (next) => paintEvent(next))
    })
    return () => {
      unwatch()
      stop?.()
    }
  }, [row, instrumentId])
}
