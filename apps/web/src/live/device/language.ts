import { create } from 'zustand'
import { chooseLanguage, isRequestedAsTaiwan } from '../../i18n/language.ts'
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

const sources = () => ({
  linked: languageOfLink(),
  chosen: readStored('language'),
  browser: typeof navigator === 'undefined' ? [] : navigator.languages,
})

const useLanguageStore = create<{ language: Language; isTaiwan: boolean }>(() => ({
  language: chooseLanguage(sources()),
  isTaiwan: isRequestedAsTaiwan(sources()),
}))

/** The user's language. */
export const useLanguage = (): Language => useLanguageStore((state) => state.language)

/** Whether traditional Chinese was asked for as Taiwan's, where prices that rise are red. */
export const useIsTaiwan = (): boolean => useLanguageStore((state) => state.isTaiwan)

export const currentLanguage = (): Language => useLanguageStore.getState().language

/** Calls back when the user has chosen another language. */
export const onLanguageChange = (listener: () => void): void =>
  void useLanguageStore.subscribe(({ language }, was) => language !== was.language && listener())

/** `code`: as it was asked for, which may be `tw`. */
function keep(code: string): void {
  writeStored('language', code)
  // Stays until the server has confirmed it: see `live/account/start.ts`.
  writeStored('languageToReport', 'yes')
}

/** Changes the language on this device for good. */
export function setLanguage(language: Language): void {
  keep(language)
  useLanguageStore.setState({ language, isTaiwan: false })
}

/** Remembers the language of a link as if the user had chosen it. */
export function rememberLanguageOfLink(): void {
  const linked = languageOfLink()
  if (linked === null) return
  const code = linked === 'tw' ? linked : currentLanguage()
  if (readStored('language') !== code) keep(code)
}
