import { navigate } from '@fairlot/ui/navigation/router.tsx'
import { textLanguage } from '../../i18n/message-catalogue.ts'
import { useAppVersion } from '../device/app-version.ts'
import { currentLanguage, onLanguageChange } from '../device/language.ts'
import type { FromWorker, ToWorker } from '../device/worker-messages.ts'
import { onReconnected } from './server-connection.ts'

const FILE = '/service-worker.js'
/** A window that stays open looks for a new version at this interval, ms. */
const CHECK_EVERY_MS = 3_600_000
/** The page is reloaded after this even if the new version has not taken over, ms. */
const RELOAD_WITHIN_MS = 3_000

const send = (worker: ServiceWorker | null, message: ToWorker): void => worker?.postMessage(message)

let registering: Promise<ServiceWorkerRegistration | null> | null = null

/**
 * The registration of the service worker, which opens the app without a connection and shows pushed notices; made by the first
 * call. Null where the browser has no worker or refuses to store one: the app then works as without it.
 */
export const appWorker = (): Promise<ServiceWorkerRegistration | null> => (registering ??= register())

async function register(): Promise<ServiceWorkerRegistration | null> {
  if (!('serviceWorker' in navigator)) return null
  try {
    const registration = await navigator.serviceWorker.register(FILE, { updateViaCache: 'none' })
    watchUpdates(registration)
    prepare()
    navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
      if (data.type === 'open') navigate(data.path)
    })
    return registration
  } catch {
    return null
  }
}

/** Offers a new version; the running one stays until the user's press, in every window. */
function watchUpdates(registration: ServiceWorkerRegistration): void {
  const { serviceWorker } = navigator
  let isControlled = serviceWorker.controller !== null
  let isReloading = false
  const offer = () => {
    if (registration.waiting && isControlled) useAppVersion.setState({ update: 'ready' })
  }
  const reload = () => {
    if (!registration.waiting) return location.reload()
    isReloading = true
    send(registration.waiting, { type: 'activate' })
    setTimeout(() => location.reload(), RELOAD_WITHIN_MS)
  }
  serviceWorker.addEventListener('controllerchange', () => {
    if (isReloading) return location.reload()
    // Text that is being typed in this window would be lost by a reload that the user did not ask for here.
    if (isControlled) useAppVersion.setState({ update: 'replaced' })
    isControlled = true
  })
  registration.addEventListener('updatefound', () => {
    const { installing } = registration
    installing?.addEventListener('statechange', () => installing.state === 'installed' && offer())
  })
  offer()
  useAppVersion.setState({ reload })
  let checkedAt = performance.now()
  const check = () => {
    checkedAt = performance.now()
    registration.update().catch(() => undefined)
  }
  // A lost connection may have been a server that was replaced.
  onReconnected(check)
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && performance.now() - checkedAt >= CHECK_EVERY_MS) check()
  })
}

/** Lets the worker store the app with the texts of the chosen language, where it has not yet. */
function prepare(): void {
  const ask = async () => {
    const { active } = await navigator.serviceWorker.ready
    send(active, { type: 'prepare', language: textLanguage(currentLanguage()) })
  }
  void ask()
  onLanguageChange(() => void ask())
}
