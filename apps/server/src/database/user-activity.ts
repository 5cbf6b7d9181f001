import { randomUUID } from 'node:crypto'
import type { Queries } from './database.ts'

/** What users do about their own accounts that they can read again later. */
export type ActivityKind =
  | 'registered'
  | 'loggedIn'
  | 'loggedOutEverywhere'
  | 'passwordChanged'
  | 'passwordReset'
  | 'secondFactorOn'
  | 'secondFactorOff'
  | 'languageChosen'
  | 'sessionEnded'
  | 'methodBound'
  | 'methodRemoved'
  | 'dataTaken'
  | 'accountClosed'

export type Activity = {
  readonly userId: number
  readonly kind: ActivityKind
  /** Real time, epoch ms. */
  readonly at: number
  readonly device: string
  readonly address: string
}

/** Writes down what a user did; `within` is the transaction that does it, where there is one. */
export async function noteActivity(
  within: Queries,
  { userId, kind, at, device, address }: Activity,
): Promise<void> {
  await within
    .insertInto('user_activity')
    .values({
      id: randomUUID(),
      user_id: BigInt(userId),
      at: BigInt(Math.floor(at)),
      kind,
      device,
      address,
      times: 1n,
    })
    .execute()
}
