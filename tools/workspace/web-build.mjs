import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pinnedNode } from './install.mjs'

const SOURCES = ['apps/web', 'packages/core/src', 'packages/contract/src', 'package-lock.json']
const SKIPPED = new Set(['node_modules', 'dist'])
const STAMP = 'apps/web/dist/.built-from'

/** Every file the web app is made of, in a fixed order. */
function* sourceFiles(root, path) {
  if (!existsSync(join(root, path))) return
  const entries = readdirSync(join(root, path), { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (SKIPPED.has(entry.name)) continue
    if (entry.isDirectory()) yield* sourceFiles(root, `${path}/${entry.name}`)
    else yield `${path}/${entry.name}`
  }
}

/** One hash over names and contents of the web app's sources. */
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

/** True when apps/web/dist was built from the sources as they are now. */
export function isWebBuilt(root) {
  const stamp = join(root, STAMP)
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hashOfSources(root)
}

/** Builds the web app. Returns a sentence when that failed, null when it stands. */
export function buildWeb(root) {
  // Taken first: a source that changes during the build makes the result stale.
  const hash = hashOfSources(root)
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const { status } = spawnSync(pinnedNode(root), [vite, 'build', 'apps/web'], { cwd: root, stdio: 'inherit' })
  if (status !== 0) return 'The web app could not be built (vite build failed): its own message is above.'
  writeFileSync(join(root, STAMP), hash)
  return null
}
