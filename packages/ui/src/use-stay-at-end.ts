import { type RefObject, useLayoutEffect } from 'react'

/** So near to the end, in px, is at the end: places are fractions on some screens. */
const NEAR = 8

/**
 * Scrolls a box to its end whenever `newest` changes, and keeps whoever is there at the end while the content grows or the box shrinks:
 * pictures come after their messages, and keyboards rise.
 */
export function useStayAtEnd(
  box: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
  newest: number | undefined,
): void {
  useLayoutEffect(() => {
    const [outer, inner] = [box.current, content.current]
    if (!outer || !inner) return
    let isAtEnd = true
    let measured = ''
    const size = () => `${outer.clientHeight} of ${outer.scrollHeight}`
    const look = () => {
      // With another size it is where the box has been moved to by that, not where somebody has scrolled to: it is about to be measured.
      if (measured === size()) isAtEnd = outer.scrollHeight - outer.scrollTop - outer.clientHeight < NEAR
    }
    const measuring = new ResizeObserver(() => {
      measured = size()
      if (isAtEnd) outer.scrollTo(0, outer.scrollHeight)
    })
    outer.addEventListener('scroll', look)
    for (const each of [outer, inner]) measuring.observe(each)
    return () => {
      outer.removeEventListener('scroll', look)
      measuring.disconnect()
    }
  }, [box, content, newest])
}
