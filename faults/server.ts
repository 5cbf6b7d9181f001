import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { freePort } from '../tools/workspace/free-port.ts'
import { start } from './belongings.ts'
import { until } from './wait.ts'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
/** The program that operators run. */
export const MAIN = 'apps/server/src/main.ts'
const READY_WITHIN_MS = 30_000
const OUTPUT_CHARACTERS = 4_000

/** What the server says of its own bugs; trouble with the database reads otherwise. */
const BUG = /^While (deciding|telling)|^(Uncaught|Unhandled)|triggerUncaughtException/m

/** The real server as a process of its own; it can be killed and started again on the same port. */
export type ServerProcess = {
  readonly url: string
  /** Starts it; `nodeArgs` come before the program. Resolves as soon as the process runs. */
  start(nodeArgs?: readonly string[]): void
  kill(): Promise<void>
  /** Resolves once it answers that it is ready. */
  ready(): Promise<void>
  isRunning(): boolean
  /** Writes a line to its standard input. */
  say(line: string): void
  /** What it printed last. */
  output(): string
  /** The first sign of a bug among all it has printed; null without one. */
  bug(): string | null
}

type Program = {
  readonly program: string
  /** Told of each whole line that it prints. */
  readonly onLine?: (line: string) => void
}

export async function createServerProcess(
  env: Readonly<Record<string, string>>,
  { program, onLine = () => undefined }: Program = { program: MAIN },
): Promise<ServerProcess> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const whole = { ...ownEnvironment(), ...env, HOST: '127.0.0.1', PORT: String(port) }
  let child: ChildProcess | null = null
  let printed = ''
  let bug: string | null = null
  const isRunning = () => child !== null && child.exitCode === null && child.signalCode === null

  return {
    url,
    isRunning,
    say: (line) => void child?.stdin?.write(`${line}\n`),
    output: () => printed,
    bug: () => bug,
    start: (nodeArgs = []) => {
      child = start(process.execPath, [...nodeArgs, program], {
        cwd: ROOT,
        env: whole,
        stdio: ['pipe', 'pipe', 'pipe'],
      })
      // Whoever has died hears nothing.
      child.stdin?.on('error', () => undefined)
      if (child.stdout) createInterface({ input: child.stdout }).on('line', onLine)
      for (const stream of [child.stdout, child.stderr]) {
        stream?.on('data', (chunk) => {
          printed = `${printed}${String(chunk)}`.slice(-OUTPUT_CHARACTERS)
          bug ??= BUG.test(printed) ? printed.slice(printed.search(BUG)).slice(0, 600) : null
        })
      }
    },
    kill: async () => {
      const dying = child
      if (!dying || !isRunning()) return
      const ended = new Promise((resolve) => dying.once('exit', resolve))
      dying.kill('SIGKILL')
      await ended
    },
    ready: async () => {
      await until('the server is ready', READY_WITHIN_MS, async () => {
        if (!isRunning()) throw new Error(`the server has ended by itself; it printed: ${printed}`)
        return (await isReady(url)) ? true : null
      })
    },
  }
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) }).then(
    async (response) => (await response.text(), response.ok),
    () => false,
  )

function ownEnvironment(): Record<string, string> {
  const kept = ['PATH', 'HOME', 'TZ', 'LANG'].map((name) => [name, process.env[name]])
  return Object.fromEntries(kept.filter(([, value]) => value !== undefined))
}
