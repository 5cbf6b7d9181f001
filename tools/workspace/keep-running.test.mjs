import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { freePort } from '../../testing/free-port.ts'
import { ROOT } from './install.mjs'
import { keepRunning } from './keep-running.mjs'

const READY = "process.send('ready', () => "
const STAYS = 'setInterval(() => {}, 1000)'

/** Runs one script after the other, and the last one from then on. */
function running(scripts, firstPauseMs = 5) {
  const starts = []
  const reported = []
  const start = () => {
    const script = scripts[Math.min(starts.length, scripts.length - 1)]
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
    starts.push(child)
    return child
  }
  const kept = keepRunning(start, { report: (sentence) => reported.push(sentence), firstPauseMs })
  onTestFinished(() => {
    kept.stop('SIGKILL')
  })
  return { ...kept, starts, reported }
}

describe('a program that dies', () => {
  test('is restarted, later each time it fails in a row, and the reason is reported', async () => {
    const dies = `${READY} process.exit(3))`
    const { ended, starts, reported } = running([
      dies,
      "process.kill(process.pid, 'SIGKILL')",
      dies,
      `${READY} process.exit(0))`,
    ])
    expect(await ended).toBe(0)
    expect(starts).toHaveLength(4)
    expect(reported).toEqual([
      'The server ended (exit code 3); what it said last is above. It is started again in 5 ms.',
      'The server ended (SIGKILL); what it said last is above. It is started again in 10 ms.',
      'The server ended (exit code 3); what it said last is above. It is started again in 20 ms.',
    ])
  })

  test('is not restarted if it was never ready', async () => {
    const { ended, starts, reported } = running(['process.exit(1)'])
    expect(await ended).toBe(1)
    expect(starts).toHaveLength(1)
    expect(reported).toEqual([])
  })

  test('is given up after twenty failures in a row', async () => {
    const { ended, starts, reported } = running([`${READY} process.exit(3))`, 'process.exit(4)'], 0)
    expect(await ended).toBe(4)
    expect(starts).toHaveLength(21)
    expect(reported.at(-1)).toBe(
      'The server ended (exit code 4) after 20 others in a row. It is not started again.',
    )
  })

  test('ends when it cannot be started', async () => {
    const kept = keepRunning(() => spawn('/no/such/program', { stdio: 'ignore' }), { report: () => {} })
    expect(await kept.ended).toBe(1)
  })
})

describe('a program that is told to stop', () => {
  test('receives the signal, and is not restarted whatever its exit code', async () => {
    const stubborn = `process.on('SIGTERM', () => process.exit(7)); process.send('ready'); ${STAYS}`
    const { ended, starts, stop } = running([stubborn])
    await new Promise((resolve) => starts[0].once('message', resolve))
    stop('SIGTERM')
    expect(await ended).toBe(7)
    expect(starts).toHaveLength(1)
  })

  test('is not restarted while it is down', async () => {
    const { ended, starts, reported, stop } = running([`${READY} process.exit(3))`], 60_000)
    await vi.waitUntil(() => reported.length === 1)
    stop('SIGINT')
    expect(await ended).toBe(130)
    expect(starts).toHaveLength(1)
  })
})

test('the server restarts when it is killed, and stops gracefully when told to', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'fairlot-keep-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const port = await freePort()
  const env = { ...process.env, PORT: String(port), DATA_DIR: dataDir, DATABASE_URL: '', FEED: 'simulated:1' }
  const starts = []
  const start = () => {
    const child = spawn(process.execPath, ['apps/server/src/main.ts'], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    starts.push(child)
    return child
  }
  const kept = keepRunning(start, { report: () => {}, firstPauseMs: 5 })
  const isServed = () =>
    fetch(`http://127.0.0.1:${port}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    )
  await new Promise((resolve) => starts[0].once('message', resolve))
  expect(await isServed()).toBe(true)
  starts[0].kill('SIGKILL')
  await vi.waitUntil(() => starts.length === 2, { timeout: 10_000 })
  await new Promise((resolve) => starts[1].once('message', resolve))
  expect(await isServed()).toBe(true)
  kept.stop('SIGTERM')
  expect(await kept.ended).toBe(0)
}, 60_000)
