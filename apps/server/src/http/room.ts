/** Room in memory that those who need some of it wait for, first come, first served. */
export type Room = {
  /** Answers how to give it back; null when too many wait already. */
  take(bytes: number): Promise<(() => void) | null>
}

/** Room for so many bytes, and so many who wait for some. One who needs more than there is waits until it is empty. */
export function createRoom(bytesMax: number, waitingMax: number): Room {
  const waiting: { readonly bytes: number; readonly enter: () => void }[] = []
  let taken = 0
  const isRoomFor = (bytes: number) => taken === 0 || taken + bytes <= bytesMax
  const enterNext = () => {
    const [next] = waiting
    if (!next || !isRoomFor(next.bytes)) return
    waiting.shift()
    taken += next.bytes
    next.enter()
    enterNext()
  }
  return {
    take: async (bytes) => {
      if (waiting.length >= waitingMax) return null
      const entered = new Promise<void>((resolve) => waiting.push({ bytes, enter: resolve }))
      enterNext()
      await entered
      let isHeld = true
      return () => {
        if (isHeld) taken -= bytes
        isHeld = false
        enterNext()
      }
    },
  }
}
