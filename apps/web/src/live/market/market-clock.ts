import { useSyncExternalStore } from 'react'

const TICK_MS = 1000

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function subscribe(listener: () => void) {
  listeners.add(listener)
  timer ??= setInterval(() => {
    for (const each of listeners) each()
  }, TICK_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** Looks again once a second at something that depends on the time; renders only when the answer changes. */
export const useEverySecond = <Answer extends string | number | boolean | null>(look: () => Answer): Answer =>
  useSyncExternalStore(subscribe, look, look)

let offsetMs = 0
let newest = 0

/** Learns the market's time from a quote: in a replay it is not the reader's. `time` is epoch ms on the market clock. */
export function learnMarketTime(time: number): void {
  if (time < newest) return
  newest = time
  offsetMs = time - Date.now()
}

/** The latest moment that the market has told, epoch ms on its clock; 0 before the first. */
export const lastMarketTime = (): number => newest

/** Now on the market's clock, epoch ms. */
export const marketNow = (): number => Date.now() + offsetMs
