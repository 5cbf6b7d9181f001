import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { listInstruments } from '@fairlot/contract'
import { clientOf } from '../testing/client.ts'
import { createServerProcess } from '../testing/server-process.ts'
import { Missing } from './measurement.ts'

const POLL_MS = 20
const PATIENCE_MS = 180_000

/** `npm start` in a folder: embedded database, simulated prices, a data folder of its own. */
export type Started = {
  readonly url: string
  /** From the command to the first price over HTTP. */
  readonly firstPriceMs: number
  /** The processes, the start script first. */
  processes(): readonly number[]
  stop(): Promise<unknown>
}

/** A data folder, which is then kept, and environment variables. */
type StartOptions = { readonly dataDir?: string; readonly env?: Readonly<Record<string, string>> }

export async function npmStart(folder: string, { dataDir, env = {} }: StartOptions = {}): Promise<Started> {
  const server = await createServerProcess({
    folder,
    program: 'tools/start.mjs',
    env: {
      ...(process.env as Record<string, string>),
      FEED: 'simulated:1',
      DATABASE_URL: '',
      // Empty: a temporary folder is made.
      DATA_DIR: dataDir ?? '',
      ...env,
    },
  })
  const begin = performance.now()
  server.start()
  try {
    await firstPrice(server.url, server.isRunning)
  } catch (error) {
    console.error(server.output())
    await server.stop()
    throw error
  }
  const firstPriceMs = performance.now() - begin
  return { url: server.url, firstPriceMs, processes: () => familyOf(server.pid()), stop: server.stop }
}

/** Waits for the first price over HTTP. Throws when there is none in three minutes, or the server has ended. */
export async function firstPrice(url: string, isRunning: () => boolean): Promise<void> {
  const { call } = clientOf(url)
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
