/** Runs `paint` before the next paint; returns at once. */
export type Schedule = (paint: () => void) => void

/** Merges values that arrive between two paints: `paint` gets each key once per frame, with its newest value. */
export function createFrame<Key, Value>(schedule: Schedule, paint: (key: Key, value: Value) => void) {
  const latest = new Map<Key, Value>()
  const flush = () => {
    const values = [...latest]
    latest.clear()
    for (const [key, value] of values) paint(key, value)
  }
  return (key: Key, value: Value): void => {
    if (latest.size === 0) schedule(flush)
    latest.set(key, value)
  }
}

const HIDDEN_PAINT_MS = 1000

/** The browser's next frame; a hidden page, which gets no frames, catches up once a second. */
export const nextFrame: Schedule = (paint) => {
  if (document.hidden) setTimeout(paint, HIDDEN_PAINT_MS)
  else requestAnimationFrame(paint)
}
