import { TRADER_WORDS } from '@fairlot/contract/words'
import compile from 'icu-minify/compile'
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

const wordsIn = (language: string): Messages =>
  Object.hasOwn(TRADER_WORDS, language) ? TRADER_WORDS[language as keyof typeof TRADER_WORDS] : {}

/**
 * Turns each part of a catalogue, and of the words that the desk shows too, into parsed ICU messages at build time: smaller to load,
 * nothing to parse on the phone.
 */
export function compiledMessages(): Plugin {
  return {
    name: 'compiled-messages',
    enforce: 'pre',
    transform(code, id) {
      const [, language, name] = /\/i18n\/messages\/([a-z]+)\.json\?part=([a-z]+)$/.exec(id) ?? []
      if (language === undefined || name === undefined) return null
      const part: readonly string[] = MESSAGE_PARTS[name as MessagePart]
      const catalogue = { ...(JSON.parse(code) as Messages), ...wordsIn(language) }
      const messages = Object.entries(catalogue).filter(([key]) => part.includes(key))
      const json = JSON.stringify(compileAll(Object.fromEntries(messages)))
      return { code: `export default JSON.parse(${JSON.stringify(json)})`, moduleType: 'js', map: null }
    },
  }
}
