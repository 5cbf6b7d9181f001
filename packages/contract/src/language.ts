/** The languages of the product by their code on the wire. */
// prettier-ignore
export const LANGUAGE_CODES = [
  'hk', 'en', 'jp', 'kr', 'th', 'vn', 'fr', 'de', 'ru', 'spa', 'pt', 'ar', 'it', 'tr', 'id',
] as const

export type LanguageCode = (typeof LANGUAGE_CODES)[number]
