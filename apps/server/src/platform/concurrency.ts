/** Runs one task at a time, in the order of the calls. A task that fails does not stop the next. */
export function createMutex() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work)
    last = result.catch(() => null)
    return result
  }
}

/** A mutex for each key: nothing that a task has read changes before it writes. */
export type KeyedMutex = <T>(key: string, work: () => Promise<T>) => Promise<T>

export function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<unknown>>()
  return (key, work) => {
    const result = (last.get(key) ?? Promise.resolve()).then(work)
    const settled = result.then(
      () => null,
      () => null,
    )
    last.set(key, settled)
    void settled.then(() => last.get(key) === settled && last.delete(key))
    return result
  }
}

/** A limited resource that callers share, first come, first served. */
export type Semaphore = {
  /** Waits for a number of units, such as bytes, and returns the function that releases them; null when too many callers wait already. */
  acquire(units: number): Promise<(() => void) | null>
}

/** A caller that needs more than `unitsMax` waits until nothing else is in use. */
export function createSemaphore(unitsMax: number, waitingMax: number): Semaphore {
  const waiting: { readonly units: number; readonly start: () => void }[] = []
  let used = 0
  const startNext = () => {
    const [next] = waiting
    if (!next || (used > 0 && used + next.units > unitsMax)) return
    waiting.shift()
    used += next.units
    next.start()
    startNext()
  }
  return {
    acquire: async (units) => {
      if (waiting.length >= waitingMax) return null
      const acquired = new Promise<void>((resolve) => waiting.push({ units, start: resolve }))
      startNext()
      await acquired
      let isReleased = false
      return () => {
        if (!isReleased) used -= units
        isReleased = true
        startNext()
      }
    },
  }
}
