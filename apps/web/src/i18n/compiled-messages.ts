import compile from 'icu-minify/compile'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Plugin } from 'vite'
import { directionOf, languageOfCode } from '@fairlot/contract'
import { MESSAGE_PARTS, type MessagePart } from './message-parts.ts'

type Messages = { [key: string]: string | Messages }

/** A compiled message: a text, or parts of it: texts, arguments `[name]`, tags `[name, ...parts]`, choices by an argument. */
type Compiled = string | readonly Part[]
type Part = string | number | readonly unknown[]

const isArgument = (part: Part): boolean => Array.isArray(part) && part.length === 1
const isChoice = (part: readonly unknown[]): boolean =>
  typeof part[1] === 'number' && typeof part[2] === 'object'

/**
 * The same message with every argument isolated from the text around it, as `<bdi>` does: in Arabic the sign of "−12.50"
 * would otherwise stand behind its figure.
 */
function isolated(message: Compiled): Compiled {
  if (typeof message === 'string') return message
  return message.flatMap((part): Part[] => {
    if (isArgument(part)) return ['\u2068', part, '\u2069']
    if (!Array.isArray(part)) return [part]
    const [name, ...rest] = part as [string, ...unknown[]]
    if (!isChoice(part as readonly unknown[])) {
      const isTag = typeof rest[0] !== 'number'
      return [isTag ? [name, ...(isolated(rest as Part[]) as Part[])] : part]
    }
    const choices = Object.entries(rest[1] as Record<string, Compiled>)
    return [[name, rest[0], Object.fromEntries(choices.map(([key, choice]) => [key, isolated(choice)]))]]
  })
}

function compileAll(messages: Messages, isRightToLeft: boolean): object {
  const compiled = (text: string) => {
    const message = compile(text) as Compiled
    return isRightToLeft ? isolated(message) : message
  }
  return Object.fromEntries(
    Object.entries(messages).map(([key, value]) => [
      key,
      typeof value === 'string' ? compiled(value) : compileAll(value, isRightToLeft),
    ]),
  )
}

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
      const isRightToLeft = directionOf(languageOfCode(language)) === 'rtl'
      const messages = Object.entries(catalogue).filter(([key]) => part.includes(key))
      const json = JSON.stringify(compileAll(Object.fromEntries(messages), isRightToLeft))
      return { code: `export default JSON.parse(${JSON.stringify(json)})`, moduleType: 'js', map: null }
    },
  }
}
