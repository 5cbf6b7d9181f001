/** Codecs of text that users and operators type. */
import { refine, transform, type Codec } from './codec.ts'
import { text } from './field.ts'
import { isNameText, plainLine, plainName, plainText } from './plain-text.ts'

const same = (value: string): string => value

const atMost = (codec: Codec<string>, most: number): Codec<string> =>
  refine(codec, {
    decode: (value) => (value.length <= most ? value : null),
    encode: same,
    reason: 'textTooLong',
    most,
  })

/** Text of a user or an operator that is stored and read by others, see `plainText`. */
export const userText: Codec<string> = transform(text, { decode: plainText, encode: same })

/** The same in one line, with a maximum length in characters. */
export const userLine = (most: number): Codec<string> =>
  atMost(transform(text, { decode: plainLine, encode: same }), most)

/** The name of a person, a bank or a company, see `isNameText`; empty if it is blank. */
export const nameText: Codec<string> = refine(text, {
  decode: (typed) => (isNameText(typed) ? plainName(typed) : null),
  encode: same,
  reason: 'nameInvalid',
})

/** The same with a maximum length in characters. */
export const nameLine = (most: number): Codec<string> => atMost(nameText, most)
