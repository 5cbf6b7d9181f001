import { existsSync, statfsSync } from 'node:fs'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

export type Outcome = { readonly code: number; readonly output: string }

export type RunOptions = {
  readonly env?: Readonly<Record<string, string>>
  /** `show` passes the output through as it comes; `keep` holds it back for the caller. */
  readonly output?: 'show' | 'keep'
}

/**
 * Runs a program of node_modules/.bin (or one on the PATH) in the root and waits for its end. A program that cannot be
 * started counts as ended with code 127. `output` of the outcome is empty unless it was kept.
 */
export function run(program: string, args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  const keeps = options.output === 'keep'
  const path = `${join(ROOT, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`
  const child = spawn(program, args, {
    cwd: ROOT,
    env: { ...process.env, ...options.env, PATH: path },
    stdio: ['ignore', keeps ? 'pipe' : 'inherit', keeps ? 'pipe' : 'inherit'],
  })
  const chunks: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => chunks.push(String(chunk)))
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: 127, output: `${program}: ${error.message}` }))
    child.on('close', (code) => resolve({ code: code ?? 1, output: chunks.join('') }))
  })
}

const MEMORY = '/dev/shm'
const MEMORY_BYTES_NEEDED = 1_000_000_000

/** Databases and browser profiles of tests live as long as their test: they stand in memory, where the system has a folder for it. */
export function memoryFolder(): { readonly TMPDIR?: string } {
  const space = existsSync(MEMORY) ? statfsSync(MEMORY) : null
  return space && space.bavail * space.bsize > MEMORY_BYTES_NEEDED ? { TMPDIR: MEMORY } : {}
}
