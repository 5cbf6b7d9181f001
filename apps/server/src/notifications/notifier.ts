import type { Transaction } from 'kysely'
import type { Tables } from '../database/schema.ts'
import { languageOf, translatorFor, type LanguageCode } from '../i18n/translate.ts'
import type { Outbox } from './outbox.ts'

/** The messages there are; their words are under `mail` in the catalogues. */
export type NotificationName =
  | 'registerCode'
  | 'resetCode'
  | 'accountExists'
  | 'noAccount'
  | 'newLogin'
  | 'passwordChanged'
  | 'secondFactorOn'
  | 'secondFactorOff'
  | 'methodBound'
  | 'depositTold'
  | 'depositFinished'
  | 'depositRejected'
  | 'depositInvalid'
  | 'withdrawalAsked'
  | 'withdrawalApproved'
  | 'withdrawalPaid'
  | 'withdrawalRejected'
  | 'withdrawalCancelled'
  | 'chainEnds'
  | 'notice'
  | 'secondFactorReset'
  | 'identityVerified'
  | 'identityRejected'
  | 'identityUnverified'
  | 'supportAnswered'
  | 'dataTaken'
  | 'accountClosed'

/** The recipient of a message, and their language. */
export type Addressee = {
  readonly channel: 'email' | 'sms'
  readonly recipient: string
  readonly language: LanguageCode
}

export type Notifier = {
  /** Puts a message into the outbox, inside the transaction that is its reason, if there is one. */
  write(
    name: NotificationName,
    to: Addressee,
    values: Readonly<Record<string, string>>,
    within?: Transaction<Tables>,
  ): Promise<void>
  /** Has what was written sent; after the commit. */
  send(): void
}

const CODE_MINUTES = 10
const CODE_USEFUL_MS = CODE_MINUTES * 60_000
/** Of no use any more after so long, ms. */
export const MESSAGE_USEFUL_MS = 2 * 86_400_000
/** Stands for a code wherever an operator may read the message. */
const MASK = '••••••'

/** Writes translated messages to the outbox: the same text as a mail with a subject, or as one text message. */
export const createNotifier = (outbox: Outbox): Notifier => ({
  write: async (name, { channel, recipient, language }, values, within) => {
    const translate = translatorFor(languageOf(language))
    const words = { ...values, minutes: String(CODE_MINUTES) }
    const isCode = 'code' in values
    // What operators may read: the subject is among it.
    const shown = isCode ? { ...words, code: MASK } : words
    const textWith = (filled: Readonly<Record<string, string>>) => {
      const text = translate(`mail.${name}.text`, filled)
      return channel === 'email' ? `${text}\n\n${translate('mail.footer')}\n` : text
    }
    await outbox.add(
      {
        ...{ name, channel, recipient, usefulForMs: isCode ? CODE_USEFUL_MS : MESSAGE_USEFUL_MS },
        subject: channel === 'email' ? translate(`mail.${name}.subject`, shown) : '',
        body: textWith(words),
        shown: textWith(shown),
      },
      within,
    )
  },
  send: outbox.wake,
})
