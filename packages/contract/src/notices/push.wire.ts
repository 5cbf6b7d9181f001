import { object } from '../protocol/codec.ts'
import { flag, listOf, text, time } from '../protocol/field.ts'

/** The server's public key, by which a browser subscribes: 65 bytes in base64url. */
export const pushKey = object({ key: ['key', text] })

/** A browser's subscription: where to send, and the keys of the browser in base64url. */
export const pushSubscription = object({
  endpoint: ['endpoint', text],
  publicKey: ['p256dh', text],
  secret: ['auth', text],
})

const pushDevice = object({
  id: ['id', text],
  /** The browser's User-Agent. */
  device: ['device', text],
  addedAt: ['time', time],
  /** Added in the session of this call. */
  isCurrent: ['is_current', flag(1, 0)],
})

export const pushDevices = object({ devices: ['data', listOf(pushDevice)] })

export const pushDeviceId = object({ id: ['id', text] })
