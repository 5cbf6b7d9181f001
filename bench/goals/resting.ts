import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { spawn } from 'node:child_process'
import { cleanly, type Later } from '../cleanly.ts'
import { linesOrWhy, median, type Extent, type Line } from '../reading.ts'
import { npmStart, residentMb } from '../started.ts'

const execute = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const SETTLE_MS = 10_000
const LOOKS = 5
const LOOK_EVERY_MS = 1_000

/** P12: what `npm start` takes up while nobody does anything, and how long a fresh clone needs to its first price. */
export const measureResting = ({ isLong }: Extent): Promise<Line[]> =>
  cleanly(async (later) => [
    ...(await linesOrWhy({ goal: 'P12', what: 'resting memory' }, async () => [await memory(later)])),
    ...(isLong ? await linesOrWhy({ goal: 'P12', what: FROM_CLONE }, async () => [await freshClone()]) : []),
  ])

const FROM_CLONE = 'clean clone to first price'

async function memory(later: Later): Promise<Line> {
  const bare = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  later({ stop: async () => void bare.kill('SIGKILL') })
  const started = later(await npmStart(ROOT))
  await pause(SETTLE_MS)
  const looks: number[][] = []
  for (let look = 0; look < LOOKS; look += 1) {
    looks.push(started.processes().map(residentMb))
    await pause(LOOK_EVERY_MS)
  }
  const [script = NaN, server = NaN] = [0, 1].map((place) =>
    median(looks.map((sizes) => sizes[place] ?? NaN)),
  )
  return {
    goal: 'P12',
    what: 'resting memory of `npm start`: server, SQLite, prices',
    measured: `${server.toFixed(0)} MB`,
    yardstick: `a bare Node process: ${residentMb(bare.pid ?? 0).toFixed(0)} MB`,
    ratio: server,
    target: { atMost: 150 },
    note: `the start script beside it holds another ${script.toFixed(0)} MB. The ratio is the figure itself. First price ${(started.firstPriceMs / 1_000).toFixed(1)} s after the command, on an empty data folder.`,
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
