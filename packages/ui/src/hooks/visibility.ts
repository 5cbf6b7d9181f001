import { useEffect, useState } from 'react'
import type { RefObject } from 'react'

type Watcher = (isVisible: boolean) => void

const watchers = new WeakMap<Element, Set<Watcher>>()
let observer: IntersectionObserver | undefined

/** Elements this near the visible part of the screen count as visible. */
const MARGIN = '160px'

const open = (): IntersectionObserver =>
  (observer ??= new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries)
        for (const report of watchers.get(target) ?? []) report(isIntersecting)
    },
    { rootMargin: MARGIN },
  ))

/** Reports whether an element is visible, soon after the call and on every change, until the returned function is called. */
export function watchVisibility(element: Element, report: Watcher): () => void {
  const watching = watchers.get(element) ?? new Set()
  watchers.set(element, watching.add(report))
  // Observing again makes the observer report to a later watcher too; the others receive the same value again.
  open().unobserve(element)
  open().observe(element)
  return () => {
    watching.delete(report)
    if (watching.size === 0) open().unobserve(element)
  }
}

/** False until the element has come near the visible part of the screen, true from then on. */
export function useHasBeenVisible(target: RefObject<Element | null>): boolean {
  const [isSeen, setIsSeen] = useState(false)
  useEffect(() => {
    const element = target.current
    if (element && !isSeen) return watchVisibility(element, (isVisible) => isVisible && setIsSeen(true))
  }, [target, isSeen])
  return isSeen
}
