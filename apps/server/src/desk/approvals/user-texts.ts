import { formatTag, termsCard, type TermsCardReader, type TermsChange, withoutMarks } from '@fairlot/contract'
import type { CaseNotice } from '@fairlot/contract/desk'
import type { Queries } from '../../platform/database/open.ts'
import {
  LANGUAGES,
  languageOf,
  tagOf,
  translatorFor,
  type Language,
  type Translate,
} from '../../platform/i18n/translate.ts'

type Text = Pick<CaseNotice, 'when' | 'text'>

/** What every user will read, in each language that has a catalogue. */
export const textsForEveryone = (
  textsIn: (translate: Translate, language: Language) => readonly Text[],
): CaseNotice[] =>
  LANGUAGES.flatMap((language) =>
    textsIn(translatorFor(language), language).map((each) => ({ ...each, language })),
  )

type Card = Parameters<typeof termsCard>[1]

/** The card of an announced change of terms, as users read it; times in UTC. */
export const termsCardTexts = (
  known: Pick<TermsCardReader, 'codeOf' | 'isMarginFixed' | 'isFeeOfMargin'>,
  change: Card,
): CaseNotice[] =>
  textsForEveryone((translate, language) => {
    const { subject, urgent, from, rows, reason } = termsCard(
      { translate, ...known, ...formatsOf(language) },
      change,
    )
    const fields = rows.map(({ term, before, after }) => `${term}: ${before} → ${after}`)
    const lines = [urgent === null ? subject : `${subject} · ${urgent}`, from, ...fields, reason]
    return lines.flatMap((text) => (text === null ? [] : { when: 'approved', text }))
  })

type ShownPaymentChange = Pick<TermsChange, 'fields' | 'reason' | 'about'> & {
  /** Epoch ms: now, and when it takes effect; null for at once. */
  readonly at: number
  readonly from: number | null
}

/** The card of a change of payment terms that is approved at `at`. */
export const paymentChangeTexts = ({ at, from, ...change }: ShownPaymentChange): CaseNotice[] =>
  termsCardTexts(
    { codeOf: () => null, isMarginFixed: () => false, isFeeOfMargin: false },
    {
      ...change,
      kind: 'payments',
      instrumentIds: [],
      effectiveAt: from ?? at,
      isUrgent: false,
      isInForce: from === null,
    },
  )

/** The cards of an announcement that is approved at `at`, one for each part. */
export const announcementTexts = (
  {
    about,
    parts,
  }: Pick<ShownPaymentChange, 'about'> & {
    readonly parts: readonly Pick<ShownPaymentChange, 'fields' | 'from'>[]
  },
  { reason, at }: Pick<ShownPaymentChange, 'reason' | 'at'>,
): CaseNotice[] =>
  parts
    .filter(({ fields }) => fields.length > 0)
    .flatMap((part) => paymentChangeTexts({ about, ...part, reason, at }))

/** Numbers and times as in the users' app: Latin digits, Gregorian calendar, a minus sign and not a hyphen. */
function formatsOf(language: Language) {
  const tag = formatTag(tagOf(language))
  const plain = new Intl.NumberFormat(tag, { maximumFractionDigits: 10 })
  const moment = new Intl.DateTimeFormat(tag, {
    hourCycle: 'h23',
    timeZone: 'UTC',
    dateStyle: 'medium',
    timeStyle: 'medium',
  })
  return {
    decimal: (text: string) => plain.format(Number(text)).replace('-', '\u2212'),
    // After the time, which in some languages comes before the date.
    dateTime: (at: number) =>
      withoutMarks(
        moment
          .formatToParts(at)
          .map(({ type, value }) => (type === 'second' ? `${value} UTC` : value))
          .join(''),
      ),
  }
}

/** What a user will read, from the same catalogue: in their language, and in English if that differs. */
export async function textsForUser(
  queries: Queries,
  accountId: number,
  textsIn: (translate: Translate) => readonly Text[],
): Promise<CaseNotice[]> {
  const user = await queries
    .selectFrom('member')
    .select('language')
    .where('user_id', '=', BigInt(accountId))
    .executeTakeFirst()
  const languages = new Set([languageOf(user?.language ?? 'en'), 'en' as const])
  return [...languages].flatMap((language) =>
    textsIn(translatorFor(language)).map((each) => ({ ...each, language })),
  )
}
