/** Catalogues as XLIFF 1.2, the format of translators' programs, and back. */
import { XMLBuilder, XMLParser } from 'fast-xml-parser'
import { type LanguageCode, languageOfCode, tagOf } from '../../packages/contract/src/accounts/language.ts'
import {
  englishOf,
  PLACE_NAMES,
  PLACES,
  type Place,
  type State,
  statesOf,
  type Texts,
  textsOf,
  writeStates,
  writeTexts,
} from './catalogues.ts'
import { readGlossary, readTerms, termFinder } from './glossary.ts'
import { limitsIn } from './checked-texts.ts'
import { readMessage } from './message.ts'
import { findingsOf } from './rules.ts'

/** XLIFF's own names of our states. */
const XLIFF_STATES: Readonly<Record<State, string>> = {
  draft: 'needs-review-translation',
  read: 'translated',
  native: 'final',
}
const UNTRANSLATED = 'needs-translation'

const stateOf = (name: string): State =>
  (Object.entries(XLIFF_STATES).find(([, each]) => each === name)?.[0] ?? 'draft') as State

type Node = Record<string, unknown>

const element = (name: string, attributes: Record<string, string>, children: readonly Node[]): Node => ({
  [name]: children,
  ':@': Object.fromEntries(Object.entries(attributes).map(([key, value]) => [`@_${key}`, value])),
})

const textNode = (text: string): Node => ({ '#text': text })

const BUILDING = {
  preserveOrder: true,
  ignoreAttributes: false,
  suppressEmptyNode: true,
  format: true,
} as const

/**
 * All texts of a language as one XLIFF file, with a note of the arguments and of the glossary's words for the terms in
 * each. A text without a translation has the state "needs-translation" and an empty target.
 */
export function exportXliff(language: LanguageCode, root?: string): string {
  const glossary = readGlossary(language)
  const termsIn = termFinder(readTerms())
  const noteOf = (key: string, english: string): string => {
    const values = readMessage(english).arguments.map((name) => `{${name}}`)
    const words = termsIn(english, key).map(
      ({ term }) => `${term.english[0]} = ${glossary?.entries.get(term.key)?.word ?? '?'}`,
    )
    return [values.length > 0 ? `Keep ${values.join(', ')}.` : '', words.join('; ')].filter(Boolean).join(' ')
  }
  const files = PLACE_NAMES.map((place) => {
    const texts = textsOf(place, language, root)
    const states = statesOf(place, language, root)
    const units = [...englishOf(place, root)].map(([key, english]) => {
      const text = texts?.get(key)
      const state = text === undefined ? UNTRANSLATED : XLIFF_STATES[states.get(key) ?? 'draft']
      const note = noteOf(key, english)
      return element('trans-unit', { id: key, 'xml:space': 'preserve' }, [
        element('source', {}, [textNode(english)]),
        element('target', { state }, [textNode(text ?? '')]),
        ...(note === '' ? [] : [element('note', {}, [textNode(note)])]),
      ])
    })
    const attributes = {
      original: PLACES[place],
      datatype: 'plaintext',
      'source-language': 'en',
      'target-language': tagOf(language),
      'product-name': language,
    }
    return element('file', attributes, [element('body', {}, units)])
  })
  const namespace = 'urn:oasis:names:tc:xliff:document:1.2'
  const tree = [
    element('?xml', { version: '1.0', encoding: 'UTF-8' }, [textNode('')]),
    element('xliff', { version: '1.2', xmlns: namespace }, files),
  ]
  return `${String(new XMLBuilder(BUILDING).build(tree)).trim()}\n`
}

type Unit = { key: string; source: string; target: string; state: string }
type ImportedFile = { place: Place; language: LanguageCode; units: readonly Unit[] }

type Parsed = Readonly<Record<string, unknown>>

const list = (value: unknown): readonly Parsed[] =>
  (Array.isArray(value) ? value : value === undefined ? [] : [value]) as readonly Parsed[]

/** The content of an element that may be plain text or have attributes. */
const contentOf = (value: unknown): string =>
  typeof value === 'object' && value !== null ? String((value as Parsed)['#text'] ?? '') : String(value ?? '')

const attribute = (value: unknown, name: string): string =>
  typeof value === 'object' && value !== null ? String((value as Parsed)[`@_${name}`] ?? '') : ''

function parseXliff(xml: string): ImportedFile[] {
  const parser = new XMLParser({
    ignoreAttributes: false,
    trimValues: false,
    parseTagValue: false,
    parseAttributeValue: false,
    processEntities: true,
  })
  const { xliff } = parser.parse(xml) as { xliff?: Parsed }
  return list(xliff?.['file']).map((file) => {
    const original = attribute(file, 'original')
    const place = PLACE_NAMES.find((name) => PLACES[name] === original)
    if (!place) throw new Error(`the file "${original}" is no folder of catalogues`)
    const [body] = list(file['body'])
    const units = list(body?.['trans-unit']).map((unit) => ({
      key: attribute(unit, 'id'),
      source: contentOf(unit['source']),
      target: contentOf(unit['target']),
      state: attribute(unit['target'], 'state'),
    }))
    return { place, language: languageOfCode(attribute(file, 'product-name')), units }
  })
}

export type Imported = { readonly place: Place; readonly taken: number; readonly left: readonly string[] }

/**
 * Takes the translations of an XLIFF file into the catalogues, with their states. Left alone, and listed, is a text
 * whose English text has changed since the export or which breaks a rule; the old one then stays.
 */
export function importXliff(xml: string, root?: string): Imported[] {
  const files = parseXliff(xml)
  if (files.length === 0) throw new Error('this is no XLIFF file of our catalogues')
  return files.map(({ place, language, units }) => {
    const english = englishOf(place, root)
    const offered = units.filter(({ target, state }) => target !== '' && state !== UNTRANSLATED)
    const left: string[] = []
    const texts = new Map(textsOf(place, language, root))
    const states = new Map(statesOf(place, language, root))
    for (const { key, source, target, state } of offered) {
      const problem =
        english.get(key) === source
          ? firstProblem(place, language, { key, source, target })
          : 'the English text has changed'
      if (problem !== null) left.push(`${key}: ${problem}`)
      else {
        texts.set(key, target)
        states.set(key, stateOf(state))
      }
    }
    if (texts.size > 0) {
      writeTexts(place, language, texts, root)
      writeStates(place, language, states, root)
    }
    return { place, taken: offered.length - left.length, left }
  })
}

function firstProblem(
  place: Place,
  language: LanguageCode,
  { key, source, target }: Pick<Unit, 'key' | 'source' | 'target'>,
): string | null {
  const only = (text: string): Texts => new Map([[key, text]])
  const glossary = readGlossary(language)
  const [finding] = findingsOf({
    place,
    language,
    texts: only(target),
    english: only(source),
    glossary,
    limits: limitsIn(place),
  })
  return finding?.message ?? null
}
