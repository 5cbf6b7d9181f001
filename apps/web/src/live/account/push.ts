import {
  addPushDevice,
  getPushKey,
  listPushDevices,
  type PushDevice,
  removePushDevice,
} from '@fairlot/contract'
import { useQuery } from '@tanstack/react-query'
import { appWorker } from '../connection/app-worker.ts'
import { onLanguageChange } from '../device/language.ts'
import { currentToken, onTokenChange } from '../device/token.ts'
import { fetchAgain } from '../requests/query-client.ts'
import { request } from '../requests/request.ts'

/**
 * Whether notices are pushed to this browser. `install`: an iPhone or iPad pushes only to an app on its home screen. `denied`:
 * the user has blocked it in the browser.
 */
export type PushState = 'unsupported' | 'install' | 'denied' | 'off' | 'on'

/** The outcome of switching pushes on; `dismissed`: the user closed the browser's question. */
export type SwitchedOn = 'on' | 'denied' | 'dismissed' | 'failed'

const DEVICES_KEY = ['user', 'push', 'devices']
const STATE_KEY = ['user', 'push', 'here']

const isApple = (): boolean =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  // An iPad presents itself as a Mac.
  (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)

/** The subscription of this browser; null without one. Never asks the user. */
async function subscriptionHere(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker?.getRegistration()
  return (await registration?.pushManager?.getSubscription()) ?? null
}

async function stateHere(): Promise<PushState> {
  if (!('serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis))
    return isApple() ? 'install' : 'unsupported'
  if (Notification.permission === 'denied') return 'denied'
  return Notification.permission === 'granted' && (await subscriptionHere()) ? 'on' : 'off'
}

/** Whether notices are pushed to this browser; undefined before it is known. */
export const usePushState = (): PushState | undefined =>
  useQuery({ queryKey: STATE_KEY, queryFn: stateHere, staleTime: 0 }).data

/** The browsers that notices are pushed to; undefined before the first response. */
export const usePushDevices = (): readonly PushDevice[] | undefined =>
  useQuery({
    queryKey: DEVICES_KEY,
    queryFn: async ({ signal }) => (await request(listPushDevices, null, { signal, isSilent: true })).devices,
  }).data

const refresh = (): Promise<unknown> => fetchAgain({ queryKey: ['user', 'push'] })

/** Asks for the permission and subscribes. Called by a tap: browsers ignore a question without one. */
export async function switchPushOn(): Promise<SwitchedOn> {
  const permission = await Notification.requestPermission()
  if (permission !== 'granted') {
    await refresh()
    return permission === 'denied' ? 'denied' : 'dismissed'
  }
  try {
    const [{ key }, registration] = await Promise.all([
      request(getPushKey, null, { isSilent: true }),
      appWorker(),
    ])
    if (!registration) return 'failed'
    await navigator.serviceWorker.ready
    await send(await subscribe(registration.pushManager, key), false)
    return 'on'
  } catch {
    // The browser's push service cannot be reached, or the server could not be.
    await unsubscribeHere()
    return 'failed'
  } finally {
    await refresh()
  }
}

/** Subscribes again when the browser has a subscription for another key of the server. */
async function subscribe(manager: PushManager, key: string): Promise<PushSubscription> {
  const options = { userVisibleOnly: true, applicationServerKey: key }
  try {
    return await manager.subscribe(options)
  } catch (error) {
    const old = await manager.getSubscription()
    if (!old) throw error
    await old.unsubscribe()
    return manager.subscribe(options)
  }
}

async function send(subscription: PushSubscription, isInitial: boolean): Promise<void> {
  const { endpoint = '', keys = {} } = subscription.toJSON()
  const { p256dh: publicKey = '', auth: secret = '' } = keys
  await request(addPushDevice, { endpoint, publicKey, secret }, { isSilent: true, isInitial })
}

/** Switches pushes to this browser off. Rejects when the server could not be told; the message was already shown. */
export async function switchPushOff(id: string | null): Promise<void> {
  await unsubscribeHere()
  if (id !== null) await request(removePushDevice, { id })
  await refresh()
}

/** Switches pushes to another browser off. Rejects as above. */
export async function removeDevice(id: string): Promise<void> {
  await request(removePushDevice, { id })
  await refresh()
}

const unsubscribeHere = async (): Promise<void> => {
  await (await subscriptionHere().catch(() => null))?.unsubscribe().catch(() => false)
}

/**
 * Renews the subscription at the start and when the language changes, since browsers replace subscriptions by themselves, and ends
 * it with the session: the next user of this browser has to ask for pushes again. Called once.
 */
export function startPush(): void {
  const renew = async () => {
    const subscription = currentToken() === null ? null : await subscriptionHere()
    if (subscription) await send(subscription, true)
  }
  const tryToRenew = () => void renew().catch(() => undefined)
  tryToRenew()
  onLanguageChange(tryToRenew)
  onTokenChange(() => void unsubscribeHere())
}
