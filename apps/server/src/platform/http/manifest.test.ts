import { readFileSync } from 'node:fs'
import { LANGUAGE_CODES } from '@fairlot/contract'
import { describe, expect, test } from 'vitest'
import { manifestIn } from './manifest.ts'

type Icon = { readonly src: string; readonly sizes: string; readonly type: string; readonly purpose?: string }
type Manifest = {
  readonly icons: readonly Icon[]
  readonly shortcuts: readonly {
    readonly name: string
    readonly url: string
    readonly icons: readonly Icon[]
  }[]
}

const manifestOf = (language: (typeof LANGUAGE_CODES)[number]) => manifestIn(language) as Manifest

/** The size of a PNG, which is in its header. */
function sizeOf(path: string): string {
  const bytes = readFileSync(new URL(`../../../../web/public${path}`, import.meta.url))
  return `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`
}

describe('the icons of the installed app', () => {
  const { icons, shortcuts } = manifestOf('en')
  const pictures = [...icons, ...shortcuts.flatMap((shortcut) => shortcut.icons)]

  test('are pictures of the size that is named', () => {
    for (const { src, sizes, type } of pictures)
      if (type === 'image/png') expect(sizeOf(src), src).toBe(sizes)
  })

  test('are there for every use: two sizes, one that may be cut to any shape, one for any size', () => {
    expect(icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual(
      expect.arrayContaining(['192x192 any', '512x512 any', '512x512 maskable', 'any any']),
    )
  })
})

test.each(LANGUAGE_CODES)('the shortcuts lead to four screens, by name in %s', (language) => {
  const { shortcuts } = manifestOf(language)
  expect(shortcuts.map(({ url }) => url)).toEqual([
    '/#/trade',
    '/#/order',
    '/#/mine/notices?tab=alerts',
    '/#/mine/history',
  ])
  const names = shortcuts.map(({ name }) => name)
  expect(new Set(names).size).toBe(4)
  for (const name of names) expect(name).toMatch(/\p{L}/u)
})
