type Work = () => Promise<unknown>

/** Runs at most `atOnce` pieces of work together; the others wait for their turn, first come first served. */
export function createBatch(atOnce: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: Work[] = []
  let running = 0

  function next() {
    const work = running < atOnce ? waiting.shift() : undefined
    if (!work) return
    running += 1
    void work().finally(() => {
      running -= 1
      next()
    })
  }

  return (work) =>
    new Promise((resolve, reject) => {
      waiting.push(() => work().then(resolve, reject))
      next()
    })
}
