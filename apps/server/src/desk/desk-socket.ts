import { DESK_SOCKET_PATH } from '@fairlot/contract/desk'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refused, translatorOf } from '../platform/http/api.ts'
import { networkOf } from '../platform/network-address.ts'
import { createConcurrencyLimit } from '../platform/rate-limits.ts'
import { refuse } from '../platform/refusal.ts'
import { secretHash } from '../platform/security/secrets.ts'
import { isOwnOrigin } from '../platform/sockets/own-origin.ts'
import type { ServerSocket } from '../platform/sockets/protocol/server-socket.ts'
import { operatorOf } from './desk-api.ts'
import type { DeskSessions } from './operators/desk-sessions.ts'
import type { DeskOperator } from './operators/operators.ts'

/** What a page of the desk may have to fetch again: the first segment after `/desk/api/` in the path of its calls. */
export type DeskTopic =
  | 'waiting'
  | 'people'
  | 'market'
  | 'content'
  | 'copying'
  | 'messages'
  | 'acts'
  | 'operators'
  | 'settings'
  | 'payments'
  | 'support'

/** An open page of the desk. */
export type OpenPage = {
  readonly operator: DeskOperator
  readonly tokenHash: string
  readonly send: (text: string) => void
  readonly close: () => void
  /** The case it shows, such as `approval:3`. */
  viewing: string | null
}

/** Publishes to the open pages what changed and who views the same case. Pages fetch the data themselves. */
export type DeskHub = {
  add(page: OpenPage): () => void
  changed(...topics: DeskTopic[]): void
  view(page: OpenPage, caseKey: string | null): void
  /** Closes the pages of a session that has ended. */
  closeSession(tokenHash: string): void
}

/** Changes within this time are published together, ms. */
const BATCH_MS = 250

export function createDeskHub(): DeskHub {
  const pages = new Set<OpenPage>()
  const unpublished = new Set<DeskTopic>()
  let timer: NodeJS.Timeout | null = null

  const publish = () => {
    timer = null
    const text = JSON.stringify({ type: 'changed', topics: [...unpublished] })
    unpublished.clear()
    for (const page of pages) page.send(text)
  }
  const publishViewers = (caseKey: string | null) => {
    if (caseKey === null) return
    const viewers = [...pages].filter(({ viewing }) => viewing === caseKey)
    const operators = [...new Set(viewers.map(({ operator }) => operator.name))]
    const text = JSON.stringify({ type: 'viewing', caseKey, operators })
    for (const page of viewers) page.send(text)
  }
  const view = (page: OpenPage, caseKey: string | null) => {
    const before = page.viewing
    page.viewing = caseKey
    publishViewers(before)
    publishViewers(caseKey)
  }

  return {
    add: (page) => {
      pages.add(page)
      return () => {
        pages.delete(page)
        publishViewers(page.viewing)
      }
    },
    changed: (...topics) => {
      for (const topic of topics) unpublished.add(topic)
      timer ??= setTimeout(publish, BATCH_MS).unref()
    },
    view,
    closeSession: (tokenHash) => {
      for (const page of pages) if (page.tokenHash === tokenHash) page.close()
    },
  }
}

/** The most open pages for each address. */
const SOCKETS_PER_ADDRESS = 50
/** A page that has not logged in after this time is closed, ms. */
const LOG_IN_WITHIN_MS = 10_000
const HEARTBEAT_MS = 30_000
/** A case key, such as `approval:3`. */
const CASE_KEY = /^[a-zA-Z]{1,30}:\d{1,16}$/

type Setup = { readonly hub: DeskHub; readonly sessions: DeskSessions; readonly publicUrl: string | null }

/** Serves the socket of the desk: a page logs in with its token, reports which case it shows and receives changes. */
export function registerDeskSocket(server: FastifyInstance, { hub, sessions, publicUrl }: Setup): void {
  const startSocket = createConcurrencyLimit(SOCKETS_PER_ADDRESS)
  const open = new Set<ServerSocket>()
  server.get(DESK_SOCKET_PATH, { schema: { hide: true }, exposeHeadRoute: false }, (request, reply) => {
    const refuseWith = (reason: Parameters<typeof refuse>[0]) =>
      refused(reply, translatorOf(request), refuse(reason))
    if (!isOwnOrigin(request, publicUrl)) return refuseWith('originRefused')
    const release = startSocket(networkOf(request.ip))
    if (!release) return refuseWith('tooManyRequests')
    const socket = server.websocketServer.accept(request, reply)
    if (typeof socket === 'string') {
      release()
      return refuseWith(socket)
    }
    open.add(socket)
    socket.on('close', () => {
      open.delete(socket)
      release()
    })
    serve(socket, request, { hub, sessions })
    return reply
  })
  const stopClosing = sessions.onEnded((tokenHash) => hub.closeSession(tokenHash))
  const heartbeat = setInterval(() => {
    for (const socket of open) socket.ping()
  }, HEARTBEAT_MS)
  server.addHook('onClose', async () => {
    clearInterval(heartbeat)
    stopClosing()
  })
}

function serve(
  socket: ServerSocket,
  request: FastifyRequest,
  { hub, sessions }: Omit<Setup, 'publicUrl'>,
): void {
  let page: OpenPage | null = null
  let removePage = () => {}
  /** The token hash of the log-in in progress. */
  let pendingHash: string | null = null
  const stopWatching = sessions.onEnded((tokenHash) => {
    if (tokenHash === pendingHash) pendingHash = null
  })
  const logInTimeout = setTimeout(() => socket.close(), LOG_IN_WITHIN_MS)
  const logIn = async (token: string) => {
    const tokenHash = secretHash(token)
    pendingHash = tokenHash
    const session = await sessions.find(token, false)
    // Meanwhile the session may have ended or the page may have been closed.
    if (pendingHash !== tokenHash) return socket.close()
    if (!session || session.operator.totp_confirmed_at === null) return socket.close()
    clearTimeout(logInTimeout)
    removePage()
    page = {
      operator: operatorOf(session),
      tokenHash: session.tokenHash,
      viewing: null,
      send: (text) => socket.send(text),
      close: () => socket.close(),
    }
    removePage = hub.add(page)
    socket.send(JSON.stringify({ type: 'loggedIn' }))
  }
  socket.on('message', (text) => {
    const message = readMessage(text)
    if (message === null) return socket.close()
    if (message.type === 'ping') return socket.send(JSON.stringify({ type: 'pong' }))
    if (message.type === 'viewing') {
      if (page) hub.view(page, message.caseKey)
      return
    }
    logIn(message.token).catch((error: unknown) => {
      request.log.error({ err: error }, 'a socket of the desk failed')
      socket.close()
    })
  })
  socket.on('close', () => {
    clearTimeout(logInTimeout)
    pendingHash = null
    stopWatching()
    removePage()
  })
}

type Message =
  | { readonly type: 'ping' }
  | { readonly type: 'login'; readonly token: string }
  | { readonly type: 'viewing'; readonly caseKey: string | null }

function readMessage(text: string | null): Message | null {
  try {
    const raw: unknown = JSON.parse(text ?? '')
    if (typeof raw !== 'object' || raw === null || !('type' in raw)) return null
    if (raw.type === 'ping') return { type: 'ping' }
    if (raw.type === 'login' && 'token' in raw && typeof raw.token === 'string')
      return { type: 'login', token: raw.token }
    const caseKey = 'caseKey' in raw && typeof raw.caseKey === 'string' ? raw.caseKey : null
    if (raw.type !== 'viewing' || (caseKey !== null && !CASE_KEY.test(caseKey))) return null
    return { type: 'viewing', caseKey }
  } catch {
    return null
  }
}
