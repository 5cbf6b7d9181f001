import type labels from '@fairlot/contract/labels/hk.json'
import { reportMissingPart } from '@fairlot/ui/feedback/missing-part.ts'
import type { Language } from './language.ts'
import type { MessagePart } from './message-parts.ts'
import type hk from './messages/hk.json'
import { longerMessages, PSEUDO_LANGUAGE } from './pseudo-language.ts'

/** Every key with its text, including the texts shared with the desk; the types are those of the traditional Chinese catalogue. */
export type Messages = typeof hk & typeof labels

declare module 'use-intl' {
  interface AppConfig {
    Messages: Messages
  }
}

// Each part of a catalogue is a separate file (see compiledMessages). The bundler finds the catalogues by their names and needs
// every pattern written out.
const parts = {
  first: import.meta.glob<Partial<Messages>>('./messages/*.json', {
    query: '?part=first',
    import: 'default',
  }),
  trading: import.meta.glob<Partial<Messages>>('./messages/*.json', {
    query: '?part=trading',
    import: 'default',
  }),
  payments: import.meta.glob<Partial<Messages>>('./messages/*.json', {
    query: '?part=payments',
    import: 'default',
  }),
  content: import.meta.glob<Partial<Messages>>('./messages/*.json', {
    query: '?part=content',
    import: 'default',
  }),
  account: import.meta.glob<Partial<Messages>>('./messages/*.json', {
    query: '?part=account',
    import: 'default',
  }),
  copying: import.meta.glob<Partial<Messages>>('./messages/*.json', {
    query: '?part=copying',
    import: 'default',
  }),
} satisfies Record<MessagePart, unknown>

const loadOf = (language: Language, part: MessagePart) => parts[part][`./messages/${language}.json`]

/** The language whose texts are shown: the chosen one, or English until its catalogue exists. */
export const textLanguage = (language: Language): Language => (loadOf(language, 'first') ? language : 'en')

const loaded = new Map<string, Promise<Partial<Messages>>>()

/** Texts that stand in place of those of a language, which could not be loaded. */
const englishInstead = new WeakSet<Partial<Messages>>()

/** Whether these are English texts in place of those of a language that could not be loaded. */
export const areEnglishInstead = (messages: Partial<Messages>): boolean => englishInstead.has(messages)

async function inEnglish(part: MessagePart): Promise<Partial<Messages>> {
  reportMissingPart()
  const texts = { ...(await loadMessages('en', part)) }
  englishInstead.add(texts)
  return texts
}

/**
 * Loads a part of a language's texts, once; those of English where that fails, which the window then offers to reload.
 * Rejects when English fails too; the next call then tries again.
 */
export function loadMessages(language: Language, part: MessagePart): Promise<Partial<Messages>> {
  const load = loadOf(textLanguage(language), part)
  if (!load) throw new Error(`no catalogue for ${language}`)
  const name = `${textLanguage(language)} ${part}`
  const known = loaded.get(name)
  if (known) return known
  const own = PSEUDO_LANGUAGE === 'en-XA' ? load().then(longerMessages) : load()
  const texts = textLanguage(language) === 'en' ? own : own.catch(() => inEnglish(part))
  loaded.set(name, texts)
  texts.catch(() => loaded.delete(name))
  return texts
}
