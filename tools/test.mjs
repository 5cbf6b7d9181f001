// `npm test`: installs what is missing, then runs everything CI runs.
import { spawnSync } from 'node:child_process'
import { installOrStop, pinnedNode, ROOT } from './workspace/install.mjs'

installOrStop()
const { status } = spawnSync(pinnedNode(ROOT), ['tools/check.ts'], { cwd: ROOT, stdio: 'inherit' })
process.exit(status ?? 1)
