import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { spawn } from 'node:child_process'
import { withCleanup, type Later } from '../with-cleanup.ts'
import { linesOrWhy, median, type Extent, type Line } from '../measurement.ts'
import { npmStart, residentMb } from '../npm-start.ts'

const execute = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const SETTLE_MS = 10_000
const VISITS = 5
const CHECK_EVERY_MS = 1_000

/** P12: memory of an idle `npm start`, and the time from a fresh clone to the first price. */
export const measureIdleMemory = ({ isLong }: Extent): Promise<Line[]> =>
  withCleanup(async (later) => [
    ...(await linesOrWhy({ goal: 'P12', what: 'idle memory' }, async () => [await memory(later)])),
    ...(isLong ? await linesOrWhy({ goal: 'P12', what: FROM_CLONE }, async () => [await freshClone()]) : []),
  ])

const FROM_CLONE = 'clean clone to first price'

async function memory(later: Later): Promise<Line> {
  const bare = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  later({ stop: async () => void bare.kill('SIGKILL') })
  const started = later(await npmStart(ROOT))
  await pause(SETTLE_MS)
  const visits: number[][] = []
  for (let visit = 0; visit < VISITS; visit += 1) {
    visits.push(started.processes().map(residentMb))
    await pause(CHECK_EVERY_MS)
  }
  const [script = NaN, server = NaN] = [0, 1].map((place) =>
    median(visits.map((sizes) => sizes[place] ?? NaN)),
  )
  return {
    goal: 'P12',
    what: 'idle memory of `npm start`: server, SQLite, prices',
    measured: `${server.toFixed(0)} MB`,
    yardstick: `a bare Node process: ${residentMb(bare.pid ?? 0).toFixed(0)} MB`,
    ratio: server,
    target: { atMost: 150 },
    note: `the start script needs another ${script.toFixed(0)} MB. The ratio is the figure itself. First price ${(started.firstPriceMs / 1_000).toFixed(1)} s after the command, on an empty data folder.`,
  }
}

async function freshClone(): Promise<Line> {
  const folder = mkdtempSync(join(tmpdir(), 'fairlot-clone-'))
  const begin = performance.now()
  try {
    await execute('git', ['clone', '--quiet', ROOT, folder])
    const cloneMs = performance.now() - begin
    const started = await npmStart(folder)
    await started.stop()
    const seconds = (cloneMs + started.firstPriceMs) / 1_000
    return {
      goal: 'P12',
      what: FROM_CLONE,
      measured: `${seconds.toFixed(0)} s`,
      yardstick: 'packages cached, web app built on the way',
      ratio: seconds,
      target: { atMost: 60 },
      note: 'the last commit is cloned; the ratio is the figure itself.',
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
