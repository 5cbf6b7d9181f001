/** Changes of deposit and withdrawal terms, as announced to users (trading-rules §10). */
import type { TermsChange } from '@fairlot/contract'
import type { Transaction } from 'kysely'
import { nextId } from '../platform/database/next-id.ts'
import type { Queries } from '../platform/database/open.ts'
import type { Tables } from '../platform/database/schema.ts'
import type { SettingName } from '../platform/config/app-settings.ts'

type Fields = TermsChange['fields']
type Values = Readonly<Record<string, string>>

export type PaymentChange = {
  /** An unused id of the table. */
  readonly id: bigint
  readonly subject: string
  readonly about: string
  readonly fields: Fields
  readonly reason: string
  /** Epoch ms of real time: when it was decided, and when it takes effect. */
  readonly at: number
  readonly effectiveAt: number
}

/** How long a change is listed after it took effect. */
const SHOWN_MS = 24 * 3_600_000
const SHOWN_MAX = 50

/** Announces a change to users. It replaces a change of the same subject that has not taken effect. */
export async function announcePayments(
  within: Transaction<Tables>,
  { fields, at, effectiveAt, ...change }: PaymentChange,
): Promise<void> {
  await within
    .deleteFrom('payment_change')
    .where('subject', '=', change.subject)
    .where('effective_at', '>', BigInt(Math.floor(at)))
    .execute()
  if (fields.length === 0) return
  await within
    .insertInto('payment_change')
    .values({
      ...change,
      fields: JSON.stringify(fields),
      at: BigInt(Math.floor(at)),
      effective_at: BigInt(Math.floor(effectiveAt)),
    })
    .execute()
}

/** A change as users are informed of it: its parts, each at once (`from` is null) or from a moment on (epoch ms). */
export type Announcement = {
  readonly about: string
  readonly parts: readonly { readonly fields: Fields; readonly from: number | null }[]
  /** When the last part takes effect. */
  readonly from: number | null
}

/** Lowered daily limits take effect after the notice period, all other fields at once. */
export function announcementOf(
  { about, fields }: Pick<PaymentChange, 'about' | 'fields'>,
  lowered: ReadonlySet<string>,
  { at, noticeMs }: { readonly at: number; readonly noticeMs: number },
): Announcement {
  const coming = fields.filter(({ field }) => lowered.has(field))
  const from = coming.length > 0 ? at + noticeMs : null
  const atOnce = { fields: fields.filter(({ field }) => !lowered.has(field)), from: null }
  return { about, parts: from === null ? [atOnce] : [atOnce, { fields: coming, from }], from }
}

/** Announces the parts of a change; the first one replaces what was announced of the subject before. */
export async function announceParts(
  within: Transaction<Tables>,
  { about, parts }: Announcement,
  change: Pick<PaymentChange, 'subject' | 'reason' | 'at'>,
): Promise<void> {
  for (const { fields, from } of parts) {
    const id = await nextId(within, 'payment_change')
    await announcePayments(within, { ...change, id, about, fields, effectiveAt: from ?? change.at })
  }
}

/** Announced changes, the next one first, then those of the last 24 hours, newest first. `at`: epoch ms of real time. */
export async function listPaymentChanges(queries: Queries, at: number): Promise<TermsChange[]> {
  const rows = await queries
    .selectFrom('payment_change')
    .selectAll()
    .where('effective_at', '>', BigInt(Math.floor(at - SHOWN_MS)))
    .orderBy('effective_at')
    .orderBy('id')
    .limit(SHOWN_MAX)
    .execute()
  const changes = rows.map((row) => ({
    id: Number(row.id),
    kind: 'payments' as const,
    instrumentIds: [],
    about: row.about,
    fields: JSON.parse(row.fields) as Fields,
    announcedAt: Number(row.at),
    effectiveAt: Number(row.effective_at),
    reason: row.reason,
    isUrgent: false,
    isInForce: row.effective_at <= BigInt(Math.floor(at)),
    withdrawnAt: null,
  }))
  return [
    ...changes.filter(({ isInForce }) => !isInForce),
    ...changes.filter(({ isInForce }) => isInForce).toReversed(),
  ]
}

/** Of the named fields, those that differ. */
export const changedValues = (names: readonly string[], before: Values, after: Values): Fields =>
  names.flatMap((field) => {
    const [was = '', will = ''] = [before[field], after[field]]
    return was === will ? [] : [{ field, before: was, after: will }]
  })

/**
 * Settings whose changes are announced to users, and whether a change is to their disadvantage: then it takes effect
 * after the notice period. The link for card payments changes at once, as a compromised page must be replaced.
 */
const ANNOUNCED_SETTINGS: Partial<Record<SettingName, (before: string, after: string) => boolean>> = {
  payout_wait_hours: (before, after) => Number(after) > Number(before),
  unverified_may_withdraw: (before, after) => Number(after) < Number(before),
  closing_left_max: (before, after) => Number(after) < Number(before),
  card_payment_link: () => false,
}

/** When a change of a setting is announced to users; `none` for never. */
export function noticeOf(name: SettingName, before: string, after: string): 'none' | 'atOnce' | 'announced' {
  const isWorse = ANNOUNCED_SETTINGS[name]
  if (!isWorse) return 'none'
  return isWorse(before, after) ? 'announced' : 'atOnce'
}
