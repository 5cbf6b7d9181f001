import { ACCESS } from '../protocol/access.ts'
import type { Infer } from '../protocol/codec.ts'
import { defineEndpoint } from '../protocol/endpoint.ts'
import { nothing } from '../protocol/field.ts'
import type { NoticeRow } from './notices.ts'
import { pushDeviceId, pushDevices, pushKey, pushSubscription } from './push.wire.ts'

export type PushSubscription = Infer<typeof pushSubscription>
export type PushDevice = Infer<typeof pushDevices>['devices'][number]

/** The payload of a pushed notice, which the service worker shows. */
export type PushedNotice = Pick<NoticeRow, 'kind' | 'group' | 'title' | 'text' | 'orderId'> & {
  /** A notice of the same id replaces the earlier one. */
  readonly id: string
  /** BCP 47 tag of its texts. */
  readonly lang: string
}

export const getPushKey = defineEndpoint({
  name: 'getPushKey',
  method: 'GET',
  path: '/api/push/key',
  access: ACCESS.session,
  request: nothing,
  response: pushKey,
  summary: 'The public key of this server (VAPID), by which a browser subscribes to pushed notices',
})

export const addPushDevice = defineEndpoint({
  name: 'addPushDevice',
  method: 'POST',
  path: '/api/push/subscribe',
  access: ACCESS.session,
  request: pushSubscription,
  response: nothing,
  summary:
    'Pushes notices to this browser, in the language of the call, until its session ends; a subscription sent again is renewed',
})

export const listPushDevices = defineEndpoint({
  name: 'listPushDevices',
  method: 'GET',
  path: '/api/push/devices',
  access: ACCESS.session,
  request: nothing,
  response: pushDevices,
  summary: 'The browsers that notices are pushed to, the latest first',
})

export const removePushDevice = defineEndpoint({
  name: 'removePushDevice',
  method: 'POST',
  path: '/api/push/remove',
  access: ACCESS.session,
  request: pushDeviceId,
  response: nothing,
  summary: 'Pushes nothing to a browser any more; one that is not on the list needs no removal',
})
