// `npm run test:changed`: runs the tests affected by changes since the last commit; takes Vitest's arguments.
import { ensureChromium } from '../testing/chromium.ts'
import { memoryFolder, run } from './check/run.ts'

const { code } = await run('vitest', ['run', '--changed', ...process.argv.slice(2)], {
  env: { CHROME_PATH: ensureChromium(), ...memoryFolder() },
})
process.exitCode = code
