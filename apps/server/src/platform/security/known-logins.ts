import type { Queries } from '../database/open.ts'
import { secretHash } from './secrets.ts'
import { networkOf } from '../network-address.ts'

/** Where a request comes from. `network` is the part of the address that limits are counted by. */
export type Origin = { readonly address: string; readonly device: string; readonly network: string }

/** A hash of a browser and its network: known log-ins are stored under it. */
export const fingerprintOf = ({ network, device }: Pick<Origin, 'network' | 'device'>): string =>
  secretHash(`${network} ${device}`)

/** Stores the origin of a log-in; true when the user has not logged in from it before. `at` is epoch ms. */
export async function saveOrigin(
  userId: number,
  origin: Origin,
  at: number,
  queries: Queries,
): Promise<boolean> {
  const added = await queries
    .insertInto('known_login')
    .values({
      user_id: BigInt(userId),
      fingerprint: fingerprintOf(origin),
      at: BigInt(Math.floor(at)),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  return added !== undefined
}

/** True when the user has logged in from this browser and network before. */
export async function isKnownBrowser(
  queries: Queries,
  userId: number,
  fingerprint: string,
): Promise<boolean> {
  const known = await queries
    .selectFrom('known_login')
    .select('user_id')
    .where('user_id', '=', BigInt(userId))
    .where('fingerprint', '=', fingerprint)
    .executeTakeFirst()
  return known !== undefined
}

/** Activities that prove that a network belongs to the user. */
const OWN_KINDS = ['loggedIn', 'registered', 'passwordChanged']
const LATEST_MAX = 500

/**
 * A name for the origin of a request if the user has logged in from it before: the browser in its network, or else the
 * network alone. Null for an unknown origin. The same queries run when there is no such account (`userId` 0), so that
 * the response time reveals nothing.
 */
export async function knownPlace(queries: Queries, userId: number, origin: Origin): Promise<string | null> {
  const fingerprint = fingerprintOf(origin)
  const isBrowserKnown = await isKnownBrowser(queries, userId, fingerprint)
  const logins = await queries
    .selectFrom('user_activity')
    .select('address')
    .where('user_id', '=', BigInt(userId))
    .where('kind', 'in', OWN_KINDS)
    .orderBy('at', 'desc')
    .limit(LATEST_MAX)
    .execute()
  if (isBrowserKnown) return `browser ${fingerprint}`
  return logins.some(({ address }) => networkOf(address) === origin.network)
    ? `network ${secretHash(origin.network)}`
    : null
}
