import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { COMPILED, type ServerProcess } from '../../testing/server-process.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** All that a program for operators prints of the data of a server, which may run: `npm run verify` or `npm run outbox`. */
export function printedBy(program: 'verify' | 'outbox', { dataDir }: ServerProcess): Promise<string> {
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir, NODE_COMPILE_CACHE: COMPILED }
  return new Promise((resolve) => {
    const file = `apps/server/src/${program}.ts`
    // What it has to say stands in its output, whichever way it ends.
    execFile(process.execPath, [file], { cwd: ROOT, env }, (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    )
  })
}
