import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Floor } from './floor.ts'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const VERIFY = 'apps/server/src/verify.ts'
const WITHIN_MS = 300_000

/** Runs the product's own check of its books on a floor; a sentence when it finds something. */
export function verifyFloor({ env }: Floor): Promise<string[]> {
  const options = { cwd: ROOT, env: { PATH: process.env['PATH'], ...env }, timeout: WITHIN_MS }
  return new Promise((resolve) => {
    execFile(process.execPath, [VERIFY], options, (error, stdout, stderr) =>
      resolve(error ? [`verify found: ${stdout}${stderr}`.slice(0, 2_000)] : []),
    )
  })
}
