import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Harness } from './harness.ts'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const VERIFY = 'apps/server/src/commands/verify.ts'
const WITHIN_MS = 300_000

/** Runs the product's own check of its data; returns a problem when it finds one. */
export function verifyHarness({ env }: Harness): Promise<string[]> {
  const options = { cwd: ROOT, env: { PATH: process.env['PATH'], ...env }, timeout: WITHIN_MS }
  return new Promise((resolve) => {
    execFile(process.execPath, [VERIFY], options, (error, stdout, stderr) =>
      resolve(error ? [`verify found: ${stdout}${stderr}`.slice(0, 2_000)] : []),
    )
  })
}
