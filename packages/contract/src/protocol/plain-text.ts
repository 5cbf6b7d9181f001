/**
 * Invisible characters: control characters except line feeds, marks that change the text direction, lone surrogates,
 * and characters without width. Joiners and variation selectors are kept, as they shape letters and emoji.
 */
const UNSEEN =
  /(?![\n\u200c\u200d\p{Variation_Selector}])[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu
/** Text without a visible character. */
const BLANK = /^[\s\u200c\u200d\p{Variation_Selector}]*$/u

/**
 * Typed text as it is stored everywhere: without invisible characters and surrounding space, with uniform line ends.
 * Empty without a visible character.
 */
export function plainText(typed: string): string {
  const text = typed
    .replaceAll(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
    .replaceAll('\t', ' ')
    .replaceAll(UNSEEN, '')
  return BLANK.test(text) ? '' : text.trim()
}

/** The same as `plainText` in one line. */
export const plainLine = (typed: string): string => plainText(typed).replaceAll(/\s*\n\s*/g, ' ')

/** What no name has: control characters, halves of characters, private characters, and marks of direction. */
const UNFIT = /(?![\t\n\r\u0085])[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Bidi_Control}]/u
/** Emoji and their parts; companies have © ® ™. */
const EMOJI = /(?![©®™])[\p{Extended_Pictographic}\p{Emoji_Presentation}\p{Emoji_Modifier}\u20e3]/u

/**
 * Whether a text can be the name of a person, a bank or a company. Documents carry letters of any script with any
 * punctuation ("Raj A/L Kumar", "Siti @ Aminah"), and a person compares them anyway.
 */
export const isNameText = (typed: string): boolean => !UNFIT.test(typed) && !EMOJI.test(typed)

/** A name as it is stored: in one line, with single plain spaces, whichever spaces were typed. */
export const plainName = (typed: string): string => plainLine(typed).replaceAll(/\s+/g, ' ')

/** Text without control characters other than tabs and line ends, and without lone surrogates. */
export const withoutControls = (text: string): string => text.replaceAll(/(?![\t\n\r])[\p{Cc}\p{Cs}]/gu, '')
