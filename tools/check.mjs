// `npm test`, `npm run check` and `npm run check:all`: installs what is missing, then runs the checks of check.ts.
import { spawnSync } from 'node:child_process'
import { installOrStop } from './workspace/install.mjs'
import { pinnedNode, ROOT } from './workspace/root.mjs'

installOrStop()
const check = ['tools/check.ts', ...process.argv.slice(2)]
const { status } = spawnSync(pinnedNode(ROOT), check, { cwd: ROOT, stdio: 'inherit' })
process.exit(status ?? 1)
