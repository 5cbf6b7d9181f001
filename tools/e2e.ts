// `npm run e2e`: the journeys in a real browser, against the web app as it is now. Takes Playwright's own arguments.
import { existsSync, statfsSync } from 'node:fs'
import { ensureChromium } from '../testing/chromium.ts'
import { run } from './check/run.ts'

const MEMORY = '/dev/shm'
const ROOM_BYTES = 1_000_000_000

/** Databases and browser profiles last as long as their journey: in memory, where it has a folder, nobody waits for a disk. */
function temporaryFolder(): { readonly TMPDIR?: string } {
  const space = existsSync(MEMORY) ? statfsSync(MEMORY) : null
  return space && space.bavail * space.bsize > ROOM_BYTES ? { TMPDIR: MEMORY } : {}
}

async function journeys(args: readonly string[]): Promise<number> {
  const env = { CHROME_PATH: ensureChromium(), ...temporaryFolder() }
  const build = await run('node', ['tools/build.mjs', '--if-stale'])
  return build.code === 0 ? (await run('playwright', ['test', ...args], { env })).code : build.code
}

process.exitCode = await journeys(process.argv.slice(2))
