const obstacles = new Set<Element>()
const listeners = new Set<() => void>()
const report = () => {
  for (const listener of listeners) listener()
}
let observer: ResizeObserver | undefined

/** Attributes for an element that a toast must not cover: the toast appears above it. */
export const TOAST_OBSTACLE = {
  ref: (element: Element | null) => {
    if (!element) return
    observer ??= new ResizeObserver(report)
    obstacles.add(element)
    // Fires at once, and again whenever the element is resized, hidden or shown.
    observer.observe(element)
    return () => {
      obstacles.delete(element)
      observer?.unobserve(element)
      report()
    }
  },
} as const

/** Calls `listener` whenever the position for toasts may have changed, until the returned function is called. */
export function onToastObstacleChange(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('resize', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('resize', listener)
  }
}

/** A toast higher than this share of the screen would hide the price. */
const MAX_OFFSET_SHARE = 0.6

const isOpenDialog = (element: Element): boolean =>
  element.matches('[role="dialog"][data-open], [role="alertdialog"][data-open]')

/**
 * How far above the bottom of the screen, in px, a toast must be to cover none of these elements. Null while a dialog is open,
 * which has its buttons there: the toast is then shown at the top.
 */
export function toastOffsetPx(): number | null {
  const shown = [...obstacles]
  if (shown.some(isOpenDialog)) return null
  return offsetAbove(
    shown.map((element) => element.getBoundingClientRect()),
    window.innerHeight,
  )
}

/**
 * The height, in px, of the highest element that a toast can be shown above. An element that fills the screen leaves no space
 * above it; parts of it that must not be covered carry TOAST_OBSTACLE themselves.
 */
export function offsetAbove(boxes: readonly Pick<DOMRect, 'top' | 'height'>[], screenPx: number): number {
  const heights = boxes.filter(({ height }) => height > 0).map(({ top }) => screenPx - top)
  return Math.max(0, ...heights.filter((height) => height <= screenPx * MAX_OFFSET_SHARE))
}
