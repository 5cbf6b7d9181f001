import type { ReactNode } from 'react'

/** Three words in a row, or a run of letters of a script without spaces: a sentence, in which a translator leaves figures as they are. */
const SENTENCE =
  /\p{L}{2,}[\s,]+\p{L}{2,}[\s,]+\p{L}{2,}|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]{6,}/u

/** Such as `USDT`, `XAU/USD` or a BIC. */
const isCode = (text: string): boolean => /\p{Lu}{2}/u.test(text) && !/\p{Ll}/u.test(text)

/**
 * Whether a shown value is a figure, price, date, number, code or address, which the browser's translator must leave alone: it is read
 * sign by sign. Elements say so themselves.
 */
export const isVerbatim = (value: ReactNode): boolean =>
  typeof value === 'number' ||
  typeof value === 'bigint' ||
  (typeof value === 'string' && (/\p{Nd}/u.test(value) || isCode(value)) && !SENTENCE.test(value))

/** The attribute of an element that shows only this value. */
export const translateOf = (value: ReactNode): 'no' | undefined => (isVerbatim(value) ? 'no' : undefined)
