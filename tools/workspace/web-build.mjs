import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pinnedNode } from './root.mjs'

const SOURCES = [
  'apps/web',
  'apps/desk',
  'packages/core/src',
  'packages/contract/src',
  'packages/ui/src',
  'package-lock.json',
]
const SKIPPED = new Set(['node_modules', 'dist'])
const STAMPS = ['apps/web/dist/.built-from', 'apps/desk/dist/.built-from']

/** Every file the apps with screens are made of, in a fixed order. */
function* sourceFiles(root, path) {
  if (!existsSync(join(root, path))) return
  const entries = readdirSync(join(root, path), { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (SKIPPED.has(entry.name)) continue
    if (entry.isDirectory()) yield* sourceFiles(root, `${path}/${entry.name}`)
    else yield `${path}/${entry.name}`
  }
}

/** One hash over names and contents of the sources of both apps. */
export function hashOfSources(root) {
  const hash = createHash('sha256')
  for (const source of SOURCES) {
    const paths = source.includes('.') ? [source] : sourceFiles(root, source)
    for (const path of paths)
      hash
        .update(`${path}\0`)
        .update(readFileSync(join(root, path)))
        .update('\0')
  }
  return hash.digest('hex')
}

/** True when the dist folders of both apps were built from the sources as they are now. */
export function isWebBuilt(root) {
  const stamps = STAMPS.map((stamp) => join(root, stamp))
  if (!stamps.every((stamp) => existsSync(stamp))) return false
  const hash = hashOfSources(root)
  return stamps.every((stamp) => readFileSync(stamp, 'utf8') === hash)
}

/** Builds the traders' web app and the desk. Returns a sentence when that failed, null when it stands. */
export function buildWeb(root) {
  // Taken first: a source that changes during the build makes the result stale.
  const hash = hashOfSources(root)
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  // The web app, the program by which the server renders its first page, and the desk.
  for (const what of [['apps/web'], ['apps/web', '--ssr'], ['apps/desk']]) {
    const args = [vite, 'build', ...what]
    const { status } = spawnSync(pinnedNode(root), args, { cwd: root, stdio: 'inherit' })
    if (status !== 0) return `${what[0]} could not be built (vite build failed): its own message is above.`
  }
  for (const stamp of STAMPS) writeFileSync(join(root, stamp), hash)
  return null
}
