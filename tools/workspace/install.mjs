// Runs before anything is installed: plain JavaScript for Node 20 that imports only Node modules.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { pinnedNode, ROOT } from './root.mjs'

const OLDEST_NODE = 20

const INSTALL = ['ci', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']

const lockFile = (root) => join(root, 'package-lock.json')
const stampFile = (root) => join(root, 'node_modules/.fairlot-lock')
const hashOf = (path) => createHash('sha256').update(readFileSync(path)).digest('hex')

/** A message for a Node that is too old, else null. `version` as in process.versions.node. */
export function nodeProblem(version) {
  if (Number(version.split('.')[0]) >= OLDEST_NODE) return null
  return `Fairlot needs Node ${OLDEST_NODE} or newer, and this is Node ${version}. Install a newer one and start again.`
}

/**
 * True when node_modules was installed from the present package-lock.json: our stamp contains its hash, or npm
 * finished an install after the lock file last changed.
 */
export function isInstalled(root) {
  if (!existsSync(pinnedNode(root))) return false
  const ours = stampFile(root)
  if (existsSync(ours) && readFileSync(ours, 'utf8') === hashOf(lockFile(root))) return true
  const npmsOwn = join(root, 'node_modules/.package-lock.json')
  return existsSync(npmsOwn) && statSync(npmsOwn).mtimeMs > statSync(lockFile(root)).mtimeMs
}

const stamp = (root) => writeFileSync(stampFile(root), hashOf(lockFile(root)))

/** Installs what is missing. Returns a message when that failed, else null. */
function install(root) {
  if (isInstalled(root)) {
    if (!existsSync(stampFile(root))) stamp(root)
    return null
  }
  console.log('Installing what is missing (npm ci) ...')
  const { status, error } = runNpm(root)
  if (error) return `npm could not be started (${error.message}). Fairlot needs the npm that comes with Node.`
  if (status !== 0)
    return `npm ci failed (exit code ${status}): its own message is above. Nothing was started.`
  if (!existsSync(pinnedNode(root)))
    return 'npm ci left no Node 24 behind: its install scripts are switched off. Run "npm config delete ignore-scripts".'
  stamp(root)
  return null
}

/** Uses the Node that npm runs on: the pinned one is about to be replaced. */
function runNpm(root) {
  const ownBin = join(root, 'node_modules/.bin')
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== ownBin)
  const options = { cwd: root, stdio: 'inherit', env: { ...process.env, PATH: path.join(delimiter) } }
  const { npm_node_execpath: node, npm_execpath: npm } = process.env
  return node && npm ? spawnSync(node, [npm, ...INSTALL], options) : spawnSync('npm', INSTALL, options)
}

/** Installs, or ends the program with a message. */
export function installOrStop() {
  const problem = nodeProblem(process.versions.node) ?? install(ROOT)
  if (problem === null) return
  console.error(`\n${problem}`)
  process.exit(1)
}
