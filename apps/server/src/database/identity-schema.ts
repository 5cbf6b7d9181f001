import type { User } from '@fairlot/contract'
import type { IdentityFaultFound } from '../i18n/identity-faults.ts'
import type { SealedPlace, Vault } from './vault.ts'

/** Which key the database is encrypted with: one row, since its first start. */
export type DataKeyTable = { key_id: string; first_used_at: bigint }

/** What people have sent to show who they are, one row each. Who is verified stands in `verified_person`. */
export type IdentityCheckTable = {
  user_id: bigint
  /** waiting, rejected or approved. */
  status: string
  name: string
  /** The number of the document, sealed, and its fingerprint, by which the same one of somebody else is found. */
  number: string
  number_mark: string
  /** Keys of the pictures of the document. */
  front: string
  reverse: string
  /** Epoch ms of real time. */
  sent_at: bigint
  /** How often something was sent so far. */
  times_sent: bigint
  decided_at: bigint | null
  /** JSON: what was wrong with which field; empty where nothing was. */
  faults: string
}

export type IdentityTables = { data_key: DataKeyTable; identity_check: IdentityCheckTable }

/** The case of a person's identity, on the list of what waits and in `stored_file.used_by`. */
export const identityCase = (userId: number | bigint): string => `${IDENTITY_CASE}${userId}`
export const IDENTITY_CASE = 'identity:'

/** Where the number of a person's document stands, for the vault. */
export const identityNumber = (userId: number | bigint): SealedPlace => ({
  owner: `user ${userId}`,
  column: 'identity_check.number',
})

/** How far the check of a person's identity is; `null` where there is no row. */
export function identityStatusOf(verifiedAt: bigint | null, status: string | null): User['identityCheck'] {
  if (verifiedAt !== null) return 'verified'
  return status === 'waiting' || status === 'rejected' ? status : 'form'
}

/** Faults as a row holds them: JSON of our own. */
export const faultsIn = (text: string): readonly IdentityFaultFound[] =>
  text === '' ? [] : (JSON.parse(text) as IdentityFaultFound[])

/** A number without what people write differently. */
const plainNumber = (number: string): string =>
  number
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/** By which the same number of somebody else's document is found, without opening any. */
export const identityMark = (vault: Pick<Vault, 'fingerprint'>, number: string): string =>
  vault.fingerprint(plainNumber(number), 'identity_check.number')
