// `npm run dev`: the server, restarted when its code changes, the web app and the desk with hot reload, in one terminal.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ROOT } from './check/run.ts'

const bin = (name: string): string => join(ROOT, 'node_modules/.bin', name)

const ends = [
  // The port to which the web app's dev server forwards calls.
  spawn(bin('node'), ['--watch', '--watch-preserve-output', 'apps/server/src/main.ts'], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, PORT: '8080' },
  }),
  spawn(bin('vite'), ['apps/web'], { cwd: ROOT, stdio: 'inherit' }),
  spawn(bin('vite'), ['apps/desk'], { cwd: ROOT, stdio: 'inherit' }),
]

function stopAll(): void {
  for (const end of ends) end.kill('SIGTERM')
}

for (const end of ends) end.on('exit', stopAll)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stopAll)
