import type { Transaction } from 'kysely'
import type { Queries } from '../database/open.ts'
import type { Tables } from '../database/schema.ts'
import type { Vault } from '../database/vault.ts'

/** A picture that the user has uploaded. */
type OwnPicture = {
  readonly key: string
  /** SHA-256 of the bytes that came, in hex. */
  readonly originalSha256: string
  /** The case that it belongs to; null for none yet. */
  readonly usedBy: string | null
}

/** What the check of identities works with; what belongs to other areas is handed over by `app.ts`. */
export type IdentityServices = {
  readonly queries: Queries
  readonly vault: Vault
  /** Real time, epoch ms. */
  readonly now: () => number
  readonly limits: { readonly checksPerDay: number }
  readonly pictures: {
    /** Null for whatever is no picture of this user. */
    ownPictureOf(url: string, userId: number): Promise<OwnPicture | null>
    /** Keeps it for a case; false when it belongs to another one. */
    tie(within: Transaction<Tables>, key: string, caseKey: string): Promise<boolean>
  }
  /** Something waits to be looked at. */
  readonly onSent: () => void
}
