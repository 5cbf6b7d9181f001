import { fork } from 'node:child_process'
import { on } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { FeedInstrument, InstrumentHistory } from '../feed.ts'

/** The history to simulate; see `createSimulatedHistory`. */
export type HistoryRequest = {
  readonly instruments: readonly FeedInstrument[]
  /** The instruments whose history is requested. */
  readonly wanted: readonly FeedInstrument[]
  readonly seed: string
  readonly until: number
  readonly startFrom?: ReadonlyMap<string, number> | undefined
}

const PROGRAM = fileURLToPath(new URL('./history-program.ts', import.meta.url))

/**
 * The history of a simulated market, made in a child process: it takes seconds and a hundred megabytes, which a thread would
 * not release. At most one instrument is sent ahead.
 */
export async function* historyInProcess(request: HistoryRequest): AsyncGenerator<InstrumentHistory> {
  const child = fork(PROGRAM, [], { execArgv: [], serialization: 'advanced' })
  try {
    child.send(request)
    for await (const [history] of on(child, 'message', { close: ['exit'] })) {
      if (history === null) return
      child.send('next')
      yield history as InstrumentHistory
    }
    throw new Error('the process that simulates the history of prices has exited early')
  } finally {
    child.kill()
  }
}
