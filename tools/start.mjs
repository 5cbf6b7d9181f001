// `npm start`: on a fresh clone as well as the hundredth time.
import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { keepRunning } from './workspace/keep-running.mjs'
import { pinnedNode, ROOT } from './workspace/root.mjs'

// In a process that ends: what it reads for that takes 15 MB, and we stay as long as the server.
const build = [join(ROOT, 'tools/build.mjs'), '--if-stale']
const { status } = spawnSync(process.execPath, build, { stdio: 'inherit' })
if (status !== 0) process.exit(status ?? 1)

const env = {
  // Compiled code is kept: a later start takes half the time.
  NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/fairlot'),
  // Each pool of the C library keeps what it once held, and the server's threads share two well.
  MALLOC_ARENA_MAX: '2',
  ...process.env,
}
// The room for what is young grows to 48 MB otherwise, and is never given back. A server on PostgreSQL may need it: what is young for too
// short a time is kept as old, and a large heap is looked through each time.
const YOUNG = process.env.DATABASE_URL ? [] : ['--max-semi-space-size=4']
// What a start leaves behind the server itself collects.
const FLAGS = [...YOUNG, '--expose-gc']
const server = keepRunning(
  () =>
    spawn(pinnedNode(ROOT), [...FLAGS, 'apps/server/src/main.ts'], {
      ...{ cwd: ROOT, env },
      // Over the channel it says that it is ready.
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    }),
  { tell: (sentence) => console.error(`${new Date().toISOString()} ${sentence}`) },
)

// A terminal sends Ctrl-C to the server too; sending it once more would cut its clean stop short.
process.on('SIGINT', () => server.stop('SIGINT', process.stdin.isTTY))
process.on('SIGTERM', () => server.stop('SIGTERM'))
process.on('SIGHUP', () => server.stop('SIGTERM'))
process.exit(await server.ended)
