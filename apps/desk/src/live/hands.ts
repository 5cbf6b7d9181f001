import { serverNow } from './clock.ts'

/** What an operator does with their hands. */
const HANDS = ['pointerdown', 'keydown', 'wheel'] as const
/** A call so long after the last act is one of the page itself, ms. */
const OWN_AFTER_MS = 30_000

let lastAt = serverNow()
const listeners = new Set<() => void>()

const act = (): void => {
  lastAt = serverNow()
  for (const listener of listeners) listener()
}

/** From now on hands are noticed. */
export function watchHands(): void {
  for (const hand of HANDS) addEventListener(hand, act, { passive: true, capture: true })
}

/** When somebody last did something on this page, epoch ms of the server. */
export const lastActAt = (): number => lastAt

/** True for what the page does by itself, such as renewing its rows: it keeps nobody logged in. */
export const isOwnAct = (): boolean => serverNow() - lastAt > OWN_AFTER_MS

/** Calls after each act of hands; answers how to stop. */
export function onAct(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
