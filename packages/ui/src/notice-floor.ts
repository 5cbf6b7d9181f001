const floors = new Set<Element>()
const listeners = new Set<() => void>()
const tell = () => {
  for (const listener of listeners) listener()
}
let observer: ResizeObserver | undefined

/** Marks what a notice must not cover, to be spread into an element: the notice stands above it. */
export const NOTICE_FLOOR = {
  ref: (element: Element | null) => {
    if (!element) return
    observer ??= new ResizeObserver(tell)
    floors.add(element)
    // Tells at once, and again whenever the element grows, shrinks, hides or shows.
    observer.observe(element)
    return () => {
      floors.delete(element)
      observer?.unobserve(element)
      tell()
    }
  },
} as const

/** Hears when the place for a notice may have changed, until the returned function is called. */
export function onNoticeFloor(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('resize', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('resize', listener)
  }
}

/** A notice that stands higher than this share of the screen would hide the price. */
const HIGHEST_FLOOR = 0.6

const isOpenDialog = (element: Element): boolean =>
  element.matches('[role="dialog"][data-open], [role="alertdialog"][data-open]')

/**
 * How far above the bottom of the screen a notice has to stand to cover none of the marked elements, px. Null while a dialog
 * is open, which has its buttons there: it stands at the top then.
 */
export function noticeFloorPx(): number | null {
  const shown = [...floors]
  if (shown.some(isOpenDialog)) return null
  return highestFloor(
    shown.map((element) => element.getBoundingClientRect()),
    window.innerHeight,
  )
}

/**
 * The highest of the floors that a notice can stand above. One that fills the screen has none above it; what must not be
 * covered inside it has a mark of its own.
 */
export function highestFloor(boxes: readonly Pick<DOMRect, 'top' | 'height'>[], screenPx: number): number {
  const heights = boxes.filter(({ height }) => height > 0).map(({ top }) => screenPx - top)
  return Math.max(0, ...heights.filter((height) => height <= screenPx * HIGHEST_FLOOR))
}
