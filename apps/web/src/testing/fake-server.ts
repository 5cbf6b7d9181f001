import {
  clientMessage,
  decode,
  encode,
  ENDPOINTS,
  refusalEnvelope,
  serverMessage,
  SOCKET,
  statusOf,
  successEnvelope,
} from '@fairlot/contract'
import type { ClientMessage, Endpoint, RefusalDetails, RefusalReason, ServerMessage } from '@fairlot/contract'

type Reply = { readonly status: number; readonly body: string }
type Replier = (input: unknown) => Reply | Promise<Reply>

/** A request with its headers: language, session and request id. */
type Call = { readonly input: unknown; readonly headers: Headers }

const asJson = (body: unknown, status = 200): Reply => ({ status, body: JSON.stringify(body) })

/** The fake server, which replaces `fetch` and sockets; it encodes all responses with the contract's codecs. */
const repliers = new Map<string, Replier>()
const gates = new Map<string, Promise<void>>()
const files = new Map<string, () => Promise<Response>>()
const fileRequests: { readonly url: URL; readonly headers: Headers }[] = []
const calls = new Map<string, Call[]>()
const received: ClientMessage[] = []
const sockets = new Set<FakeSocket>()
const unexpected: string[] = []
let isOnline = true

/** Sets the response of an endpoint: a value, or a function of the request. `message` is the envelope's message. */
export function answer<Input, Output>(
  endpoint: Endpoint<Input, Output>,
  value: Output | ((input: Input) => Output),
  message = '',
): void {
  const valueOf = (input: unknown): Output =>
    typeof value === 'function' ? (value as (input: Input) => Output)(input as Input) : value
  repliers.set(endpoint.name, (input) => asJson(successEnvelope(endpoint.response, valueOf(input), message)))
}

/** Rejects requests of an endpoint with this message. */
export const reject = (
  endpoint: Pick<Endpoint, 'name'>,
  reason: RefusalReason,
  sentence: string,
  details: RefusalDetails = {},
): void =>
  void repliers.set(endpoint.name, () => asJson(refusalEnvelope(reason, sentence, details), statusOf(reason)))

/** Breaks the connection on requests of an endpoint: there is no response. */
export const failConnection = (endpoint: Pick<Endpoint, 'name'>): void =>
  void repliers.set(endpoint.name, () => Promise.reject(new TypeError('Failed to fetch')))

/** Responds as a proxy in between would, with an HTML page. */
export const garble = (endpoint: Pick<Endpoint, 'name'>): void =>
  void repliers.set(endpoint.name, () => ({ status: 502, body: '<html>Bad gateway</html>' }))

/** Delays the responses of an endpoint until the returned function is called. */
export function hold(endpoint: Pick<Endpoint, 'name'>): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  gates.set(endpoint.name, promise)
  return () => {
    gates.delete(endpoint.name)
    resolve()
  }
}

/** Serves a file at a path once `ready` resolves; null breaks the connection there. */
export const file = (path: string, bytes: Blob | null, ready = Promise.resolve()): void =>
  void files.set(path, async () => {
    await ready
    if (!bytes) throw new TypeError('Failed to fetch')
    return new Response(bytes)
  })

/** The requests of a file so far, the oldest first. */
export const fileRequestsOf = (path: string) => fileRequests.filter(({ url }) => url.pathname === path)

/** The requests of an endpoint so far, the oldest first. */
export const inputsOf = <Input>(endpoint: Endpoint<Input, unknown>): readonly Input[] =>
  (calls.get(endpoint.name) ?? []).map(({ input }) => input as Input)

/** The headers of those requests. */
export const headersOf = (endpoint: Pick<Endpoint, 'name'>): readonly Headers[] =>
  (calls.get(endpoint.name) ?? []).map(({ headers }) => headers)

/** Pushes a message over every socket. */
export function push(message: ServerMessage): void {
  for (const socket of sockets) socket.deliver(message)
}

/** The messages received over the sockets so far. */
export const receivedMessages = (): readonly ClientMessage[] => received

/** Closes every socket and accepts no new one, as when the network is lost. */
export function loseConnections(): void {
  isOnline = false
  for (const socket of Array.from(sockets)) socket.fail()
}

/** Accepts sockets again. */
export const acceptConnections = (): void => void (isOnline = true)

/** Requests without a response set up by the test; each fails it. */
export const unexpectedCalls = (): readonly string[] => unexpected

/** Forgets responses and requests. Sockets stay open. */
export function resetServer(): void {
  for (const kept of [repliers, gates, calls, files]) kept.clear()
  received.length = 0
  fileRequests.length = 0
  unexpected.length = 0
  isOnline = true
}

class FakeSocket {
  onopen: (() => void) | null = null
  onclose: (() => void) | null = null
  onmessage: ((event: { data: string }) => void) | null = null
  private isOpen = false

  constructor() {
    setTimeout(() => (isOnline ? this.open() : this.fail()))
  }

  private open(): void {
    this.isOpen = true
    sockets.add(this)
    this.onopen?.()
  }

  deliver(message: ServerMessage): void {
    if (this.isOpen) this.onmessage?.({ data: JSON.stringify(encode(serverMessage, message)) })
  }

  send(text: string): void {
    const read = decode(clientMessage, JSON.parse(text))
    if (!read.ok) throw new Error(`The server does not understand ${text}`)
    received.push(read.value)
    // A response never arrives before the request has been sent.
    if (read.value.type === 'ping') queueMicrotask(() => this.deliver({ type: 'pong' }))
    if (read.value.type === 'login') queueMicrotask(() => this.deliver({ type: 'loginResult', code: 1 }))
  }

  close(): void {
    this.isOpen = false
    sockets.delete(this)
  }

  fail(): void {
    this.close()
    this.onclose?.()
  }
}

/** Replaces XMLHttpRequest for uploads: reports half of the bytes as sent, then responds as to any other request. */
class FakeUpload {
  readonly upload: { onprogress: ((event: { loaded: number; total: number }) => void) | null } = {
    onprogress: null,
  }
  onload: (() => void) | null = null
  onerror: (() => void) | null = null
  onabort: (() => void) | null = null
  status = 0
  responseText = ''
  private url = ''
  private readonly request = { method: '', headers: new Headers() }

  open(method: string, url: string): void {
    this.url = url
    this.request.method = method
  }

  setRequestHeader(name: string, value: string): void {
    this.request.headers.set(name, value)
  }

  send(): void {
    this.upload.onprogress?.({ loaded: 1, total: 2 })
    fetch(this.url, this.request).then(
      async (answer) => {
        this.status = answer.status
        this.responseText = await answer.text()
        this.onload?.()
      },
      () => this.onerror?.(),
    )
  }

  abort(): void {
    this.onabort?.()
  }
}

const realFetch = globalThis.fetch
const RealSocket = globalThis.WebSocket

/** Replaces `fetch` and sockets from now on. Requests that are not for the server go to the network. */
export function installFakes(): void {
  globalThis.fetch = (target, request) => {
    const url = new URL(target instanceof Request ? target.url : target, location.href)
    const found = files.get(url.pathname)
    if (found) {
      fileRequests.push({ url, headers: new Headers(request?.headers) })
      return found()
    }
    const endpoint = ENDPOINTS.find(({ path }) => path === url.pathname)
    if (endpoint) return serve(endpoint, url, request)
    return /^\/(api|v1)\//.test(url.pathname) ? Promise.reject(unknownCall(url)) : realFetch(target, request)
  }
  globalThis.XMLHttpRequest = new Proxy(XMLHttpRequest, { construct: () => new FakeUpload() })
  globalThis.WebSocket = new Proxy(RealSocket, {
    construct: (real, args: [string, string?]) =>
      String(args[0]).includes(SOCKET.path) ? new FakeSocket() : new real(...args),
  })
}

function unknownCall(url: URL): Error {
  unexpected.push(url.pathname)
  return new Error(`no endpoint is at ${url.pathname}`)
}

async function serve(endpoint: Endpoint, url: URL, request: RequestInit | undefined): Promise<Response> {
  const read = decode(endpoint.request, rawInput(endpoint, url, request))
  if (!read.ok) throw new Error(`${endpoint.name} does not take its ${read.field}`)
  const call = { input: read.value, headers: new Headers(request?.headers) }
  calls.set(endpoint.name, [...(calls.get(endpoint.name) ?? []), call])
  const gate = gates.get(endpoint.name)
  if (gate) await Promise.race([gate, aborted(request?.signal)])
  const reply = repliers.get(endpoint.name)
  if (!reply) {
    unexpected.push(endpoint.name)
    throw new Error(`no response set up for ${endpoint.name}`)
  }
  const { status, body } = await reply(read.value)
  const type = body.startsWith('{') ? 'application/json' : 'text/html'
  return new Response(body, { status, headers: { 'content-type': type } })
}

const aborted = (signal: AbortSignal | null | undefined): Promise<never> =>
  new Promise((_, reject) =>
    signal?.addEventListener('abort', () => reject(new DOMException('request cancelled', 'AbortError'))),
  )

function rawInput(endpoint: Endpoint, url: URL, request: RequestInit | undefined): unknown {
  const text = typeof request?.body === 'string' ? request.body : ''
  if (endpoint.method === 'GET') return Object.fromEntries(url.searchParams)
  return endpoint.isForm ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text || '{}')
}
