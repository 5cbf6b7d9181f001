import { type RefObject, useLayoutEffect } from 'react'

/** A distance to the end, in px, that counts as at the end: positions are fractional on some screens. */
const NEAR = 8

/**
 * Scrolls a box to its end whenever `newest` changes, and stays at the end while the content grows or the box shrinks:
 * pictures load after their messages, and on-screen keyboards open.
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
    const onScroll = () => {
      // After a resize the user did not choose this position; the resize observer is about to correct it.
      if (measured === size()) isAtEnd = outer.scrollHeight - outer.scrollTop - outer.clientHeight < NEAR
    }
    const measuring = new ResizeObserver(() => {
      measured = size()
      if (isAtEnd) outer.scrollTo(0, outer.scrollHeight)
    })
    outer.addEventListener('scroll', onScroll)
    for (const each of [outer, inner]) measuring.observe(each)
    return () => {
      outer.removeEventListener('scroll', onScroll)
      measuring.disconnect()
    }
  }, [box, content, newest])
}
