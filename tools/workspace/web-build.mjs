import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
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

/** Every source file of the apps with screens, in a fixed order. */
function* sourceFiles(root, path) {
  if (!existsSync(join(root, path))) return
  const entries = readdirSync(join(root, path), { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (SKIPPED.has(entry.name)) continue
    if (entry.isDirectory()) yield* sourceFiles(root, `${path}/${entry.name}`)
    else yield `${path}/${entry.name}`
  }
}

/** One hash of the names and contents of the sources of both apps. */
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

/** True when the dist folders of both apps were built from the present sources. */
export function isWebBuilt(root) {
  const stamps = STAMPS.map((stamp) => join(root, stamp))
  if (!stamps.every((stamp) => existsSync(stamp))) return false
  const hash = hashOfSources(root)
  return stamps.every((stamp) => readFileSync(stamp, 'utf8') === hash)
}

/** Builds the web app and the desk and compresses their files. Returns a message when that failed, else null. */
export async function buildWeb(root) {
  // Computed first: a source that changes during the build makes the result stale.
  const hash = hashOfSources(root)
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  // The web app, its server-side renderer of the first page, and the desk.
  for (const what of [['apps/web'], ['apps/web', '--ssr'], ['apps/desk']]) {
    const args = [vite, 'build', ...what]
    const { status } = spawnSync(pinnedNode(root), args, { cwd: root, stdio: 'inherit' })
    if (status !== 0) return `${what[0]} could not be built (vite build failed): its own message is above.`
  }
  for (const dist of ['apps/web/dist', 'apps/desk/dist']) await compressFiles(join(root, dist))
  for (const stamp of STAMPS) writeFileSync(join(root, stamp), hash)
  return null
}

const COMPRESSIBLE = /\.(?:css|html|js|json|svg)$/

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

/** Writes each file of a folder beside itself as `.br` and `.gz`: once, as small as can be, so that the server need not. */
async function compressFiles(folder) {
  const files = readdirSync(folder, { recursive: true }).filter((name) => COMPRESSIBLE.test(name))
  const compress = async (path) => {
    const content = readFileSync(path)
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    }
    writeFileSync(`${path}.br`, await toBrotli(content, { params }))
    writeFileSync(`${path}.gz`, await toGzip(content, { level: constants.Z_BEST_COMPRESSION }))
  }
  await Promise.all(files.map((name) => compress(join(folder, name))))
}
