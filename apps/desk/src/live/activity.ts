import { serverNow } from './clock.ts'

/** Events that count as activity of the operator. */
const ACTIVITY_EVENTS = ['pointerdown', 'keydown', 'wheel'] as const
/** Requests later than this after the last activity, ms, count as the page's own. */
const BACKGROUND_AFTER_MS = 30_000

let lastAt = serverNow()
const listeners = new Set<() => void>()

const noteActivity = (): void => {
  lastAt = serverNow()
  for (const listener of listeners) listener()
}

/** Starts to note the operator's activity. */
export function watchActivity(): void {
  for (const type of ACTIVITY_EVENTS) addEventListener(type, noteActivity, { passive: true, capture: true })
}

/** The operator's last activity on this page, epoch ms of the server. */
export const lastActivityAt = (): number => lastAt

/** True for requests that the page makes by itself, such as refreshing rows; they do not extend the session. */
export const isBackgroundCall = (): boolean => serverNow() - lastAt > BACKGROUND_AFTER_MS

/** Calls `listener` after each activity; returns a function that stops it. */
export function onActivity(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
