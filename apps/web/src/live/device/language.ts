import { create } from 'zustand'
import { chooseLanguage } from '../../i18n/language.ts'
import type { Language } from '../../i18n/language.ts'
import { fetchAgain } from '../requests/query-client.ts'
import { readStored, writeStored } from './storage.ts'

/** The `lang` query, before the hash or inside it. */
function askedLanguage(): string | null {
  if (typeof location === 'undefined') return null
  const inHash = location.hash.split('?')[1] ?? ''
  return new URLSearchParams(location.search).get('lang') ?? new URLSearchParams(inHash).get('lang')
}

const useLanguageStore = create<{ language: Language }>(() => ({
  language: chooseLanguage({
    asked: askedLanguage(),
    chosen: readStored('language'),
    browser: typeof navigator === 'undefined' ? [] : navigator.languages,
  }),
}))

/** The language of the reader's choice. */
export const useLanguage = (): Language => useLanguageStore((state) => state.language)

export const currentLanguage = (): Language => useLanguageStore.getState().language

/** Calls back when the user has chosen another language. */
export const onLanguageChange = (listener: () => void): void =>
  void useLanguageStore.subscribe(({ language }, was) => language !== was.language && listener())

function keep(language: Language): void {
  writeStored('language', language)
  // Until the server knows: see `live/auth/tell-language.ts`.
  writeStored('isLanguageUntold', 'yes')
}

/** Changes the language for good. What the server words in it is fetched again. */
export function setLanguage(language: Language): void {
  keep(language)
  if (language === currentLanguage()) return
  useLanguageStore.setState({ language })
  void fetchAgain()
}

/** Remembers a language that came with the link, as if it had been picked. */
export function rememberAskedLanguage(): void {
  if (askedLanguage() !== null && readStored('language') !== currentLanguage()) keep(currentLanguage())
}
