import { on } from 'node:events'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Reading } from './readers.ts'

const PROGRAM = fileURLToPath(new URL('./readers.ts', import.meta.url))

/** Many sockets in a process of their own. */
export type Readers = {
  /** What all of them receive together in so many seconds. */
  count(seconds: number): Promise<Reading>
  stop(): Promise<void>
}

/** Opens so many sockets that subscribe to prices. Throws when one of them is refused or lost. */
export async function openReaders(url: string, sockets: number, isPlain = false): Promise<Readers> {
  const args = [PROGRAM, url, String(sockets), ...(isPlain ? ['plain'] : [])]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = on(createInterface(child.stdout), 'line', { close: ['close'] })
  const next = async (): Promise<string> => {
    const { value, done } = await lines.next()
    if (done) throw new Error('the readers have ended: their sockets were refused or lost')
    return String((value as readonly unknown[])[0])
  }
  await next()
  return {
    count: async (seconds) => {
      child.stdin.write(`count ${seconds}\n`)
      return JSON.parse(await next()) as Reading
    },
    stop: async () => void child.kill(),
  }
}
