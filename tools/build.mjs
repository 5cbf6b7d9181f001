// `npm run build`: builds the web app and the desk; with --if-stale only when their sources have changed.
import { installOrStop } from './workspace/install.mjs'
import { ROOT } from './workspace/root.mjs'
import { buildWeb, isWebBuilt } from './workspace/web-build.mjs'

installOrStop()
const isCurrent = process.argv.includes('--if-stale') && isWebBuilt(ROOT)
const refusal = isCurrent ? null : await buildWeb(ROOT)
if (refusal !== null) console.error(`\n${refusal}`)
process.exitCode = refusal === null ? 0 : 1
