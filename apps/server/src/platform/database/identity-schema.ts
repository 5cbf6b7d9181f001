import type { User } from '@fairlot/contract'
import type { IdentityFaultFound } from '../i18n/identity-faults.ts'
import type { SealedPlace, Vault } from './vault.ts'

/** The id of the key that encrypts the database: one row, written at the first start. */
export type DataKeyTable = { key_id: string; first_used_at: bigint }

/** Submitted identity checks, one row per user. Verified users are in `verified_person`. */
export type IdentityCheckTable = {
  user_id: bigint
  /** waiting, rejected or approved. */
  status: string
  name: string
  /** The sealed number of the document, and its fingerprint, which finds the same document of another user. */
  number: string
  number_mark: string
  /** Keys of the pictures of the document. */
  front: string
  reverse: string
  /** Epoch ms of real time. */
  sent_at: bigint
  /** The number of submissions so far. */
  times_sent: bigint
  decided_at: bigint | null
  /** The faults of fields as JSON; empty for none. */
  faults: string
}

export type IdentityTables = { data_key: DataKeyTable; identity_check: IdentityCheckTable }

/** The case key of a user's identity check, in the waiting list and in `stored_file.used_by`. */
export const identityCase = (userId: number | bigint): string => `${IDENTITY_CASE}${userId}`
export const IDENTITY_CASE = 'identity:'

/** The place of a user's document number, for the vault. */
export const identityNumber = (userId: number | bigint): SealedPlace => ({
  owner: `user ${userId}`,
  column: 'identity_check.number',
})

/** The state of a user's identity check, from the columns of its rows; null for a missing row. */
export function identityStatusOf(verifiedAt: bigint | null, status: string | null): User['identityCheck'] {
  if (verifiedAt !== null) return 'verified'
  return status === 'waiting' || status === 'rejected' ? status : 'form'
}

/** The faults in a row. */
export const faultsIn = (text: string): readonly IdentityFaultFound[] =>
  text === '' ? [] : (JSON.parse(text) as IdentityFaultFound[])

/** A number without case, spaces and punctuation, which users write differently. */
const normalizedNumber = (number: string): string =>
  number
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/** The fingerprint of a document number, which finds equal numbers without decrypting them. */
export const identityMark = (vault: Pick<Vault, 'fingerprint'>, number: string): string =>
  vault.fingerprint(normalizedNumber(number), 'identity_check.number')
