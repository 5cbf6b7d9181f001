// `npm start`: builds what has changed, then runs the server and restarts it when it dies.
import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { keepRunning } from './workspace/keep-running.mjs'
import { pinnedNode, ROOT } from './workspace/root.mjs'

// In a separate process, because building takes 15 MB of memory, and this process stays as long as the server.
const build = [join(ROOT, 'tools/build.mjs'), '--if-stale']
const { status } = spawnSync(process.execPath, build, { stdio: 'inherit' })
if (status !== 0) process.exit(status ?? 1)

const env = {
  // Compiled code is cached: a later start takes half the time.
  NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/fairlot'),
  // Each memory pool of the C library keeps its pages, and two are enough for the server's threads.
  MALLOC_ARENA_MAX: '2',
  ...process.env,
}
// The young generation otherwise grows to 48 MB and never shrinks. A server on PostgreSQL may need that: objects
// promoted too early make the old generation large and slow to collect.
const YOUNG = process.env.DATABASE_URL ? [] : ['--max-semi-space-size=4']
// Lets the server collect the garbage of its start.
const FLAGS = [...YOUNG, '--expose-gc']
const server = keepRunning(
  () =>
    spawn(pinnedNode(ROOT), [...FLAGS, 'apps/server/src/main.ts'], {
      cwd: ROOT,
      env,
      // The channel reports that it is ready.
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    }),
  { report: (sentence) => console.error(`${new Date().toISOString()} ${sentence}`) },
)

// A terminal sends Ctrl-C to the server too; a second signal would interrupt its graceful stop.
process.on('SIGINT', () => server.stop('SIGINT', process.stdin.isTTY))
process.on('SIGTERM', () => server.stop('SIGTERM'))
process.on('SIGHUP', () => server.stop('SIGTERM'))
process.exit(await server.ended)
