import type hk from './messages/hk.json'
import type { Language } from './language.ts'

/** Every key with its text; the traditional Chinese catalogue is the one the types are read from. */
export type Messages = typeof hk

const catalogues: Partial<Record<Language, () => Promise<{ default: Messages }>>> = {
  hk: () => import('./messages/hk.json'),
  en: () => import('./messages/en.json'),
}

/** The language whose texts are shown: the wished one, or English until its catalogue exists. */
export const textLanguage = (language: Language): Language => (catalogues[language] ? language : 'en')

/** Loads the texts of a language; one small file each. */
export async function loadMessages(language: Language): Promise<Messages> {
  const load = catalogues[textLanguage(language)]
  if (!load) throw new Error(`no catalogue for ${language}`)
  return (await load()).default
}
