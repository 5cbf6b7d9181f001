import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { COMPILED, type ServerProcess } from '../../testing/server-process.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** The output of `npm run verify` or `npm run outbox` on the data of a server, which may be running. */
export function printedBy(program: 'verify' | 'outbox', { dataDir }: ServerProcess): Promise<string> {
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir, NODE_COMPILE_CACHE: COMPILED }
  return new Promise((resolve) => {
    const file = `apps/server/src/commands/${program}.ts`
    // The output counts, whatever the exit code.
    execFile(process.execPath, [file], { cwd: ROOT, env }, (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    )
  })
}
