/** Codecs of text that users and operators type. */
import { refine, transform, type Codec } from './codec.ts'
import { text } from './field.ts'
import { isNameText, plainLine, plainName, plainText, withoutControls } from './plain-text.ts'
import { typedCode } from './typed-code.ts'

const same = (value: string): string => value

const atMost = (codec: Codec<string>, most: number): Codec<string> =>
  refine(codec, {
    decode: (value) => (value.length <= most ? value : null),
    encode: same,
    reason: 'textTooLong',
    expected: { most },
  })

/** Text of a user or an operator that is stored and read by others, see `plainText`. */
export const userText: Codec<string> = transform(text, { decode: plainText, encode: same })

/** HTML that is sanitized later: without control characters, with its marks of direction. */
export const markup: Codec<string> = transform(text, { decode: withoutControls, encode: same })

/** Text in one line, with a maximum length in characters. */
export const userLine = (most: number): Codec<string> =>
  atMost(transform(text, { decode: plainLine, encode: same }), most)

/** The name of a person, a bank or a company, see `isNameText`; empty if it is blank. */
export const nameText: Codec<string> = refine(text, {
  decode: (typed) => (isNameText(typed) ? plainName(typed) : null),
  encode: same,
  reason: 'nameInvalid',
})

/** A name as it was typed, with a maximum length in characters, see `isNameText`. */
export const typedName = (most: number): Codec<string> =>
  atMost(
    refine(text, {
      decode: (typed) => (isNameText(typed) ? typed : null),
      encode: same,
      reason: 'nameInvalid',
    }),
    most,
  )

/** The name of a person, a bank or a company with a maximum length in characters. */
export const nameLine = (most: number): Codec<string> => atMost(nameText, most)

/** A code, see `typedCode`, with a maximum length in characters. */
export const codeText = (most = Infinity): Codec<string> =>
  atMost(transform(text, { decode: typedCode, encode: same }), most)

/** The longest text to look for, in characters. */
const SEARCH_LENGTH = 500

/** A text to look for: in one line, without invisible characters. */
export const searchText: Codec<string> = userLine(SEARCH_LENGTH)

/** A text that has to be filled in. */
export const filled = (codec: Codec<string>): Codec<string> =>
  refine(codec, {
    decode: (value) => (value.trim() === '' ? null : value),
    encode: same,
    reason: 'fieldMissing',
  })
