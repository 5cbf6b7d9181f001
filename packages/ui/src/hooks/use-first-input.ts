import { useEffect } from 'react'

const INPUTS = ['pointerdown', 'keydown'] as const

/** Calls `act` once, with the first touch, click or key: to load what the user may need next, which a mere look does not. */
export function useFirstInput(act: () => void): void {
  useEffect(() => {
    const stopListening = new AbortController()
    const onInput = () => {
      stopListening.abort()
      act()
    }
    for (const name of INPUTS)
      addEventListener(name, onInput, { capture: true, passive: true, signal: stopListening.signal })
    return () => stopListening.abort()
  }, [act])
}
