import { deviceName } from '@fairlot/contract'
import { sql } from 'kysely'
import type { Queries } from '../database/open.ts'
import { secretHash } from '../http/login-sessions.ts'
import { maskedAddress, networkOf } from '../http/rate-limits.ts'

/** What was wrong: the password, or after the right password the code of the second factor. */
export type FailedKind = 'logInFailed' | 'logInCodeWrong'

const HOUR_MS = 3_600_000
const KEPT_MS = 90 * 24 * HOUR_MS
/** Rows of one account and kind in an hour: a row for each network, and one for all further networks. */
const NETWORKS_MAX = 10

type Failed = {
  readonly address: string
  readonly device: string
  readonly userId: number
  readonly kind: FailedKind
  /** Epoch ms. */
  readonly at: number
}

/**
 * Writes down that somebody could not log in to an account: once for each hour and network, with a count. However many try from however many
 * networks, an account has at most 22 rows of an hour, and none for longer than 90 days.
 */
export async function noteFailedLogin(
  queries: Queries,
  { userId, kind, at, ...origin }: Failed,
): Promise<void> {
  const user_id = BigInt(userId)
  const hour = Math.floor(at / HOUR_MS)
  const idOf = (place: string) => `${kind} ${userId} ${hour} ${place}`
  const ofKind = queries.selectFrom('user_activity').select('id').where('user_id', '=', user_id)
  const noted = await ofKind
    .where('kind', '=', kind)
    .where('at', '>=', BigInt(hour * HOUR_MS))
    .execute()
  const own = idOf(secretHash(networkOf(origin.address)).slice(0, 16))
  const isShown = noted.length < NETWORKS_MAX || noted.some(({ id }) => id === own)
  const place = isShown
    ? { device: deviceName(origin.device) ?? '', address: maskedAddress(origin.address) }
    : { device: '', address: '' }
  const row = { user_id, kind, at: BigInt(Math.floor(at)), ...place }
  await queries
    .insertInto('user_activity')
    .values({ ...row, id: isShown ? own : idOf('elsewhere'), times: 1n })
    .onConflict((known) =>
      known.column('id').doUpdateSet({ ...row, times: sql<bigint>`user_activity.times + 1` }),
    )
    .execute()
  if (noted.length === 0) await forgetOld(queries, row, at - KEPT_MS)
}

const forgetOld = async (
  queries: Queries,
  { user_id, kind }: { readonly user_id: bigint; readonly kind: FailedKind },
  before: number,
): Promise<void> =>
  void (await queries
    .deleteFrom('user_activity')
    .where('user_id', '=', user_id)
    .where('kind', '=', kind)
    .where('at', '<', BigInt(Math.floor(before)))
    .execute())
