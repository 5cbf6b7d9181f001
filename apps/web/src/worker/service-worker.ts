/**
 * The service worker: opens the app without a connection, and shows pushed notices. It answers for the page itself and for the
 * files of its own build; every other request (API, desk, pictures) passes as if there were no worker. No page with prices in it
 * is ever stored.
 */
import { LANGUAGE_CODES } from '../i18n/language.ts'
import type { PushedNotice } from '@fairlot/contract'
import { noticePath } from '../live/account/notice-path.ts'
import type { FromWorker, ToWorker } from '../live/device/worker-messages.ts'

/** A file of the build. `revision` is null where the name itself changes with the contents. */
type BuiltFile = { readonly url: string; readonly revision: string | null }

declare const self: ServiceWorkerGlobalScope & { readonly __WB_MANIFEST: readonly BuiltFile[] }

const CACHE = 'fairlot-files'
/** The page without prices, shown when the server does not answer. */
const SHELL = '/index.html'
/** After this the shell is shown and the answer of the server is dropped. */
const PAGE_WITHIN_MS = 2_000

const FILES = new Map(self.__WB_MANIFEST.map((file) => [`/${file.url}`, file]))

/** Where a file is stored; those of different builds never share a place. */
const keyOf = ({ url, revision }: BuiltFile): string =>
  revision === null ? `/${url}` : `/${url}?revision=${revision}`

/** The language of a file of texts; null for any other file. */
function languageOf({ url }: BuiltFile): string | null {
  const name = /^assets\/([a-z]+)-/.exec(url)?.[1]
  return LANGUAGE_CODES.find((code) => code === name) ?? null
}

const storedKeys = async (cache: Cache): Promise<ReadonlySet<string>> =>
  new Set(
    (await cache.keys()).map(({ url }) => {
      const { pathname, search } = new URL(url)
      return pathname + search
    }),
  )

/** Stores files one after the other, so that the screen comes first. Stores none of them when one fails. */
async function store(files: readonly BuiltFile[]): Promise<void> {
  const cache = await caches.open(CACHE)
  const known = await storedKeys(cache)
  const added: string[] = []
  try {
    for (const file of files.filter((each) => !known.has(keyOf(each)))) {
      const response = await fetch(`/${file.url}`, { priority: 'low' })
      if (!response.ok) throw new Error(`${file.url} could not be loaded: HTTP ${response.status}`)
      added.push(keyOf(file))
      await cache.put(keyOf(file), response)
    }
  } catch (error) {
    // A full storage would otherwise stay full.
    await Promise.all(added.map((key) => cache.delete(key)))
    throw error
  }
}

/** All files of this build, with the texts of some languages only. The shell comes last: it opens nothing without the others. */
const filesFor = (languages: ReadonlySet<string | null>): readonly BuiltFile[] =>
  [...FILES.values()]
    .filter((file) => languageOf(file) === null || languages.has(languageOf(file)))
    .toSorted((one, other) => Number(`/${one.url}` === SHELL) - Number(`/${other.url}` === SHELL))

/**
 * A new version is complete before it is offered, with the texts of every language that this device has used. The first one
 * starts at once, so that pushes need not wait for its files: they follow when the app asks for them.
 */
async function install(): Promise<void> {
  if (!self.registration.active) return
  const known = await storedKeys(await caches.open(CACHE))
  await store(filesFor(new Set([...known].map((key) => languageOf({ url: key.slice(1), revision: null })))))
}

/** Removes the files of earlier builds. */
async function activate(): Promise<void> {
  await self.registration.navigationPreload?.enable()
  const cache = await caches.open(CACHE)
  const current = new Set([...FILES.values()].map(keyOf))
  const old = [...(await storedKeys(cache))].filter((key) => !current.has(key))
  await Promise.all(old.map((key) => cache.delete(key)))
  await self.clients.claim()
}

async function stored(path: string): Promise<Response | undefined> {
  const file = FILES.get(path)
  return file && (await caches.open(CACHE)).match(keyOf(file))
}

/** Windows that show the shell: their files come from the device, too, since the connection may hang. */
const onShell = new Set<string>()

/** The page of the server, or the shell when there is no good answer in time. */
async function page(event: FetchEvent): Promise<Response> {
  const answer = pageOfServer(event)
  event.waitUntil(answer.catch(() => undefined))
  const late = new Promise<null>((resolve) => setTimeout(resolve, PAGE_WITHIN_MS, null))
  const inTime = await Promise.race([answer.catch(() => null), late])
  // A proxy answers 502 or 503 while the server restarts.
  if (inTime && inTime.status < 500) return inTime
  const shell = await stored(SHELL)
  if (!shell) return answer
  onShell.add(event.resultingClientId)
  return shell
}

const pageOfServer = async (event: FetchEvent): Promise<Response> =>
  ((await event.preloadResponse) as Response | undefined) ?? fetch(event.request)

/** A file of this build: from the device if its name is unique, else from the server while that answers. */
async function file({ url, revision }: BuiltFile, { request, clientId }: FetchEvent): Promise<Response> {
  const kept = await stored(`/${url}`)
  if (!kept) return fetch(request)
  return revision === null || onShell.has(clientId) ? kept : fetch(request).catch(() => kept)
}

self.addEventListener('install', (event) => event.waitUntil(install()))
self.addEventListener('activate', (event) => event.waitUntil(activate()))

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (request.mode === 'navigate') {
    if (pathname === '/') event.respondWith(page(event))
    return
  }
  const built = FILES.get(pathname)
  if (built) event.respondWith(file(built, event))
})

self.addEventListener('message', (event) => {
  const message = event.data as ToWorker
  // Only at the user's press: another window may be in the middle of something.
  if (message.type === 'activate') event.waitUntil(self.skipWaiting())
  // Where the storage is full the app opens only with a connection, as it does without a worker.
  if (message.type === 'prepare')
    event.waitUntil(store(filesFor(new Set([message.language]))).catch(() => undefined))
})

self.addEventListener('push', (event) => {
  const notice = noticeIn(event.data)
  event.waitUntil(
    self.registration.showNotification(notice.title, {
      body: notice.text,
      tag: notice.id,
      lang: notice.lang,
      dir: 'auto',
      icon: '/icon-192.png',
      badge: '/icon-badge.png',
      data: noticePath({ ...notice, newsId: null }),
    }),
  )
})

const UNREADABLE: PushedNotice = {
  id: 'notice',
  kind: 'news',
  group: 'news',
  title: 'Fairlot',
  text: '',
  orderId: null,
  lang: 'en',
}

/** A browser withdraws the permission of an app that shows nothing, so an unreadable message is shown as well. */
function noticeIn(data: PushMessageData | null): PushedNotice {
  try {
    return data?.json() as PushedNotice
  } catch {
    return UNREADABLE
  }
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(String(event.notification.data)))
})

/** Shows a screen in an open window of the app, which keeps what is on its other screens, else in a new window. */
async function open(path: string): Promise<void> {
  const [shown] = await self.clients.matchAll({ type: 'window' })
  if (!shown) return void (await self.clients.openWindow(`/#${path}`))
  // Where the browser does not let us, the screen changes behind.
  await shown.focus().catch(() => undefined)
  shown.postMessage({ type: 'open', path } satisfies FromWorker)
}
