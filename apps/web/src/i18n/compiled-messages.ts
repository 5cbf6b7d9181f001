import compile from 'icu-minify/compile'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Plugin } from 'vite'
import { MESSAGE_PARTS, type MessagePart } from './message-parts.ts'

type Messages = { [key: string]: string | Messages }

const compileAll = (messages: Messages): object =>
  Object.fromEntries(
    Object.entries(messages).map(([key, value]) => [
      key,
      typeof value === 'string' ? compile(value) : compileAll(value),
    ]),
  )

const english = createRequire(import.meta.url).resolve('@fairlot/contract/labels/en.json')

/** The labels that app, desk and server share; English where the language has none. */
function sharedTexts(language: string): Messages {
  const own = english.replace('en.json', `${language}.json`)
  return JSON.parse(readFileSync(existsSync(own) ? own : english, 'utf8')) as Messages
}

/**
 * Compiles each part of a catalogue, and of the texts shared with the desk, into parsed ICU messages at build time: smaller to
 * load, and nothing to parse on the phone.
 */
export function compiledMessages(): Plugin {
  return {
    name: 'compiled-messages',
    enforce: 'pre',
    transform(code, id) {
      const [, language, name] = /\/i18n\/messages\/([a-z]+)\.json\?part=([a-z]+)$/.exec(id) ?? []
      if (language === undefined || name === undefined) return null
      const part: readonly string[] = MESSAGE_PARTS[name as MessagePart]
      const catalogue = { ...(JSON.parse(code) as Messages), ...sharedTexts(language) }
      const messages = Object.entries(catalogue).filter(([key]) => part.includes(key))
      const json = JSON.stringify(compileAll(Object.fromEntries(messages)))
      return { code: `export default JSON.parse(${JSON.stringify(json)})`, moduleType: 'js', map: null }
    },
  }
}
