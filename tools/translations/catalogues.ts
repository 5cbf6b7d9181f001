/** The catalogues on disk: English, its translations, and how far each text has been read. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { LANGUAGE_CODES, type LanguageCode } from '../../packages/contract/src/accounts/language.ts'
import { ROOT } from '../check/run.ts'

/** The folders of catalogues, one file `<language>.json` each; English is the source. */
export const PLACES = {
  web: 'apps/web/src/i18n/messages',
  server: 'apps/server/src/platform/i18n',
  contract: 'packages/contract/src/labels',
} as const

export type Place = keyof typeof PLACES
export const PLACE_NAMES = Object.keys(PLACES) as Place[]

/** Texts by their full key ("order.reason.none"), in the order of the file. */
export type Texts = ReadonlyMap<string, string>

type Tree = { [key: string]: string | Tree }

const flat = (tree: Tree, path = ''): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[`${path}${key}`, value]] : flat(value, `${path}${key}.`),
  )

const fileOf = (place: Place, language: LanguageCode, root = ROOT): string =>
  join(root, PLACES[place], `${language}.json`)

/** The texts of a language in one place; null while it has no catalogue there. */
export function textsOf(place: Place, language: LanguageCode, root = ROOT): Texts | null {
  const file = fileOf(place, language, root)
  return existsSync(file) ? new Map(flat(JSON.parse(readFileSync(file, 'utf8')) as Tree)) : null
}

/** The English texts of one place, of which all others are translations. */
export function englishOf(place: Place, root = ROOT): Texts {
  const texts = textsOf(place, 'en', root)
  if (!texts) throw new Error(`${PLACES[place]}/en.json is missing`)
  return texts
}

/** The languages with a catalogue in any place; a file named after no language is an error. */
export function translatedLanguages(root = ROOT): LanguageCode[] {
  const names = PLACE_NAMES.flatMap((place) => readdirSync(join(root, PLACES[place])))
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.replace('.json', ''))
  const unknown = names.find((name) => !LANGUAGE_CODES.includes(name as LanguageCode))
  if (unknown !== undefined) throw new Error(`${unknown}.json: no language has the code "${unknown}"`)
  return LANGUAGE_CODES.filter((code) => names.includes(code))
}

const nested = (texts: Texts): Tree => {
  const tree: Tree = {}
  for (const [key, text] of texts) {
    const path = key.split('.')
    const name = path.pop() ?? ''
    let branch = tree
    for (const part of path) branch = (branch[part] ??= {}) as Tree
    branch[name] = text
  }
  return tree
}

const write = (file: string, value: unknown): void => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)
}

/** Writes a catalogue, in the order of the English one. */
export function writeTexts(place: Place, language: LanguageCode, texts: Texts, root = ROOT): void {
  const inOrder = [...englishOf(place, root).keys()].flatMap((key) => {
    const text = texts.get(key)
    return text === undefined ? [] : [[key, text] as const]
  })
  write(fileOf(place, language, root), nested(new Map(inOrder)))
}

/** How far a translation has been read: by its writer only, by a second reader, by a native speaker of the trade. */
export const STATES = ['draft', 'read', 'native'] as const
export type State = (typeof STATES)[number]

const statesFile = (place: Place, language: LanguageCode, root = ROOT): string =>
  join(root, PLACES[place], 'states', `${language}.json`)

/** Changes when either text changes: a text that was edited is a draft again by itself. */
const fingerprint = (english: string, text: string): string =>
  createHash('sha256').update(`${english}\0${text}`).digest('hex').slice(0, 8)

/**
 * The states of the texts of a language in one place. The file beside the catalogue lists those that are more than a
 * draft, as "read 1f3a9c02".
 */
export function statesOf(place: Place, language: LanguageCode, root = ROOT): ReadonlyMap<string, State> {
  const file = statesFile(place, language, root)
  const kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {}
  const english = englishOf(place, root)
  return new Map(
    [...(textsOf(place, language, root) ?? [])].map(([key, text]) => {
      const [state, of] = (kept[key] ?? '').split(' ')
      const isCurrent = of === fingerprint(english.get(key) ?? '', text)
      return [key, isCurrent && STATES.includes(state as State) ? (state as State) : 'draft']
    }),
  )
}

/** Keeps the states of the catalogue as it is now. */
export function writeStates(
  place: Place,
  language: LanguageCode,
  states: ReadonlyMap<string, State>,
  root = ROOT,
): void {
  const english = englishOf(place, root)
  const texts = textsOf(place, language, root) ?? new Map<string, string>()
  const kept = [...texts].flatMap(([key, text]) => {
    const state = states.get(key) ?? 'draft'
    return state === 'draft' ? [] : [[key, `${state} ${fingerprint(english.get(key) ?? '', text)}`]]
  })
  const file = statesFile(place, language, root)
  if (kept.length > 0) write(file, Object.fromEntries(kept))
  else rmSync(file, { force: true })
}
