import { existsSync, readFileSync } from 'node:fs'
import {
  CHANNELS,
  CODE_COUNTDOWN_S,
  ENDPOINTS,
  LANGUAGE_CODES,
  languageOfCode,
  PAGE_ROWS,
  PERIODS,
  SOCKET,
  tagOf,
} from '@fairlot/contract'
import { describe, expect, test } from 'vitest'

const ROOT = new URL('../../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8')

const map = read('docs/spec-map.md')
const lines = map.split('\n')

/** A row of a table whose last two columns are a test: what it is about, and the test that fails without it. */
type Row = {
  readonly section: string
  readonly cells: readonly string[]
  readonly file: string
  readonly title: string
}

/** The section of a line: the last heading before it. */
const sectionAt = (index: number): string =>
  lines
    .slice(0, index)
    .findLast((line) => line.startsWith('## '))
    ?.slice(3) ?? ''

const rows: readonly Row[] = lines.flatMap((text, index) => {
  const cells = text.startsWith('| ') ? text.slice(2, -2).split(' | ') : []
  const [file = '', title = ''] = cells.slice(-2).map((cell) => cell.trim())
  const [, path] = /^`([^`]+\.(?:test|spec)\.tsx?)`$/.exec(file) ?? []
  return path === undefined
    ? []
    : [
        {
          section: sectionAt(index),
          cells: cells.slice(0, -2).map((cell) => cell.trim()),
          file: path,
          title,
        },
      ]
})

const rowsOf = (section: string): readonly Row[] => rows.filter((row) => row.section === section)

/** What is written as code in a text. */
const codesIn = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)

const pathsIn = (text: string): string[] => codesIn(text).filter((code) => code.startsWith('/'))

/** The paths in the paragraph that begins with some words. */
const pathsAfter = (words: string): string[] => {
  const first = lines.findIndex((line) => line.startsWith(words))
  const end = lines.findIndex((line, index) => index > first + 1 && /^[|#]/.test(line))
  return pathsIn(lines.slice(first, end).join('\n'))
}

const sorted = (texts: readonly string[]): string[] => [...new Set(texts)].toSorted()

describe('the map of the specification', () => {
  test('has a row for each of its lines', () => {
    expect(rows.length).toBeGreaterThan(290)
  })

  test.each(rows)('$cells.0: its test exists ($title)', ({ file, title }) => {
    expect(existsSync(new URL(file, ROOT)), file).toBe(true)
    expect(read(file)).toContain(title)
  })
})

describe('its routes', () => {
  const source = read('apps/web/src/app/routes.ts')
  const screens = [...source.matchAll(/^ {2}(\w+): \{ path: '([^']+)'(.*)\},$/gm)].map(
    ([, name = '', path = '', rest = '']) => ({
      name,
      path: `\`${path}\``,
      flags: [
        rest.includes('needsLogin: true') && 'login',
        rest.includes('isKept: true') && 'keep',
        rest.includes('hasFooter: true') && 'footer',
      ]
        .filter(Boolean)
        .join(', '),
    }),
  )
  const listed = rowsOf('Routes').filter(({ cells }) => cells.length === 3)

  test.each(listed)(
    '$cells.1 is a screen with this name and these flags',
    ({ cells: [name, path, flags] }) => {
      expect(screens).toContainEqual({ name, path, flags })
    },
  )

  test('are all screens of the app, the specification’s and ours', () => {
    const named = [
      ...listed.flatMap(({ cells }) => pathsIn(cells[1] ?? '')),
      ...pathsAfter('Screens of ours'),
    ]
    expect(sorted(named)).toEqual(sorted(screens.flatMap(({ path }) => pathsIn(path))))
    expect(listed).toHaveLength(27)
  })
})

describe('its calls', () => {
  const listed = rowsOf('Calls').filter(({ cells }) => cells.length === 3)

  test('are all calls of the API, the specification’s and ours', () => {
    const named = [...listed.flatMap(({ cells }) => pathsIn(cells[0] ?? '')), ...pathsAfter('Calls of ours')]
    expect(sorted(named)).toEqual(sorted(ENDPOINTS.map(({ path }) => path)))
  })

  test('are each the specification’s or ours, not both', () => {
    const named = listed.flatMap(({ cells }) => pathsIn(cells[0] ?? ''))
    expect(pathsAfter('Calls of ours').filter((path) => named.includes(path))).toEqual([])
  })

  test.each(listed)('$cells.0 has these fields', ({ cells: [call = '', sends = '', answers = ''] }) => {
    for (const path of pathsIn(call)) {
      const endpoint = ENDPOINTS.find((each) => each.path === path)
      expect(fieldsOf(endpoint?.request.schema())).toEqual(expect.arrayContaining(codesIn(sends)))
      expect(fieldsOf(endpoint?.response.schema())).toEqual(expect.arrayContaining(codesIn(answers)))
    }
  })

  test.each(listed)('$cells.0 is made in this way', ({ cells: [call = ''] }) => {
    const way = /^(GET or POST|GET|POST) /.exec(call)?.[1]
    for (const path of pathsIn(call)) {
      const { method, alsoGet, isForm } = ENDPOINTS.find((each) => each.path === path) ?? {}
      if (way !== undefined) expect(alsoGet ? 'GET or POST' : method).toBe(way)
      if (way !== undefined) expect(isForm).toBe(call.includes('as a form'))
    }
  })
})

/** The names of all properties in a JSON schema, at any depth. */
function fieldsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties = {} } = schema as { readonly properties?: object }
  return [...Object.keys(properties), ...Object.values(schema).flatMap(fieldsOf)]
}

describe('its socket', () => {
  const listed = rowsOf('Socket').filter(({ cells }) => cells.length === 2)
  const named = listed.flatMap(({ cells }) => codesIn(cells[0] ?? ''))

  test('has every topic', () => {
    expect(sorted(CHANNELS.map(({ topic }) => topic)).filter((topic) => !named.includes(topic))).toEqual([])
  })

  test('has every type of message, of the client and of the server', () => {
    const source = read('packages/contract/src/market/messages.wire.ts')
    const tables = [...source.matchAll(/(?:CLIENT_TYPES|PUBLIC_TYPES) = \{([^}]+)\}/g)]
    const types = tables.flatMap(([, table = '']) => [...table.matchAll(/(\w+): '/g)].map(([, type]) => type))
    expect(types.length).toBeGreaterThan(9)
    const topics = named.map((name) => name.split('.')[0])
    expect(types.filter((type) => !topics.includes(type))).toEqual([])
  })

  test('names nothing else', () => {
    const wires = ['market/messages', 'market/instruments', 'trading/messages', 'funds/funds']
    const source = wires.map((wire) => read(`packages/contract/src/${wire}.wire.ts`)).join('')
    const fields = listed.flatMap(({ cells }) => codesIn(cells[1] ?? ''))
    expect(fields.length).toBeGreaterThan(30)
    expect([...named, ...fields].filter((name) => !source.includes(`'${name}'`))).toEqual([])
  })
})

describe('its texts', () => {
  const catalogue = JSON.parse(read('apps/web/src/i18n/messages/en.json')) as unknown
  const textAt = (key: string): unknown =>
    key
      .split('.')
      .reduce<unknown>((node, part) => (node as Record<string, unknown> | undefined)?.[part], catalogue)

  test.each(rowsOf('Texts'))('$cells.0: its keys are in the catalogue', ({ cells: [, keys = ''] }) => {
    expect(codesIn(keys).length).toBeGreaterThan(0)
    expect(codesIn(keys).filter((key) => typeof textAt(key) !== 'string')).toEqual([])
  })
})

/** The groups that a pattern finds in a source file, for a constant that nothing exports. */
const found = (path: string, pattern: RegExp): string[] => pattern.exec(read(path))?.slice(1) ?? []

const seconds = (ms: number): string => `${ms / 1_000} s`
const INVITE = 'apps/web/src/features/invite/invite-screen.tsx'
const QR = /<QrCode [^>]*level="(\w)" size=\{(\d+)\}/
const DECIMALS = 'apps/web/src/i18n/number-format.ts'
const [, qrSize = ''] = found(INVITE, QR)
const [coarse = ''] = found(DECIMALS, /COARSE_DECIMALS = (\d)/)
const [exact = ''] = found('packages/core/src/model/number.ts', /MONEY_DECIMALS = (\d)/)

/** The constants of the specification, by the names of the map, as the code has them. */
const CONSTANTS: Readonly<Record<string, string>> = {
  languages: LANGUAGE_CODES.join(', '),
  'default language and its tag': `${languageOfCode(null)}, ${tagOf(languageOfCode(null))}`,
  'default language': languageOfCode('unknown'),
  'language of the code tw': languageOfCode('tw'),
  'query that chooses the language': 'lang',
  periods: PERIODS.join(', '),
  'decimals of balances, profits and margins': [coarse, exact, exact].join(', '),
  'decimals of the margin of a ticket': exact,
  'margin, fixed mode': 'lots × units per lot',
  'margin, otherwise': 'lots × units per lot × price / leverage',
  'trade fee, type 1': 'lots × fee rate',
  'trade fee, otherwise': 'margin × fee rate',
  'withdrawal fee, type 1': 'fixed amount',
  'withdrawal fee, otherwise': 'amount × rate',
  'amount received': '(amount - fee) × price',
  'least amount received': '0',
  'countdown after a code': `${CODE_COUNTDOWN_S} s`,
  'socket ping': seconds(SOCKET.pingEveryMs),
  'socket connect time-out': seconds(SOCKET.connectTimeoutMs),
  'missed pings before a reconnect': String(SOCKET.missedPongsMax),
  'first page': '1',
  'rows a page': String(PAGE_ROWS),
  'pull to refresh closes after': `${found('packages/ui/src/layout/pull-to-refresh.tsx', /CLOSES_AFTER_MS = (\d+)/).join('')} ms`,
  'placeholder rows of the home screen': found(
    'apps/web/src/features/market/instrument-list.tsx',
    /^const ROWS = (\d+)/m,
  ).join(''),
  'invite link': found(INVITE, /`\$\{location\.(origin\}\/#\/register\?invite_code=\$\{code\})`/)
    .join('')
    .replace('origin}', 'origin')
    .replace('${', '{'),
  'invite QR code: level': found(INVITE, QR)[0] ?? '',
  'invite QR code: size': qrSize,
  'files of an upload': '1',
  'company cookie': `${found('apps/web/src/live/device/company.ts', /AGE_S = (\d) \* 365 \* 24/).join('')} years`,
  'preselected area': '2nd',
  'desktop browsers are known by': 'User-Agent',
  'desktop host label': found(
    'apps/server/src/platform/config/app-settings.ts',
    /desktop_host: z\.enum\(\['same', '(\w+)'\]\)/,
  ).join(''),
  'contact types': found(
    'packages/contract/src/accounts/sign-up.wire.ts',
    /contact = choice\(\{ email: '(\w+)', mobile: '(\w+)' \}\)/,
  ).join(', '),
  'window of copying statistics': `${found('apps/server/src/copying/strategy-figures.ts', /threeWeeks: (\d+)/).join('')} days`,
  'countries not served': found(
    'apps/server/src/platform/config/app-settings.ts',
    /blocked_areas: areaCodes\.prefault\('([A-Z,]+)'\)/,
  )
    .join('')
    .replaceAll(',', ', '),
}

describe('its constants', () => {
  test('are all there, with the values in force', () => {
    expect(
      Object.fromEntries(rowsOf('Constants').map(({ cells: [name = '', value] }) => [name, value])),
    ).toEqual(CONSTANTS)
  })
})
