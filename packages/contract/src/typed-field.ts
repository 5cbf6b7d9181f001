/** Codecs of what somebody types. */
import { narrow, reshape, type Codec } from './codec.ts'
import { text } from './field.ts'
import { plainLine, plainText } from './plain-text.ts'

/** What somebody types to be kept and read by others, see `plainText`. */
export const typed: Codec<string> = reshape(text, { decode: plainText, encode: (value) => value })

/** The same in one line, of so many characters at most. */
export const line = (most: number): Codec<string> =>
  narrow(text, {
    decode: (value) => {
      const shortened = plainLine(value)
      return shortened.length <= most ? shortened : null
    },
    encode: (value) => value,
    reason: 'textTooLong',
  })
