/** What matters of an ICU message: its words, its arguments and its plural forms. */
import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser'

export type Message = {
  /** The words without arguments and syntax, one entry for each branch of a choice. */
  readonly words: readonly string[]
  /**
   * Each argument once; a choice with its branches: "side select buy other". A plural counts like a plain value, and so
   * does a choice by a figure, which inflects the words around one that is passed as a text: "1 lot", "0.50 lots".
   */
  readonly arguments: readonly string[]
  /** The forms of each plural: ["one", "other"]; exact ones such as "=0" are left out. */
  readonly plurals: readonly (readonly string[])[]
}

/** Reads a message; throws where it is no valid ICU message. */
export function readMessage(text: string): Message {
  const args = new Set<string>()
  const plurals: string[][] = []
  const choices: MessageFormatElement[][] = []
  const wordsIn = (elements: readonly MessageFormatElement[]): string =>
    elements
      .map((element) => {
        if (element.type === TYPE.literal) return element.value
        if (element.type === TYPE.pound) return '#'
        if (element.type === TYPE.tag) return wordsIn(element.children)
        if (element.type === TYPE.plural || element.type === TYPE.select) {
          const forms = Object.keys(element.options)
          const isPlural = element.type === TYPE.plural
          const isPlain = isPlural || forms.every((form) => form === 'other' || /^\d+$/.test(form))
          args.add(isPlain ? element.value : `${element.value} select ${forms.toSorted().join(' ')}`)
          if (isPlural) plurals.push(forms.filter((form) => !form.startsWith('=')))
          choices.push(...Object.values(element.options).map(({ value }) => value))
          return ARGUMENT
        }
        args.add('value' in element ? element.value : '')
        return ARGUMENT
      })
      .join('')
  const words = [wordsIn(parse(text))]
  for (let branch = choices.shift(); branch; branch = choices.shift()) words.push(wordsIn(branch))
  return { words, arguments: [...args].toSorted(), plurals }
}

/** Stands for an argument among the words: no letter, sign or space of any language. */
export const ARGUMENT = '\u{FFFC}'
