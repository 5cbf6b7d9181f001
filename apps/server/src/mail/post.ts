import type { Transaction } from 'kysely'
import type { Tables } from '../database/schema.ts'
import { languageOf, sayIn, type LanguageCode } from '../plugins/words.ts'
import type { Outbox } from './outbox.ts'

/** The messages there are; their words are under `mail` in the catalogues. */
export type MailName =
  | 'registerCode'
  | 'resetCode'
  | 'accountExists'
  | 'noAccount'
  | 'newLogin'
  | 'passwordChanged'
  | 'secondFactorOn'
  | 'secondFactorOff'

/** Whom to write to, and in which language. */
export type Addressee = {
  readonly channel: 'email' | 'sms'
  readonly recipient: string
  readonly language: LanguageCode
}

export type Post = {
  /** Puts a message into the outbox, inside the transaction that is its reason, if there is one. */
  write(
    name: MailName,
    to: Addressee,
    values: Readonly<Record<string, string>>,
    within?: Transaction<Tables>,
  ): Promise<void>
  /** Has what was written sent; after the commit. */
  send(): void
}

const CODE_MINUTES = 10
const CODE_USEFUL_MS = CODE_MINUTES * 60_000
const NEWS_USEFUL_MS = 2 * 86_400_000

/** Words for the outbox: the same text as a mail with a subject, or as one text message. */
export const createPost = (outbox: Outbox): Post => ({
  write: async (name, { channel, recipient, language }, values, within) => {
    const say = sayIn(languageOf(language))
    const words = { ...values, minutes: String(CODE_MINUTES) }
    const text = say(`mail.${name}.text`, words)
    const isCode = 'code' in values
    await outbox.add(
      {
        ...{ channel, recipient, usefulForMs: isCode ? CODE_USEFUL_MS : NEWS_USEFUL_MS },
        subject: channel === 'email' ? say(`mail.${name}.subject`) : '',
        body: channel === 'email' ? `${text}\n\n${say('mail.footer')}\n` : text,
      },
      within,
    )
  },
  send: outbox.wake,
})
