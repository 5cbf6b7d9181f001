import { CODE_COUNTDOWN_S } from '@fairlot/contract'
import type { CodePurpose } from '@fairlot/contract'
import { readVisit, writeVisit } from '../../live/device/storage.ts'
import type { ContactValues } from './contact-values.ts'
import { accountOf } from './contact-values.ts'

/** To whom a code was sent, kept for this visit: a reload must not lose the countdown, nor what it belongs to. */
export type SentCode = ContactValues & { readonly sentAt: number }

/** As long as the server takes a code. */
const GOOD_FOR_MS = 600_000

const nameOf = (purpose: CodePurpose): string => `code.${purpose}`

const isSentCode = (value: unknown): value is SentCode =>
  typeof value === 'object' && value !== null && 'sentAt' in value && typeof value.sentAt === 'number'

/** The last code of this visit while it can still be used; null when there is none. */
export function readSentCode(purpose: CodePurpose, now: number): SentCode | null {
  const kept = readVisit(nameOf(purpose))
  return isSentCode(kept) && now - kept.sentAt < GOOD_FOR_MS ? kept : null
}

export const keepSentCode = (purpose: CodePurpose, sent: SentCode | null): void =>
  writeVisit(nameOf(purpose), sent)

/** Seconds until another code may be asked for by the same account; 0 when it may be. */
export function secondsLeft(sent: SentCode | null, values: ContactValues, now: number): number {
  if (sent === null || sent.contact !== values.contact || accountOf(sent) !== accountOf(values)) return 0
  const left = Math.ceil(CODE_COUNTDOWN_S - (now - sent.sentAt) / 1000)
  return Math.min(Math.max(left, 0), CODE_COUNTDOWN_S)
}
