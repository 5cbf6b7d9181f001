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

/** Turns each part of a catalogue into parsed ICU messages at build time: smaller to load, nothing to parse on the phone. */
export function compiledMessages(): Plugin {
  return {
    name: 'compiled-messages',
    enforce: 'pre',
    transform(code, id) {
      const name = /\/i18n\/messages\/[a-z]+\.json\?part=([a-z]+)$/.exec(id)?.[1]
      if (name === undefined) return null
      const part: readonly string[] = MESSAGE_PARTS[name as MessagePart]
      const messages = Object.entries(JSON.parse(code) as Messages).filter(([key]) => part.includes(key))
      const json = JSON.stringify(compileAll(Object.fromEntries(messages)))
      return { code: `export default JSON.parse(${JSON.stringify(json)})`, moduleType: 'js', map: null }
    },
  }
}
