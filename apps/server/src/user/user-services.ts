import type { OwnProof } from '@fairlot/contract'
import type { Queries } from '../database/open.ts'
import type { Vault } from '../database/vault.ts'
import type { Engine } from '../engine/engine.ts'
import type { Refusal } from '../http/refusal.ts'
import type { Sessions, SessionUser } from '../http/login-sessions.ts'
import type { Addressee, Notifier } from '../notifications/notifier.ts'

/** What taking one's data and closing an account work with. */
export type OwnDataServices = {
  readonly queries: Queries
  readonly engine: Engine
  readonly sessions: Sessions
  readonly vault: Vault
  readonly notifier: Notifier
  readonly settings: { readonly data_downloads_per_day: number; readonly closing_left_max: number }
  /** Real time, epoch ms. */
  readonly now: () => number
  readonly onError: (error: unknown, doing: string) => void
  readonly instrumentOf: (id: number) => { readonly code: string; readonly priceDecimals: number }
  readonly contactOf: (userId: number) => Promise<Addressee | null>
  /** Null when it is the user who asks; a demo account has nothing to show for it but its session. */
  readonly checkProof: (user: SessionUser, proof: OwnProof) => Promise<Refusal | null>
  /** The bytes of a picture of this very user; null for anything else. */
  readonly pictureOf: (userId: number, key: string) => Promise<Buffer | null>
}
