import { useEffect, useRef, type KeyboardEvent } from 'react'

const FIRST_REPEAT_MS = 400
const REPEAT_MS = 70

/** Handlers for a button that repeats its action while it is held. */
export function useHold(action: () => void) {
  const latest = useRef(action)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    latest.current = action
  })
  const stop = () => clearTimeout(timer.current)
  useEffect(() => stop, [])
  const repeat = () => {
    latest.current()
    timer.current = setTimeout(repeat, REPEAT_MS)
  }
  return {
    onPointerDown: () => {
      timer.current = setTimeout(repeat, FIRST_REPEAT_MS)
    },
    onPointerUp: stop,
    onPointerLeave: stop,
    onPointerCancel: stop,
    onContextMenu: (event: { preventDefault: () => void }) => event.preventDefault(),
    onClick: () => latest.current(),
  }
}

/** A key handler that steps the value of a field with the arrow keys: up (1) and down (-1). */
export const byArrows =
  (step: (direction: 1 | -1) => void) =>
  (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    event.preventDefault()
    step(event.key === 'ArrowUp' ? 1 : -1)
  }
