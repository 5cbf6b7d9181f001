/** The 15 languages of the product: the code the server knows, the BCP 47 tag, the language's own name. */
export const LANGUAGES = [
  { code: 'hk', tag: 'zh-HK', name: '繁體中文' },
  { code: 'en', tag: 'en', name: 'English' },
  { code: 'jp', tag: 'ja', name: '日本語' },
  { code: 'kr', tag: 'ko', name: '한국어' },
  { code: 'th', tag: 'th', name: 'ไทย' },
  { code: 'vn', tag: 'vi', name: 'Tiếng Việt' },
  { code: 'fr', tag: 'fr', name: 'Français' },
  { code: 'de', tag: 'de', name: 'Deutsch' },
  { code: 'ru', tag: 'ru', name: 'Русский' },
  { code: 'spa', tag: 'es', name: 'Español' },
  { code: 'pt', tag: 'pt', name: 'Português' },
  { code: 'ar', tag: 'ar', name: 'العربية' },
  { code: 'it', tag: 'it', name: 'Italiano' },
  { code: 'tr', tag: 'tr', name: 'Türkçe' },
  { code: 'id', tag: 'id', name: 'Bahasa Indonesia' },
] as const

export type Language = (typeof LANGUAGES)[number]['code']

const DEFAULT: Language = 'hk'

/** The language of a code as the `lang` query or an old link may write it; `tw` means `hk`. Null: not ours. */
function languageOf(code: string | null | undefined): Language | null {
  const wanted = code === 'tw' ? 'hk' : code
  return LANGUAGES.find((language) => language.code === wanted)?.code ?? null
}

/** The language of a browser's tag ("pt-BR", "zh-TW"). Null: not one of the 15. */
export function languageOfTag(tag: string): Language | null {
  const primary = tag.toLowerCase().split('-')[0]
  return LANGUAGES.find((language) => language.tag.split('-')[0] === primary)?.code ?? null
}

type Wishes = {
  /** The `lang` query. */
  asked: string | null
  /** The last choice on this device. */
  chosen: string | null
  /** The browser's languages, best first. */
  browser: readonly string[]
}

/** The `lang` query, else the last choice, else the browser's if it is one of the 15, else traditional Chinese. */
export const chooseLanguage = ({ asked, chosen, browser }: Wishes): Language =>
  languageOf(asked) ??
  languageOf(chosen) ??
  browser.map(languageOfTag).find((language) => language !== null) ??
  DEFAULT

/** BCP 47 tag of a language. */
export const tagOf = (language: Language): string =>
  LANGUAGES.find((entry) => entry.code === language)?.tag ?? 'en'

export const directionOf = (language: Language): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr')

/** Where people expect red for a rise. */
export const isRedUp = (language: Language): boolean => ['hk', 'jp', 'kr'].includes(language)
