import type { TraderWords } from '@fairlot/contract/words'
import type hk from './messages/hk.json'
import type { Language } from './language.ts'
import type { MessagePart } from './message-parts.ts'

/** Every key with its text, those of the words that the desk shows too; the traditional Chinese catalogue is the one the types are read from. */
export type Messages = typeof hk & TraderWords

type Load = () => Promise<{ readonly default: Partial<Messages> }>

// Each part is a file of its own (see compiledMessages). The imports are written out, as the bundler wants them.
const catalogues: Partial<Record<Language, Readonly<Record<MessagePart, Load>>>> = {
  hk: {
    first: () => import('./messages/hk.json?part=first'),
    trading: () => import('./messages/hk.json?part=trading'),
    payments: () => import('./messages/hk.json?part=payments'),
    reading: () => import('./messages/hk.json?part=reading'),
    own: () => import('./messages/hk.json?part=own'),
  },
  en: {
    first: () => import('./messages/en.json?part=first'),
    trading: () => import('./messages/en.json?part=trading'),
    payments: () => import('./messages/en.json?part=payments'),
    reading: () => import('./messages/en.json?part=reading'),
    own: () => import('./messages/en.json?part=own'),
  },
}

/** The language whose texts are shown: the wished one, or English until its catalogue exists. */
export const textLanguage = (language: Language): Language => (catalogues[language] ? language : 'en')

const loaded = new Map<string, Promise<Partial<Messages>>>()

/** Loads a part of the texts of a language, once. Rejects when it cannot be had; it is then asked for anew. */
export function loadMessages(language: Language, part: MessagePart): Promise<Partial<Messages>> {
  const load = catalogues[textLanguage(language)]?.[part]
  if (!load) throw new Error(`no catalogue for ${language}`)
  const name = `${textLanguage(language)} ${part}`
  const known = loaded.get(name)
  if (known) return known
  const texts = load().then((module) => module.default)
  loaded.set(name, texts)
  texts.catch(() => loaded.delete(name))
  return texts
}
