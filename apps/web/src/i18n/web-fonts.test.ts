import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
const css = read('../../../../packages/ui/src/theme/theme.css')

type Face = { readonly file: string; readonly has: (letter: number) => boolean }

/** The fonts of a page after its first paint, the last one first: of two with a letter it is the one loaded. */
const faces = [...css.matchAll(/@font-face \{[^}]*?\}/g)]
  .map(([rule]): Face => {
    const file = /-(latin-ext|latin|cyrillic|vietnamese|arabic|thai)-(?:wght|400|700)/.exec(rule)?.[1] ?? rule
    const ranges = [...rule.matchAll(/U\+([\dA-F]+)(?:-([\dA-F]+))?/g)].map(([, from = '', to = from]) =>
      [from, to].map((code) => parseInt(code, 16)),
    )
    return { file, has: (letter) => ranges.some(([from = 0, to = 0]) => letter >= from && letter <= to) }
  })
  .toReversed()

/** The font files that the texts of a language load. */
function filesOf(language: string): string[] {
  const letters = new Set(
    Array.from(read(`./messages/${language}.json`), (letter) => letter.codePointAt(0) ?? 0),
  )
  return [
    ...new Set([...letters].flatMap((letter) => faces.find(({ has }) => has(letter))?.file ?? [])),
  ].toSorted()
}

test.each([
  ...['hk', 'en', 'jp', 'kr', 'id', 'de', 'fr', 'it', 'spa', 'pt'].map((code) => [code, ['latin']] as const),
  ['tr', ['latin', 'latin-ext']],
  ['vn', ['latin', 'vietnamese']],
  ['ru', ['cyrillic', 'latin']],
  ['th', ['latin', 'thai']],
  ['ar', ['arabic', 'latin']],
] as const)('%s loads no more fonts than its letters need', (language, files) => {
  expect(filesOf(language)).toEqual(files)
})

test('every font but that of the first paint is limited to its letters and never blocks one', () => {
  const rules = [...css.matchAll(/@font-face \{[^}]*?\}/g)].map(([rule]) => rule)
  for (const rule of rules) expect(rule).toMatch(/unicode-range:/)
  for (const rule of rules.slice(1)) expect(rule).toMatch(/font-display: swap/)
})
