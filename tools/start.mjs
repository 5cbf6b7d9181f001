// `npm start`: on a fresh clone as well as the hundredth time.
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'
import { installOrStop, pinnedNode, ROOT } from './workspace/install.mjs'
import { buildWeb, isWebBuilt } from './workspace/web-build.mjs'

installOrStop()
const refusal = isWebBuilt(ROOT) ? null : buildWeb(ROOT)
if (refusal !== null) {
  console.error(`\n${refusal}`)
  process.exit(1)
}

// Compiled code is kept: a later start takes half the time.
const env = { NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/fairlot'), ...process.env }
const server = spawn(pinnedNode(ROOT), ['apps/server/src/main.ts'], { cwd: ROOT, env, stdio: 'inherit' })

// A terminal sends Ctrl-C to the server too; sending it once more would cut its clean stop short.
process.on('SIGINT', () => void (process.stdin.isTTY || server.kill('SIGINT')))
process.on('SIGTERM', () => server.kill('SIGTERM'))
process.on('SIGHUP', () => server.kill('SIGTERM'))
server.on('error', (error) => {
  console.error(`The server could not be started: ${error.message}`)
  process.exit(1)
})
server.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)))
