import { useEffect, useState } from 'react'
import type { RefObject } from 'react'

type Watcher = (isInSight: boolean) => void

const watchers = new WeakMap<Element, Set<Watcher>>()
let observer: IntersectionObserver | undefined

/** What lies this near the visible part of the screen counts as seen. */
const MARGIN = '160px'

const open = (): IntersectionObserver =>
  (observer ??= new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries)
        for (const tell of watchers.get(target) ?? []) tell(isIntersecting)
    },
    { rootMargin: MARGIN },
  ))

/** Tells whether an element is in sight, soon after the call and whenever that turns, until the returned function is called. */
export function watchSight(element: Element, tell: Watcher): () => void {
  const watching = watchers.get(element) ?? new Set()
  watchers.set(element, watching.add(tell))
  // Observing anew brings a first report, to one that comes later too; the others hear the same again.
  open().unobserve(element)
  open().observe(element)
  return () => {
    watching.delete(tell)
    if (watching.size === 0) open().unobserve(element)
  }
}

/** False until the element has come near the visible part of the screen, true from then on. */
export function useIsSeen(target: RefObject<Element | null>): boolean {
  const [isSeen, setIsSeen] = useState(false)
  useEffect(() => {
    const element = target.current
    if (element && !isSeen) return watchSight(element, (isInSight) => isInSight && setIsSeen(true))
  }, [target, isSeen])
  return isSeen
}
