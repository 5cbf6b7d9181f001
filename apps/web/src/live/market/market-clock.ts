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

/** Evaluates something that depends on the time once a second; renders only when the result changes. */
export const useEverySecond = <Answer extends string | number | boolean | null>(read: () => Answer): Answer =>
  useSyncExternalStore(subscribe, read, read)

let offsetMs = 0
let newest = 0

/** Sets the market clock by a quote: in a replay it differs from the device's. `time` is epoch ms on the market clock. */
export function syncMarketClock(time: number): void {
  if (time < newest) return
  newest = time
  offsetMs = time - Date.now()
}

/** Time of the newest quote, epoch ms on the market clock; 0 before the first. */
export const lastMarketTime = (): number => newest

/** Now on the market's clock, epoch ms. */
export const marketNow = (): number => Date.now() + offsetMs
