import type { Plugin, Rolldown } from 'vite'

type Chunk = Rolldown.OutputChunk

const LANGUAGES = ['en', 'hk']

/**
 * Tells `public/theme.js` the files that the app asks for as soon as it runs, so that they are on their way before: those of an account, of
 * the trade screen, its chart, and the first texts. The libraries become a script of their own, run in a task of its own.
 */
export const filesAhead = (): Plugin => ({
  name: 'files-ahead',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle = {} }) => {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const files = (...endings: readonly string[]) => filesOf(chunks, endings)
      const texts = (language: string, part: string) => files(`/${language}.json?part=${part}`)
      const trade = files('/pages/trade-page.tsx')
      const ahead = {
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
      return html
        .replace('<script src="/theme.js"', `<script src="/theme.js" data-ahead='${JSON.stringify(ahead)}'`)
        .replace(
          /<link rel="modulepreload" crossorigin href="(\/assets\/libraries-[^"]+)">/,
          '<script type="module" async crossorigin src="$1"></script>',
        )
    },
  },
})

/** The files with these modules and all that they import, without those that every page loads. */
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
