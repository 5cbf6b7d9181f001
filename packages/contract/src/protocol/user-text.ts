/** Codecs of text that users and operators type. */
import { refine, transform, type Codec } from './codec.ts'
import { text } from './field.ts'
import { plainLine, plainText } from './plain-text.ts'

/** Text of a user or an operator that is stored and read by others, see `plainText`. */
export const userText: Codec<string> = transform(text, { decode: plainText, encode: (value) => value })

/** The same in one line, with a maximum length in characters. */
export const userLine = (most: number): Codec<string> =>
  refine(text, {
    decode: (value) => {
      const shortened = plainLine(value)
      return shortened.length <= most ? shortened : null
    },
    encode: (value) => value,
    reason: 'textTooLong',
  })
