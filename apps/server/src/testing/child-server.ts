import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { DatabasePlace } from '../database/open.ts'

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))

/** The server as a process of its own, which a test may kill. */
export type ChildServer = {
  readonly url: string
  /** All it has printed so far. */
  output(): string
  /** Resolves with its exit code, however it ends. */
  readonly exited: Promise<number | null>
  /** Ends it between two instructions, as a power cut does. */
  kill(): Promise<void>
  /** Ends it in order; resolves with its exit code. */
  stop(): Promise<number | null>
}

export async function startChildServer(
  place: DatabasePlace,
  env: Readonly<Record<string, string>>,
): Promise<ChildServer> {
  const child = spawn(process.execPath, [MAIN], {
    env: {
      PORT: '0',
      DATA_DIR: place.dataDir || '.',
      DATABASE_URL: place.databaseUrl ?? '',
      MARKET_HOURS: 'always',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += String(chunk)
        const [, ready] = /ready at (http:\S+)\n/.exec(output) ?? []
        if (ready !== undefined) resolve(ready)
      })
    }
    child.once('exit', () => reject(new Error(`the server ended before it was ready: ${output}`)))
  })
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return exited
  }
  return {
    url,
    output: () => output,
    exited,
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
  }
}
