import { createElement, Fragment, type ReactNode } from 'react'
import { isVerbatim } from './verbatim.ts'

/**
 * Signs around a name inside a text. Both are noncharacters of Unicode, set aside for such use: no language writes them, and
 * a text carries them through catalogues and properties that take a string.
 */
const [OPEN, CLOSE] = ['\ufdd0', '\ufdd1']
const MARKED = new RegExp(`${OPEN}([^${OPEN}${CLOSE}]*)${CLOSE}`, 'u')
const MARKS = new RegExp(`[${OPEN}${CLOSE}]`, 'gu')

type NameProps = { children: ReactNode; className?: string }

/**
 * What is right in no other language and read sign by sign: the name of a person, bank or strategy, a symbol, code, address,
 * reference or figure. A browser's translator leaves it alone, and its direction does not disturb the text around it.
 */
export const Name = ({ children, className }: NameProps) => (
  <bdi translate="no" className={className}>
    {children}
  </bdi>
)

/**
 * A name as a part of a text that `withNames` shows, as most shared parts do with theirs. A text that is only read out, kept or
 * sent takes the name as it is.
 */
export const asName = (value: string | number | bigint): string =>
  value === '' ? '' : `${OPEN}${value}${CLOSE}`

/** A text with each part from `asName` as a `Name`; anything else as it is. */
export function withNames(text: ReactNode): ReactNode {
  if (typeof text !== 'string' || !text.includes(OPEN)) return text
  const parts = text.split(MARKED).map((part, at) => (at % 2 === 0 ? part : <Name key={at}>{part}</Name>))
  return createElement(Fragment, null, ...parts)
}

/** Characters of a word in writing with spaces, and the signs within figures, codes and addresses. */
const WORD = /[^\s\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}“”„«»「」『』()（），。；：、]+/gu

/**
 * A sentence that was composed elsewhere, with each word of it that is a figure, code or address as a name. Words in other
 * letters than these are translated, names of people among them: nothing tells them apart.
 */
export const asNames = (sentence: string): string =>
  sentence.replaceAll(WORD, (word) => {
    const [, bare = '', end = ''] = /^(.*?)([.,;:!?…،؛؟]*)$/u.exec(word) ?? []
    return isVerbatim(bare) ? asName(bare) + end : word
  })

/** A text from `asName` as plain words, to be read out. */
export const withoutNames = (text: string): string => text.replaceAll(MARKS, '')

/** For an element that holds plain text only, such as an option: the text, left alone as a whole if a part of it must be. */
export const plainText = (text: string): { children: string; translate: 'no' | undefined } => ({
  children: withoutNames(text),
  translate: text.includes(OPEN) || isVerbatim(text) ? 'no' : undefined,
})
