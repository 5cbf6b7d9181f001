import { useEffect, useRef } from 'react'
import type { RefObject } from 'react'

const STRONG = 0.14
const WEAK = 0.06
/** How long each of the two strengths lasts, ms: slightly less than the usual time between two prices. */
const STEP_MS = 180
/** A step waits this much longer, ms, so that it can share the frame of the next price. */
const FRAME_SHARING_MS = 70

const reducedMotion =
  typeof matchMedia === 'undefined' ? null : matchMedia('(prefers-reduced-motion: reduce)')

/**
 * A layer over a figure, lit by `flashPrice`; its parent must be `relative`. Only the opacity of this layer changes, in steps
 * that share the frames of the prices: an animation for each figure would cost ten times as much.
 */
export const PriceFlash = ({ layer }: { layer: RefObject<HTMLSpanElement | null> }) => (
  <span
    ref={layer}
    aria-hidden
    className="pointer-events-none absolute inset-0 rounded-[7px] opacity-0 will-change-[opacity] data-[flash=down]:bg-down data-[flash=up]:bg-up"
  />
)

/** The lit layers, and the time (ms, as performance.now) at which each was lit. */
const lit = new Map<HTMLElement, number>()
let isQueued = false
let timer: ReturnType<typeof setTimeout> | undefined

/** Lights a layer briefly in the colour of the direction; does nothing under reduced motion. */
export function flashPrice(layer: HTMLElement, isRise: boolean): void {
  if (reducedMotion?.matches) return
  layer.dataset['flash'] = isRise ? 'up' : 'down'
  layer.style.opacity = String(STRONG)
  lit.set(layer, performance.now())
  if (isQueued) return
  isQueued = true
  queueMicrotask(dim)
}

/** Dims every lit layer by the steps that are due. */
function dim(): void {
  isQueued = false
  clearTimeout(timer)
  const now = performance.now()
  for (const [layer, since] of lit) {
    const steps = Math.floor((now - since) / STEP_MS)
    if (steps > 0) layer.style.opacity = String(steps === 1 ? WEAK : 0)
    if (steps > 1) lit.delete(layer)
  }
  if (lit.size > 0) timer = setTimeout(dim, STEP_MS + FRAME_SHARING_MS)
}

/** Lights the layer whenever the rendered value changes. */
export function usePriceFlash(layer: RefObject<HTMLElement | null>, value: number): void {
  const before = useRef(value)
  useEffect(() => {
    const from = before.current
    before.current = value
    if (value !== from && layer.current) flashPrice(layer.current, value > from)
  }, [layer, value])
}
