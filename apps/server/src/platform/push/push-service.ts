import { ECDH } from 'node:crypto'
import type { LookupFunction } from 'node:net'
import { request as requestHttps } from 'node:https'
import type { PushSubscription } from '@fairlot/contract'
import { vapidSecret } from '../database/data-key.ts'
import type { Queries } from '../database/open.ts'
import type { Vault } from '../database/vault.ts'
import { request as requestHttp } from '../http/node-http.ts'
import { isPublicAddress, lookupAllowed, mayBeFetched } from '../http/public-address.ts'
import { webPush } from '../lazy-packages.ts'
import { Undeliverable, type Sender } from '../mail/outbox.ts'

/** The longest address of a push service that is stored, in characters; those in use have some 200. */
const ENDPOINT_LENGTH_MAX = 1_000
/** RFC 8291: an uncompressed point of P-256, and a secret of 128 bits. */
const PUBLIC_KEY_BYTES = 65
const SECRET_BYTES = 16
const LOOPBACK = '127.0.0.1'
const SEND_WITHIN_MS = 10_000
/** A push service keeps a message for a device that is off this long, seconds; later it would only confuse. */
const KEEP_FOR_S = 4 * 3_600

/** Sends web pushes (RFC 8030, 8291, 8292) to the browsers that subscribed. */
export type PushService = {
  /** The public key of this deployment, base64url; the pair is generated once. */
  publicKey(): Promise<string>
  /** Whether the endpoint of a subscription, judging by its text, is a service on the public internet. */
  isEndpoint(endpoint: string): boolean
  /** Sends a body to the subscription whose id is the recipient. Removes subscriptions that their service has given up. */
  readonly send: Sender
}

type Options = {
  readonly queries: Queries
  readonly vault: Vault
  readonly now: () => number
  /** For tests: endpoints may be `http://127.0.0.1`. */
  readonly allowsLoopback: boolean
  /** How a push service reaches the operator of this deployment: a `mailto:` or `https:` address. */
  readonly contact: () => string
}

type Keys = { readonly publicKey: string; readonly privateKey: string }

export function createPushService({ queries, vault, now, allowsLoopback, contact }: Options): PushService {
  const isAllowed = (address: string) => isPublicAddress(address) || (allowsLoopback && address === LOOPBACK)
  const isEndpoint = (endpoint: string) =>
    endpoint.length <= ENDPOINT_LENGTH_MAX &&
    (endpoint.startsWith('https:') || (allowsLoopback && URL.parse(endpoint)?.hostname === LOOPBACK)) &&
    mayBeFetched(endpoint, isAllowed)
  const lookup = lookupAllowed(isAllowed)
  let keys: Promise<Keys> | null = null
  const keysOnce = () =>
    (keys ??= readKeys(queries, vault, now()).catch((error: unknown) => {
      keys = null
      throw error
    }))
  return {
    publicKey: async () => (await keysOnce()).publicKey,
    isEndpoint,
    send: async ({ recipient, body }) => {
      const device = await findDevice(queries, recipient)
      if (!device) throw new Undeliverable('the device is not on the list any more')
      const { endpoint, p256dh, auth } = device
      // The address may have been stored while the setting for tests was on.
      if (!isEndpoint(endpoint)) throw new Undeliverable('the address of the push service is refused')
      const details = webPush().generateRequestDetails({ endpoint, keys: { p256dh, auth } }, body, {
        vapidDetails: { subject: contact(), ...(await keysOnce()) },
        TTL: KEEP_FOR_S,
        urgency: 'high',
      })
      const status = await post(details, lookup)
      if (status >= 200 && status < 300) return
      const problem = `the push service answered HTTP ${status}`
      if (status === 404 || status === 410) {
        await queries.deleteFrom('push_subscription').where('id', '=', recipient).execute()
        throw new Undeliverable(problem)
      }
      if (status !== 429 && status < 500) throw new Undeliverable(problem)
      throw new Error(problem)
    },
  }
}

/** A subscription whose session has ended receives nothing. */
const findDevice = (queries: Queries, id: string) =>
  queries
    .selectFrom('push_subscription')
    .innerJoin('session', 'session.token_hash', 'push_subscription.session')
    .select(['endpoint', 'p256dh', 'auth'])
    .where('push_subscription.id', '=', id)
    .executeTakeFirst()

/** The keys of this deployment. Of two servers that start at once the first decides. */
async function readKeys(queries: Queries, vault: Vault, at: number): Promise<Keys> {
  const select = queries.selectFrom('push_key').selectAll()
  const known = await select.executeTakeFirst()
  if (!known) await generateKeys(queries, vault, at)
  const row = known ?? (await select.executeTakeFirstOrThrow())
  return { publicKey: row.public_key, privateKey: vault.open(row.private_key, vapidSecret(row.id)) }
}

async function generateKeys(queries: Queries, vault: Vault, at: number): Promise<void> {
  const { publicKey, privateKey } = webPush().generateVAPIDKeys()
  const row = {
    id: 1n,
    public_key: publicKey,
    private_key: vault.seal(privateKey, vapidSecret(1n)),
    created_at: BigInt(Math.floor(at)),
  }
  await queries
    .insertInto('push_key')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

type Details = ReturnType<ReturnType<typeof webPush>['generateRequestDetails']>

/** Posts to a checked address and returns the HTTP status. Redirects are not followed. */
const post = ({ endpoint, headers, body }: Details, lookup: LookupFunction): Promise<number> =>
  new Promise((resolve, reject) => {
    const send = endpoint.startsWith('https:') ? requestHttps : requestHttp
    const signal = AbortSignal.timeout(SEND_WITHIN_MS)
    const request = send(
      endpoint,
      { method: 'POST', headers: headers as Record<string, string>, agent: false, lookup, signal },
      (answer) => {
        answer.destroy()
        resolve(answer.statusCode ?? 0)
      },
    )
    request.on('error', reject)
    request.end(body)
  })

/** Whether the keys of a subscription can be encrypted to: a point of the curve and a secret of the right length. */
export function areKeysValid({ publicKey, secret }: Pick<PushSubscription, 'publicKey' | 'secret'>): boolean {
  const isText = /^[A-Za-z0-9_-]{1,100}$/
  if (!isText.test(publicKey) || !isText.test(secret)) return false
  const point = Buffer.from(publicKey, 'base64url')
  if (point.length !== PUBLIC_KEY_BYTES || Buffer.from(secret, 'base64url').length !== SECRET_BYTES)
    return false
  try {
    // Throws for a point that is not on the curve.
    ECDH.convertKey(point, 'prime256v1')
    return true
  } catch {
    return false
  }
}
