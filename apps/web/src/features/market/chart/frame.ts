/** Calls `paint` once with the next animation frame, however often it is asked before. */
export function oncePerFrame(paint: () => void): { readonly ask: () => void; readonly cancel: () => void } {
  let handle = 0
  return {
    ask: () => {
      handle ||= requestAnimationFrame(() => {
        handle = 0
        paint()
      })
    },
    cancel: () => {
      cancelAnimationFrame(handle)
      handle = 0
    },
  }
}
