import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { minify, type Plugin, type Rolldown } from 'vite'

type Chunk = Rolldown.OutputChunk
type Asset = Rolldown.OutputAsset

const LANGUAGES = readdirSync(new URL('i18n/messages/', import.meta.url))
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.replace('.json', ''))

const BEFORE_PAINT = '<script data-inline="page/before-paint.js"></script>'
const AFTER_PAINT = '<script data-inline="page/after-paint.js"></script>'
/** The tags by which Vite loads the app and its style sheet. */
const TAGS = /\s*<(?:script type="module"[^>]*><\/script|link rel="(?:modulepreload|stylesheet)"[^>]*)>/g

/**
 * Puts into the page all that its first paint needs, the style sheet and the scripts of the `page` folder, so that it needs no second
 * request. The app's own files are listed for `page/after-paint.js`, which requests them after that paint: React and the app, then what
 * they need next of an account, the trade screen, its chart, and the texts.
 */
export const pageInOneResponse = (): Plugin => ({
  name: 'page-in-one-response',
  transformIndexHtml: {
    order: 'post',
    handler: async (html, { bundle }) => {
      const first = await scriptOf('before-paint', '')
      // The development server loads modules and styles by itself.
      if (!bundle) return html.replace(BEFORE_PAINT, () => first).replace(AFTER_PAINT, '')
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      rejectCircularImports(chunks)
      const last = await scriptOf('after-paint', ` data-files='${JSON.stringify(filesFor(chunks))}'`)
      return html
        .replace(TAGS, '')
        .replace(BEFORE_PAINT, () => `${first}\n    <style>${takeStyles(bundle)}</style>`)
        .replace(AFTER_PAINT, () => last)
    },
  },
})

/** A script of the `page` folder as a tag. The server allows it by the hash of its content. */
async function scriptOf(name: string, attributes: string): Promise<string> {
  const source = await readFile(new URL(`../page/${name}.js`, import.meta.url), 'utf8')
  const { code } = await minify(`${name}.js`, source)
  return `<script${attributes}>${code.trim()}</script>`
}

/** The style sheet of the app, which is then no file any more. */
function takeStyles(bundle: Rolldown.OutputBundle): string {
  const sheets = Object.values(bundle).filter(
    (file): file is Asset => file.type === 'asset' && file.fileName.endsWith('.css'),
  )
  for (const { fileName } of sheets) delete bundle[fileName]
  return sheets.map(({ source }) => String(source)).join('')
}

function filesFor(chunks: readonly Chunk[]) {
  const files = (...endings: readonly string[]) => filesOf(chunks, endings)
  const texts = (language: string, part: string) => files(`/${language}.json?part=${part}`)
  const entries = ['/src/react.ts', '/index.html'].map((ending) =>
    chunks.find(({ isEntry, facadeModuleId }) => isEntry && facadeModuleId?.endsWith(ending)),
  )
  const app = entries.map((chunk) => `/${chunk?.fileName}`)
  const imports = new Set(entries.flatMap((chunk) => chunk?.imports.map((name) => `/${name}`) ?? []))
  const trade = files('/pages/trade-page.tsx')
  return {
    app,
    libraries: [...imports].filter((name) => !app.includes(name)),
    account: files('/live/account/start.ts', '/account/end-notices.tsx'),
    trade,
    chart: files('/chart/chart-canvas.tsx').filter((file) => !trade.includes(file)),
    texts: Object.fromEntries(
      LANGUAGES.map((language) => [
        language,
        { first: texts(language, 'first'), trading: texts(language, 'trading') },
      ]),
    ),
  }
}

/**
 * Throws when files of the build import each other: which of them runs first would depend on which is requested first, and
 * the other would see its values undefined. Files with icons alone may: nothing uses an icon before it is shown.
 */
function rejectCircularImports(chunks: readonly Chunk[]): void {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const done = new Set<string>()
  const visit = (name: string, above: readonly string[]): void => {
    if (above.includes(name))
      throw new Error(`files of the build import each other: ${above.join(' → ')} → ${name}`)
    if (done.has(name)) return
    for (const next of byName.get(name)?.imports ?? [])
      if (byName.get(next)?.moduleIds.some((id) => !id.includes('node_modules')))
        visit(next, [...above, name])
    done.add(name)
  }
  for (const { fileName } of chunks) visit(fileName, [])
}

/** The files with these modules and their imports, without those that every page loads. */
function filesOf(chunks: readonly Chunk[], endings: readonly string[]): readonly string[] {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const found = new Set<string>()
  const add = (chunk: Chunk | undefined, into: Set<string>): void => {
    if (!chunk || into.has(chunk.fileName)) return
    into.add(chunk.fileName)
    for (const name of chunk.imports) add(byName.get(name), into)
  }
  const always = new Set<string>()
  for (const chunk of chunks) if (chunk.isEntry) add(chunk, always)
  for (const ending of endings) {
    const chunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(ending)))
    if (!chunk) throw new Error(`no file of the build has ${ending}`)
    add(chunk, found)
  }
  return [...found].filter((name) => !always.has(name)).map((name) => `/${name}`)
}
