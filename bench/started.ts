import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient, listInstruments } from '@fairlot/contract'
import { freePort } from '../tools/workspace/free-port.ts'
import { Missing } from './reading.ts'

const POLL_MS = 20
const PATIENCE_MS = 180_000

/** What `npm start` in a folder runs: embedded database, simulated prices, a data folder of its own. */
export type Started = {
  readonly url: string
  /** From the command to the first price over HTTP. */
  readonly firstPriceMs: number
  /** The processes, the start script first. */
  processes(): readonly number[]
  stop(): Promise<void>
}

export async function npmStart(folder: string, givenDataDir?: string): Promise<Started> {
  const dataDir = givenDataDir ?? mkdtempSync(join(tmpdir(), 'fairlot-bench-'))
  const port = await freePort()
  const env = { ...process.env, PORT: String(port), DATA_DIR: dataDir, FEED: 'simulated:1', DATABASE_URL: '' }
  const begin = performance.now()
  const script = spawn(process.execPath, ['tools/start.mjs'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const stop = async () => {
    if (script.kill('SIGTERM')) await once(script, 'exit')
    if (givenDataDir === undefined) rmSync(dataDir, { recursive: true })
  }
  const url = `http://127.0.0.1:${port}`
  try {
    await firstPrice(url, () => script.exitCode === null)
  } catch (error) {
    await stop()
    throw error
  }
  const firstPriceMs = performance.now() - begin
  return { url, firstPriceMs, processes: () => familyOf(script.pid ?? 0), stop }
}

/** Waits for the first price over HTTP. Throws an Error where there is none in three minutes, or the server has ended. */
export async function firstPrice(url: string, isRunning: () => boolean): Promise<void> {
  const { call } = createClient<AbortSignal>({
    fetch: (address, options) => fetch(address, options),
    baseUrl: url,
    language: () => 'en',
    token: () => null,
    now: Date.now,
  })
  for (let waitedMs = 0; waitedMs < PATIENCE_MS && isRunning(); waitedMs += POLL_MS) {
    const answer = await call(listInstruments, { search: null })
    if (answer.ok && answer.value.some((listing) => listing.bid !== null)) return
    await pause(POLL_MS)
  }
  throw new Error('npm start showed no price')
}

/** A process and its children, by the kernel's own list. */
function familyOf(pid: number): number[] {
  const children = read(`/proc/${pid}/task/${pid}/children`).trim()
  return [pid, ...(children === '' ? [] : children.split(' ')).flatMap((child) => familyOf(Number(child)))]
}

/** Resident memory of a process in MB. */
export function residentMb(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`))?.[1]
  return Number(kilobytes) / 1024
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new Missing(`${path} cannot be read here`)
  }
}
