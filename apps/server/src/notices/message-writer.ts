import type { Transaction } from 'kysely'
import type { Tables } from '../platform/database/schema.ts'
import { languageOf, translatorFor, type LanguageCode } from '../platform/i18n/translate.ts'
import type { Outbox } from '../platform/mail/outbox.ts'

/** All mails and text messages; their texts are under `mail` in the catalogues. */
export type MessageName =
  | 'registerCode'
  | 'resetCode'
  | 'accountExists'
  | 'noAccount'
  | 'newLogin'
  | 'passwordChanged'
  | 'secondFactorOn'
  | 'secondFactorOff'
  | 'passkeyAdded'
  | 'passkeyRemoved'
  | 'recoveryCodesRenewed'
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

export type MessageWriter = {
  /** Puts a message into the outbox, in the transaction of the event if there is one. */
  write(
    name: MessageName,
    to: Addressee,
    values: Readonly<Record<string, string>>,
    within?: Transaction<Tables>,
  ): Promise<void>
  /** Sends the written messages; call it after the commit. */
  send(): void
}

const CODE_MINUTES = 10
const CODE_USEFUL_MS = CODE_MINUTES * 60_000
/** A message older than this is not sent any more, ms. */
export const MESSAGE_USEFUL_MS = 2 * 86_400_000
/** Replaces a code where operators read the message. */
const MASK = '••••••'

/** Writes translated messages to the outbox: a mail with a subject, or a text message without personal data. */
export const createMessageWriter = (outbox: Outbox): MessageWriter => ({
  write: async (name, { channel, recipient, language }, values, within) => {
    const translate = translatorFor(languageOf(language))
    const filled = { ...values, minutes: String(CODE_MINUTES) }
    const isCode = 'code' in values
    // Operators may read the subject, too.
    const shown = isCode ? { ...filled, code: MASK } : filled
    const textWith = (given: Readonly<Record<string, string>>) => {
      const text = translate(`mail.${name}.text`, given)
      if (channel === 'email') return `${text}\n\n${translate('mail.footer')}\n`
      // Anybody can read it on a locked phone: no amount, address or account, only that something has happened.
      return isCode ? text : `${translate(`mail.${name}.subject`, given)}\n${translate('mail.inApp')}`
    }
    await outbox.add(
      {
        name,
        channel,
        recipient,
        language,
        usefulForMs: isCode ? CODE_USEFUL_MS : MESSAGE_USEFUL_MS,
        subject: channel === 'email' ? translate(`mail.${name}.subject`, shown) : '',
        body: textWith(filled),
        shown: textWith(shown),
      },
      within,
    )
  },
  send: outbox.wake,
})
