import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { fileURLToPath } from 'node:url'
import type { ServerProcess } from '../../testing/server-process.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** What the product's own check says of the books of a server that runs. Rejects where it finds a difference. */
export async function verified({ dataDir }: ServerProcess): Promise<string> {
  const options = { cwd: ROOT, env: { PATH: process.env['PATH'], DATA_DIR: dataDir } }
  const { stdout } = await promisify(execFile)(process.execPath, ['apps/server/src/verify.ts'], options)
  return stdout
}
