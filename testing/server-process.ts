import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { TEST_DATA_KEY } from './data-key.ts'
import { freePort } from './free-port.ts'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const MAIN = 'apps/server/src/main.ts'
/** The same cache of compiled code as that of `npm start`: a start takes a fifth less work. */
export const COMPILED = join(ROOT, 'node_modules/.cache/fairlot')
const START_LIMIT_MS = 60_000
const STOP_LIMIT_MS = 15_000
const READY = /http:\/\/127\.0\.0\.1:\d+.*\n/

export type ServerSettings = {
  /** In addition to PATH, HOME, TZ and LANG, the only variables passed from our own environment. */
  readonly env?: Readonly<Record<string, string>>
  /** Relative to `folder`. */
  readonly program?: string
  readonly args?: readonly string[]
  /** Another clone of the repository. */
  readonly folder?: string
  /** Called with each complete line of output. */
  readonly onLine?: (line: string) => void
  readonly spawn?: (program: string, args: readonly string[], options: SpawnOptions) => ChildProcess
}

/** The real server in its own process, on one port and one database across restarts. */
export type ServerProcess = {
  /** Without a trailing slash. */
  readonly url: string
  /** The data folder, if any; a temporary one is removed by `stop`. */
  readonly dataDir: string
  /** All output so far. */
  output(): string
  /** Writes a line to its standard input. */
  say(line: string): void
  /** Id of the present or last process; 0 before the first start. */
  pid(): number
  isRunning(): boolean
  /** True when it answers that it is ready. */
  isReady(): Promise<boolean>
  /** Starts it; `nodeArgs` come before the program. */
  start(nodeArgs?: readonly string[]): void
  /** Resolves once it says where it listens. Throws with its output when it ends early or takes over 60 s. */
  started(withinMs?: number): Promise<void>
  /** Resolves with its exit code, however it ends; null after a signal. */
  exited(): Promise<number | null>
  /** Kills it at once, as a power cut would. */
  kill(): Promise<void>
  /**
   * Stops it gracefully and removes its temporary folder. Throws when that takes over 15 s. Resolves with its exit
   * code.
   */
  stop(): Promise<number | null>
}

/** Starts a server on a free port. Throws as `started` does. */
export async function startServerProcess(settings: ServerSettings = {}): Promise<ServerProcess> {
  const server = await createServerProcess(settings)
  server.start()
  try {
    await server.started()
    return server
  } catch (error) {
    await server.kill()
    await server.stop()
    throw error
  }
}

/** Starts a server on an existing database, with a market that never closes. */
export const startServerOn = (
  { databaseUrl, dataDir }: { readonly databaseUrl: string | null; readonly dataDir: string },
  env: Readonly<Record<string, string>>,
): Promise<ServerProcess> =>
  startServerProcess({
    env: { DATA_DIR: dataDir || '.', DATABASE_URL: databaseUrl ?? '', MARKET_HOURS: 'always', ...env },
  })

/** A server that is not started yet. Without DATA_DIR and DATABASE_URL its data is in a temporary folder. */
export async function createServerProcess(settings: ServerSettings = {}): Promise<ServerProcess> {
  const {
    env: given = {},
    program = MAIN,
    args = [],
    folder = ROOT,
    onLine,
    spawn: launch = spawn,
  } = settings
  const isPlaced = Boolean(given['DATA_DIR'] || given['DATABASE_URL'])
  const dataDir = isPlaced ? (given['DATA_DIR'] ?? '') : mkdtempSync(join(tmpdir(), 'fairlot-data-'))
  const port = Number(given['PORT'] ?? (await freePort()))
  const url = `http://127.0.0.1:${port}`
  const env = {
    ...ownEnvironment(),
    HOST: '127.0.0.1',
    PORT: String(port),
    NODE_COMPILE_CACHE: COMPILED,
    ...(given['DATABASE_URL'] && { DATA_KEY: TEST_DATA_KEY }),
    ...given,
    ...(dataDir !== '' && { DATA_DIR: dataDir }),
  }
  const output = keepOutput(onLine)
  let running: Running | null = null
  const isRunning = () => running !== null && !running.hasEnded()
  const exited = async () => (running ? running.exited : null)

  return {
    url,
    dataDir,
    isRunning,
    exited,
    output: output.all,
    pid: () => running?.child.pid ?? 0,
    say: (line) => void running?.child.stdin?.write(`${line}\n`),
    isReady: () => isReady(url),
    start: (nodeArgs = []) => {
      output.mark()
      const child = launch(process.execPath, [...nodeArgs, program, ...args], {
        cwd: folder,
        env,
        stdio: ['pipe', 'pipe', 'pipe'],
      })
      output.listenTo(child)
      running = watch(child)
    },
    started: (withinMs = START_LIMIT_MS) =>
      started({ output, withinMs, reasonOfEnd: running?.ended ?? Promise.resolve('nobody started it') }),
    kill: async () => {
      if (isRunning()) running?.child.kill('SIGKILL')
      await running?.ended
    },
    stop: async () => {
      try {
        if (running && isRunning()) await stop(running, output)
        return await exited()
      } finally {
        if (!isPlaced) rmSync(dataDir, { recursive: true, force: true })
      }
    },
  }
}

type Running = {
  readonly child: ChildProcess
  hasEnded(): boolean
  /** Resolves with how it ended, once its output is complete. */
  readonly ended: Promise<string>
  readonly exited: Promise<number | null>
}

/** Makes sure that a process ends with ours. */
function watch(child: ChildProcess): Running {
  let hasEnded = false
  const killWithUs = (): void => void child.kill('SIGKILL')
  process.once('exit', killWithUs)
  // Writing to a process that has ended is ignored.
  child.stdin?.on('error', () => undefined)
  const { promise: exited, resolve: exit } = Promise.withResolvers<number | null>()
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', () => void (hasEnded = true))
    child.once('close', (code, signal) => {
      exit(code)
      resolve(`it ended with ${signal ?? `exit code ${code}`}`)
    })
  })
  void ended.then(() => {
    hasEnded = true
    exit(null)
    process.off('exit', killWithUs)
  })
  return { child, hasEnded: () => hasEnded, ended, exited }
}

type Output = {
  all(): string
  /** Output since the last mark. */
  sinceMark(): string
  mark(): void
  listenTo(child: ChildProcess): void
  /** Returns a function that stops listening. */
  onMore(check: () => void): () => void
}

function keepOutput(onLine: (line: string) => void = () => undefined): Output {
  let printed = ''
  let marked = 0
  const listeners = new Set<() => void>()
  const listenTo = (child: ChildProcess): void => {
    let line = ''
    child.stdout?.on('data', (chunk) => {
      const lines = `${line}${String(chunk)}`.split('\n')
      line = lines.pop() ?? ''
      for (const whole of lines) onLine(whole)
    })
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => {
        printed += String(chunk)
        for (const check of listeners) check()
      })
  }
  return {
    listenTo,
    all: () => printed,
    sinceMark: () => printed.slice(marked),
    mark: () => void (marked = printed.length),
    onMore: (check) => {
      listeners.add(check)
      return () => listeners.delete(check)
    },
  }
}

type Start = {
  readonly output: Output
  readonly reasonOfEnd: Promise<string>
  readonly withinMs: number
}

function started({ output, reasonOfEnd, withinMs }: Start): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const fail = (reason: string): void =>
    reject(
      new Error(`The server did not start: ${reason}. It printed:\n${output.sinceMark() || '(nothing)'}`),
    )
  const timer = setTimeout(() => fail(`it was not ready within ${withinMs / 1000} s`), withinMs)
  void reasonOfEnd.then(fail)
  const check = () => void (READY.test(output.sinceMark()) && resolve())
  const stopChecking = output.onMore(check)
  check()
  return promise.finally(() => {
    clearTimeout(timer)
    stopChecking()
  })
}

async function stop({ child, ended }: Running, output: Output): Promise<void> {
  child.kill('SIGTERM')
  let isStuck = false
  const timer = setTimeout(() => {
    isStuck = true
    child.kill('SIGKILL')
  }, STOP_LIMIT_MS)
  await ended
  clearTimeout(timer)
  if (isStuck)
    throw new Error(`The server did not stop within ${STOP_LIMIT_MS / 1000} s. It printed:\n${output.all()}`)
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
