import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../tools/workspace/free-port.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const MAIN = 'apps/server/src/main.ts'
const START_LIMIT_MS = 30_000
const STOP_LIMIT_MS = 15_000
const READY = /http:\/\/127\.0\.0\.1:\d+/

export type RunningServer = {
  /** Where it answers, without a slash at the end. */
  readonly url: string
  /** Where its data lies; gone after the stop unless `env` named it. */
  readonly dataDir: string
  /** Everything it has printed so far. */
  readonly output: () => string
  /** Writes a line to its standard input. */
  readonly say: (line: string) => void
  /** Sends SIGTERM, waits for the end and removes the temporary data. */
  readonly stop: () => Promise<void>
}

/**
 * Starts the server on a free port with a temporary DATA_DIR and waits until it says where it listens. Of our own
 * environment it sees only PATH, HOME, TZ and LANG; `env` comes on top and may name a DATA_DIR, which then stays. `main`
 * is the program to start. Throws with all it printed when it ends early or is not ready within 30 s.
 */
export async function startServer(
  env: Readonly<Record<string, string>> = {},
  main = MAIN,
): Promise<RunningServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'fairlot-data-'))
  const port = await freePort()
  const child = spawn(join(ROOT, 'node_modules/.bin/node'), [main], {
    cwd: ROOT,
    env: { ...ownEnvironment(), HOST: '127.0.0.1', PORT: String(port), DATA_DIR: dataDir, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const output = keepOutput(child)
  const removeData = (): void => rmSync(dataDir, { recursive: true, force: true })
  const killWithUs = (): void => void child.kill('SIGKILL')
  process.once('exit', killWithUs)
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code, signal) => resolve(`it ended with ${signal ?? `exit code ${code}`}`))
  })
  void ended.then(() => process.off('exit', killWithUs))
  try {
    const url = await ready(child, output, ended)
    const say = (line: string): void => void child.stdin?.write(`${line}\n`)
    return {
      url,
      dataDir: env['DATA_DIR'] ?? dataDir,
      output,
      say,
      stop: () => stop(child, output, ended).finally(removeData),
    }
  } catch (error) {
    child.kill('SIGKILL')
    await ended
    removeData()
    throw error
  }
}

function ownEnvironment(): Record<string, string> {
  const kept = ['PATH', 'HOME', 'TZ', 'LANG'].map((name) => [name, process.env[name]])
  return Object.fromEntries(kept.filter(([, value]) => value !== undefined))
}

function keepOutput(child: ChildProcess): () => string {
  const chunks: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => chunks.push(String(chunk)))
  return () => chunks.join('')
}

/** The address of the first line on stdout that names one. */
function ready(child: ChildProcess, output: () => string, ended: Promise<string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string): void =>
      reject(new Error(`The server did not start: ${reason}. It printed:\n${output() || '(nothing)'}`))
    const timer = setTimeout(() => fail(`it was not ready within ${START_LIMIT_MS / 1000} s`), START_LIMIT_MS)
    void ended.then(fail).finally(() => clearTimeout(timer))
    let printed = ''
    child.stdout?.on('data', (chunk) => {
      printed += String(chunk)
      const url = READY.exec(printed.slice(0, printed.lastIndexOf('\n') + 1))?.[0]
      if (url === undefined) return
      clearTimeout(timer)
      resolve(url)
    })
  })
}

async function stop(child: ChildProcess, output: () => string, ended: Promise<string>): Promise<void> {
  child.kill('SIGTERM')
  let isStuck = false
  const timer = setTimeout(() => {
    isStuck = true
    child.kill('SIGKILL')
  }, STOP_LIMIT_MS)
  await ended
  clearTimeout(timer)
  if (isStuck)
    throw new Error(`The server did not stop within ${STOP_LIMIT_MS / 1000} s. It printed:\n${output()}`)
}
