type Stoppable = { stop(): Promise<unknown> }

/** Registers something to be stopped when the measurement ends, also after an error. */
export type Later = <Thing extends Stoppable>(thing: Thing) => Thing

/** Runs a measurement, then stops what it started, last first. */
export async function withCleanup<Result>(measure: (later: Later) => Promise<Result>): Promise<Result> {
  const started: Stoppable[] = []
  try {
    return await measure((thing) => {
      started.push(thing)
      return thing
    })
  } finally {
    for (const thing of started.toReversed()) await thing.stop()
  }
}
