/**
 * What nobody sees: control characters but for the end of a line, marks that turn the text after them around, halves of characters, and
 * signs without a width. Joiners and variation selectors stay, for they shape letters and emoji.
 */
const UNSEEN =
  /(?![\n\u200c\u200d\p{Variation_Selector}])[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu
/** Made of nothing that is seen. */
const BLANK = /^[\s\u200c\u200d\p{Variation_Selector}]*$/u

/**
 * What somebody has typed, as it is kept wherever people's text is kept: nothing in it is unseen, lines end in one way, and nothing stands
 * around it. Empty where nothing of it would be seen.
 */
export function plainText(typed: string): string {
  const text = typed
    .replaceAll(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
    .replaceAll('\t', ' ')
    .replaceAll(UNSEEN, '')
  return BLANK.test(text) ? '' : text.trim()
}

/** The same in one line. */
export const plainLine = (typed: string): string => plainText(typed).replaceAll(/\s*\n\s*/g, ' ')
