import type { ServerProcess } from '../testing/server-process.ts'
import { until } from '../testing/wait.ts'

/** Far longer than is good: a round on a machine at work still says what was lost, and is told as slow. */
const READY_WITHIN_MS = 120_000
/** What its own bugs are called in the log; trouble with the database reads otherwise. */
const BUG = /"msg":"While (deciding|telling)|^(Uncaught|Unhandled)|triggerUncaughtException/m
const SHOWN_CHARACTERS = 4_000

/** What it printed last. */
export const lastOutput = (server: ServerProcess): string => server.output().slice(-SHOWN_CHARACTERS)

/** The first sign of a bug among all it has printed; null without one. */
export function bugOf(server: ServerProcess): string | null {
  const printed = server.output()
  const at = printed.search(BUG)
  return at < 0 ? null : printed.slice(at, at + 600)
}

/** Resolves once it answers that it is ready, be it started anew or found again by its database. */
export const ready = (server: ServerProcess): Promise<unknown> =>
  until('the server is ready', READY_WITHIN_MS, async () => {
    if (!server.isRunning())
      throw new Error(`the server has ended by itself; it printed: ${lastOutput(server)}`)
    return (await server.isReady()) ? true : null
  })
