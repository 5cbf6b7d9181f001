import { useEffect, useRef } from 'react'

const FIRST_REPEAT_MS = 400
const REPEAT_MS = 70

/** Handlers for a button that acts once when pressed, and again and again while it is held. */
export function useHold(act: () => void) {
  const latest = useRef(act)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    latest.current = act
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
