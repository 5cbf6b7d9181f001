import { randomUUID } from 'node:crypto'
import type { Queries } from './database.ts'

/** Activities of users on their own accounts, which they can review later. */
export type ActivityKind =
  | 'registered'
  | 'loggedIn'
  | 'loggedOutEverywhere'
  | 'passwordChanged'
  | 'passwordReset'
  | 'secondFactorOn'
  | 'secondFactorOff'
  | 'passkeyAdded'
  | 'passkeyRemoved'
  | 'recoveryCodesRenewed'
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

/** Records an activity of a user; `within` is the transaction of the activity, if there is one. */
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
