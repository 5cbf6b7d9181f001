import { useEffect, useState } from 'react'
import type { RefObject } from 'react'

const seenBy = new WeakMap<Element, () => void>()
let observer: IntersectionObserver | undefined

const watcher = (): IntersectionObserver =>
  (observer ??= new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) seenBy.get(target)?.()
    },
    { rootMargin: '160px' },
  ))

/** False until the element has come near the visible part of the screen, true from then on. */
export function useIsSeen(target: RefObject<Element | null>): boolean {
  const [isSeen, setIsSeen] = useState(false)
  useEffect(() => {
    const element = target.current
    if (!element || isSeen) return
    seenBy.set(element, () => setIsSeen(true))
    watcher().observe(element)
    return () => watcher().unobserve(element)
  }, [target, isSeen])
  return isSeen
}
