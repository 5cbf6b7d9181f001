import { create } from 'zustand'
import { chooseLanguage } from '../../i18n/language.ts'
import type { Language } from '../../i18n/language.ts'
import { PSEUDO_LANGUAGE } from '../../i18n/pseudo-language.ts'
import { readStored, writeStored } from './storage.ts'

/** The `lang` query, before the hash or inside it. */
function languageOfLink(): string | null {
  if (typeof location === 'undefined') return null
  if (PSEUDO_LANGUAGE) return 'en'
  const inHash = location.hash.split('?')[1] ?? ''
  return new URLSearchParams(location.search).get('lang') ?? new URLSearchParams(inHash).get('lang')
}

const useLanguageStore = create<{ language: Language }>(() => ({
  language: chooseLanguage({
    linked: languageOfLink(),
    chosen: readStored('language'),
    browser: typeof navigator === 'undefined' ? [] : navigator.languages,
  }),
}))

/** The user's language. */
export const useLanguage = (): Language => useLanguageStore((state) => state.language)

export const currentLanguage = (): Language => useLanguageStore.getState().language

/** Calls back when the user has chosen another language. */
export const onLanguageChange = (listener: () => void): void =>
  void useLanguageStore.subscribe(({ language }, was) => language !== was.language && listener())

function keep(language: Language): void {
  writeStored('language', language)
  // Stays until the server has confirmed it: see `live/account/start.ts`.
  writeStored('languageToReport', 'yes')
}

/** Changes the language on this device for good. */
export function setLanguage(language: Language): void {
  keep(language)
  if (language === currentLanguage()) return
  useLanguageStore.setState({ language })
}

/** Remembers the language of a link as if the user had chosen it. */
export function rememberLanguageOfLink(): void {
  if (languageOfLink() !== null && readStored('language') !== currentLanguage()) keep(currentLanguage())
}
