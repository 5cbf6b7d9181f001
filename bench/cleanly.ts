type Stoppable = { stop(): Promise<unknown> }

/** Remembers something to be stopped when the measuring ends, well or badly. */
export type Later = <Thing extends Stoppable>(thing: Thing) => Thing

/** Runs a measure and then stops what it started, the last first. */
export async function cleanly<Result>(measure: (later: Later) => Promise<Result>): Promise<Result> {
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
