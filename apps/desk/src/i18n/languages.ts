import type { LanguageCode } from '@fairlot/contract'

/** Names of the users' languages. */
export const LANGUAGE_NAMES: Record<LanguageCode, string> = {
  hk: 'Chinese',
  en: 'English',
  jp: 'Japanese',
  kr: 'Korean',
  th: 'Thai',
  vn: 'Vietnamese',
  fr: 'French',
  de: 'German',
  ru: 'Russian',
  spa: 'Spanish',
  pt: 'Portuguese',
  ar: 'Arabic',
  it: 'Italian',
  tr: 'Turkish',
  id: 'Indonesian',
}
