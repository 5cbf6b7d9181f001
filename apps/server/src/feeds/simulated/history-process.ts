import { fork } from 'node:child_process'
import { on } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { FeedInstrument, InstrumentHistory } from '../feed.ts'

/** Which past is to be made; see `createSimulatedHistory`. */
export type HistoryWish = {
  readonly instruments: readonly FeedInstrument[]
  /** Those whose past is wanted. */
  readonly asked: readonly FeedInstrument[]
  readonly seed: string
  readonly until: number
  readonly startFrom?: ReadonlyMap<string, number> | undefined
}

const PROGRAM = fileURLToPath(new URL('./history-program.ts', import.meta.url))

/**
 * The past of a simulated market, made in a process of its own: it takes seconds and a hundred megabytes, which a thread would
 * not give back. No more than one instrument waits to be taken.
 */
export async function* historyInProcess(wish: HistoryWish): AsyncGenerator<InstrumentHistory> {
  const child = fork(PROGRAM, [], { execArgv: [], serialization: 'advanced' })
  try {
    child.send(wish)
    for await (const [history] of on(child, 'message', { close: ['exit'] })) {
      if (history === null) return
      child.send('next')
      yield history as InstrumentHistory
    }
    throw new Error('the process that makes the past of the prices has ended before its time')
  } finally {
    child.kill()
  }
}
