import type { Transaction } from 'kysely'
import type { Queries } from '../database/open.ts'
import type { Tables } from '../database/schema.ts'
import type { Engine } from '../engine/engine.ts'
import type { Refusal } from '../http/refusal.ts'
import type { Addressee, Notifier } from '../notifications/notifier.ts'

/** A picture that the user has uploaded. */
export type OwnPicture = {
  readonly key: string
  /** SHA-256 of the bytes that came, in hex. */
  readonly originalSha256: string
  /** The case that it belongs to, such as `deposit:7`; null for none yet. */
  readonly usedBy: string | null
}

/** Pictures as proofs of deposits. */
export type Proofs = {
  /** Null for whatever is no picture of this user. */
  ownPictureOf(url: string, userId: number): Promise<OwnPicture | null>
  /** Keeps it for a case; false when it belongs to another one. */
  tie(within: Transaction<Tables>, key: string, caseKey: string): Promise<boolean>
}

/** What payments work with; what belongs to other areas is handed over by `app.ts`. */
export type PaymentServices = {
  readonly queries: Queries
  readonly engine: Engine
  readonly notifier: Notifier
  /** Real time, epoch ms. */
  readonly now: () => number
  readonly settings: { readonly payout_wait_hours: number; readonly unverified_may_withdraw: number }
  /** Where news about an account go; null for nobody. */
  readonly contactOf: (userId: number) => Promise<Addressee | null>
  /** Null when a code is right, or none is asked for; else why not. */
  readonly checkSecondFactor: (userId: number, authCode: string | null) => Promise<Refusal | null>
  /** The same where, without a second factor, the password is asked for. */
  readonly checkIdentity: (
    userId: number,
    password: string | null,
    authCode: string | null,
  ) => Promise<Refusal | null>
  readonly proofs: Proofs
  /** Something waits to be decided, or does not any more. */
  readonly onSent: () => void
}
