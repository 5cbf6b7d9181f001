// `npm test`: installs what is missing, then runs everything CI runs.
import { spawnSync } from 'node:child_process'
import { installOrStop } from './workspace/install.mjs'
import { pinnedNode, ROOT } from './workspace/root.mjs'

installOrStop()
const { status } = spawnSync(pinnedNode(ROOT), ['tools/check.ts'], { cwd: ROOT, stdio: 'inherit' })
process.exit(status ?? 1)
