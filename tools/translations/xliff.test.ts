import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ROOT } from '../check/run.ts'
import { englishOf, PLACE_NAMES, PLACES, statesOf, textsOf } from './catalogues.ts'
import { exportXliff, importXliff } from './xliff.ts'

const roots: string[] = []
afterAll(() => roots.forEach((root) => rmSync(root, { recursive: true })))

/** A copy of the catalogues. */
function copiedCatalogues(): string {
  const root = mkdtempSync(join(tmpdir(), 'catalogues-'))
  roots.push(root)
  for (const folder of Object.values(PLACES))
    for (const language of ['en', 'hk']) {
      const file = join(folder, `${language}.json`)
      cpSync(join(ROOT, file), join(root, file))
    }
  return root
}

const fileOf = (root: string, language: string): string =>
  readFileSync(join(root, PLACES.web, `${language}.json`), 'utf8')

/** The export with one text translated, in a state. */
const translated = (xliff: string, key: string, text: string, state = 'translated'): string =>
  xliff.replace(
    new RegExp(`(id="${key.replace('.', '\\.')}"[^]*?)<target[^>]*?(/>|>[^<]*</target>)`),
    (_, head: string) => `${head}<target state="${state}">${text}</target>`,
  )

test('a language comes back as it went out, to the last letter', () => {
  const root = copiedCatalogues()
  const before = PLACE_NAMES.map((place) => [...(textsOf(place, 'hk', root) ?? [])])
  const file = fileOf(root, 'hk')
  const imported = importXliff(exportXliff('hk', root), root)
  expect(imported.map(({ left }) => left)).toEqual([[], [], []])
  expect(PLACE_NAMES.map((place) => [...(textsOf(place, 'hk', root) ?? [])])).toEqual(before)
  expect(fileOf(root, 'hk')).toBe(file)
})

test('a new language begins with its first translated text', () => {
  const root = copiedCatalogues()
  const [web, server] = importXliff(
    translated(exportXliff('de', root), 'app.close', 'Schließen &amp; „weg“'),
    root,
  )
  expect([web?.taken, server?.taken]).toEqual([1, 0])
  expect([...(textsOf('web', 'de', root) ?? [])]).toEqual([['app.close', 'Schließen & „weg“']])
  expect(textsOf('server', 'de', root)).toBeNull()
  expect(statesOf('web', 'de', root).get('app.close')).toBe('read')
})

test('the export names the arguments to keep and the words of the glossary', () => {
  const xliff = exportXliff('de')
  expect(xliff).toContain('free margin = freie Margin')
  expect(xliff).toMatch(/Keep \{amount\}/)
  expect(xliff).toContain('target-language="de"')
})

test('a text that breaks a rule, or whose English text has changed, is left alone', () => {
  const root = copiedCatalogues()
  const [web] = importXliff(translated(exportXliff('de', root), 'app.offline', 'Keine Verbindung.'), root)
  expect(web).toEqual({ place: 'web', taken: 0, left: ['app.offline: has lost {time}'] })
  const stale = translated(exportXliff('de', root), 'app.close', 'Zu').replace(
    '<source>Close</source>',
    '<source>Shut</source>',
  )
  expect(importXliff(stale, root)[0]?.left).toEqual(['app.close: the English text has changed'])
})

test('a text is a draft again once it or its English text is edited', () => {
  const root = copiedCatalogues()
  importXliff(translated(exportXliff('hk', root), 'app.close', '關閉', 'final'), root)
  expect(statesOf('web', 'hk', root).get('app.close')).toBe('native')
  expect(englishOf('web', root).get('app.close')).toBe('Close')
  const english = join(root, PLACES.web, 'en.json')
  writeFileSync(english, readFileSync(english, 'utf8').replace('"close": "Close"', '"close": "Shut"'))
  expect(statesOf('web', 'hk', root).get('app.close')).toBe('draft')
})

test('a file that is no export of ours is refused', () => {
  expect(() => importXliff('<html/>')).toThrow('no XLIFF file')
  expect(() => importXliff('<xliff><file original="elsewhere"><body/></file></xliff>')).toThrow('no folder')
})
