import { useEffect, useRef } from 'react'
import type { RefObject } from 'react'

const STRONG = 0.14
const WEAK = 0.06
/** How long each of the two strengths lasts, ms: a little less than the time between two prices. */
const STEP_MS = 180
/** A step waits so much longer for the frame of the next price, which then carries it. */
const PATIENCE_MS = 70

const calm = typeof matchMedia === 'undefined' ? null : matchMedia('(prefers-reduced-motion: reduce)')

/**
 * A layer over a figure, to be lit by `lightTint`; its parent is `relative`. Nothing but the opacity of a layer of its own
 * changes, and it in steps that share the frames of the prices: an animation for each figure would cost ten times as much.
 */
export const TintLayer = ({ layer }: { layer: RefObject<HTMLSpanElement | null> }) => (
  <span
    ref={layer}
    aria-hidden
    className="pointer-events-none absolute inset-0 rounded-[7px] opacity-0 will-change-[opacity] data-[way=down]:bg-down data-[way=up]:bg-up"
  />
)

/** The layers that are lit, and since when. */
const lit = new Map<HTMLElement, number>()
let isQueued = false
let timer: ReturnType<typeof setTimeout> | undefined

/** Lights a layer for a moment in the colour of the direction; never under reduced motion. */
export function lightTint(layer: HTMLElement, isRise: boolean): void {
  if (calm?.matches) return
  layer.dataset['way'] = isRise ? 'up' : 'down'
  layer.style.opacity = String(STRONG)
  lit.set(layer, performance.now())
  if (isQueued) return
  isQueued = true
  queueMicrotask(dim)
}

/** Takes every light one step further that is old enough. */
function dim(): void {
  isQueued = false
  clearTimeout(timer)
  const now = performance.now()
  for (const [layer, since] of lit) {
    const steps = Math.floor((now - since) / STEP_MS)
    if (steps > 0) layer.style.opacity = String(steps === 1 ? WEAK : 0)
    if (steps > 1) lit.delete(layer)
  }
  if (lit.size > 0) timer = setTimeout(dim, STEP_MS + PATIENCE_MS)
}

/** Lights the layer whenever a value that is rendered moves. */
export function useTint(layer: RefObject<HTMLElement | null>, value: number): void {
  const before = useRef(value)
  useEffect(() => {
    const from = before.current
    before.current = value
    if (value !== from && layer.current) lightTint(layer.current, value > from)
  }, [layer, value])
}
