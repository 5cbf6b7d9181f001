/** The tables of web push. */

/** A browser that notices are pushed to. */
export type PushSubscriptionTable = {
  id: string
  user_id: bigint
  /** The hash of the session in which it was added; it ends with that session. */
  session: string
  /** The address at the browser's push service. Useless without our private key, as are the two keys. */
  endpoint: string
  p256dh: string
  auth: string
  /** The language of its texts, and its User-Agent. */
  language: string
  device: string
  created_at: bigint
}

/** The key pair by which push services know this deployment (VAPID): a single row. The private key is encrypted. */
export type PushKeyTable = { id: bigint; public_key: string; private_key: string; created_at: bigint }

export type PushTables = { push_subscription: PushSubscriptionTable; push_key: PushKeyTable }
