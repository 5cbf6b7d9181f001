import { useEffect, useRef } from 'react'
import type { RefObject } from 'react'

const TINT_MS = 400

/** Three steps instead of a fade: a list of moving prices would otherwise repaint with every frame of the screen. */
const EASING = 'steps(3, jump-none)'

/** Tints an element for a moment whenever `value` moves, in the colour of the direction; never under reduced motion. */
export function useTint(target: RefObject<HTMLElement | null>, value: number): void {
  const before = useRef(value)
  useEffect(() => {
    const from = before.current
    before.current = value
    if (value === from || matchMedia('(prefers-reduced-motion: reduce)').matches) return
    const tint = value > from ? 'var(--up-tint)' : 'var(--down-tint)'
    target.current?.animate({ backgroundColor: [tint, 'transparent'] }, { duration: TINT_MS, easing: EASING })
  }, [target, value])
}
