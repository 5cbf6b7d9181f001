import { readdirSync, readFileSync } from 'node:fs'
import { TRADER_WORDS } from '@fairlot/contract/words'
import compile from 'icu-minify/compile'
import { describe, expect, test } from 'vitest'

type Tree = { [key: string]: string | Tree }

const folder = new URL('./messages/', import.meta.url)
/** The app's own, and those that the desk shows too. */
const read = (file: string): Tree => ({
  ...(JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Tree),
  ...TRADER_WORDS[file.replace('.json', '') as keyof typeof TRADER_WORDS],
})

const flat = (tree: Tree, path = ''): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [[`${path}${key}`, value] as [string, string]]
      : flat(value, `${path}${key}.`),
  )

/** A compiled message holds its arguments as lists that begin with the name: ["x"], ["n", 2, { one: ... }]. */
function names(node: unknown): string[] {
  if (!Array.isArray(node)) return []
  const [name, kind, options] = node as unknown[]
  if (typeof kind === 'number' && typeof options === 'object')
    return [String(name), ...Object.values(options ?? {}).flatMap(names)]
  return node.length === 1 && typeof name === 'string' ? [name] : node.flatMap(names)
}

const argumentsOf = (text: string): string[] => [...new Set(names(compile(text)))].toSorted()

const reference = new Map(flat(read('en.json')))

describe.each(readdirSync(folder))('the catalogue %s', (file) => {
  const texts = new Map(flat(read(file)))

  test('has exactly the keys of the English one', () => {
    expect([...texts.keys()].toSorted()).toEqual([...reference.keys()].toSorted())
  })
  test('leaves no text empty', () => {
    expect([...texts].filter(([, text]) => text.trim() === '')).toEqual([])
  })
  test('is valid ICU throughout', () => {
    for (const [key, text] of texts) expect(() => compile(text), key).not.toThrow()
  })
  test('uses the same arguments, so no figure is lost in translation', () => {
    for (const [key, text] of texts)
      expect(argumentsOf(text), key).toEqual(argumentsOf(reference.get(key) ?? ''))
  })
  test('never urges: no exclamation marks', () => {
    expect([...texts].filter(([, text]) => /[!！]/.test(text))).toEqual([])
  })
})
