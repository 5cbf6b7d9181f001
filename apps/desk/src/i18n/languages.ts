import type { LanguageCode } from '@fairlot/contract'

/** What the languages of the traders are called at the desk. */
export const LANGUAGE_NAMES: Record<LanguageCode, string> = {
  ...{ hk: 'Chinese', en: 'English', jp: 'Japanese', kr: 'Korean', th: 'Thai', vn: 'Vietnamese' },
  ...{ fr: 'French', de: 'German', ru: 'Russian', spa: 'Spanish', pt: 'Portuguese', ar: 'Arabic' },
  ...{ it: 'Italian', tr: 'Turkish', id: 'Indonesian' },
}

/** BCP 47 tags, so that a browser sets and reads each text by its own rules. */
export const LANGUAGE_TAGS: Record<LanguageCode, string> = {
  ...{ hk: 'zh-HK', en: 'en', jp: 'ja', kr: 'ko', th: 'th', vn: 'vi', fr: 'fr', de: 'de' },
  ...{ ru: 'ru', spa: 'es', pt: 'pt', ar: 'ar', it: 'it', tr: 'tr', id: 'id' },
}

export const directionOf = (language: LanguageCode): 'rtl' | 'ltr' => (language === 'ar' ? 'rtl' : 'ltr')
