// `npm run e2e`: the journeys in a real browser, against the web app as it is now. Takes Playwright's own arguments.
import { ensureChromium } from '../testing/chromium.ts'
import { run } from './check/run.ts'

async function journeys(args: readonly string[]): Promise<number> {
  const CHROME_PATH = ensureChromium()
  const build = await run('node', ['tools/build.mjs', '--if-stale'])
  return build.code === 0
    ? (await run('playwright', ['test', ...args], { env: { CHROME_PATH } })).code
    : build.code
}

process.exitCode = await journeys(process.argv.slice(2))
