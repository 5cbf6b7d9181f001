// `npm run e2e`: the browser tests against the present web app. Takes Playwright's own arguments.
import { ensureChromium } from '../testing/chromium.ts'
import { memoryFolder, run } from './check/run.ts'

async function journeys(args: readonly string[]): Promise<number> {
  const env = { CHROME_PATH: ensureChromium(), ...memoryFolder() }
  const build = await run('node', ['tools/build.mjs', '--if-stale'])
  return build.code === 0 ? (await run('playwright', ['test', ...args], { env })).code : build.code
}

process.exitCode = await journeys(process.argv.slice(2))
