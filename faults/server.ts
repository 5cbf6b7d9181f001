import type { ServerProcess } from '../testing/server-process.ts'
import { until } from '../testing/wait.ts'

/** Much longer than acceptable: a round on a busy machine still shows what was lost, and is reported as slow. */
const READY_WITHIN_MS = 120_000
/** Log lines of its own bugs; those of database trouble differ. */
const BUG =
  /"msg":"While (deciding|checking invariants|telling|publishing|announcing|reporting|notifying)|^(Uncaught|Unhandled)|triggerUncaughtException/m
const SHOWN_CHARACTERS = 4_000

/** The end of its output. */
export const lastOutput = (server: ServerProcess): string => server.output().slice(-SHOWN_CHARACTERS)

/** The first sign of a bug in its output; null without one. */
export function bugOf(server: ServerProcess): string | null {
  const printed = server.output()
  const at = printed.search(BUG)
  return at < 0 ? null : printed.slice(at, at + 600)
}

/** Resolves once it reports that it is ready, after a restart or a reconnection to its database. */
export const ready = (server: ServerProcess): Promise<unknown> =>
  until('the server is ready', READY_WITHIN_MS, async () => {
    if (!server.isRunning())
      throw new Error(`the server has ended by itself; it printed: ${lastOutput(server)}`)
    return (await server.isReady()) ? true : null
  })
