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

/** What was asked, in which language and by whom, and the name of the change. */
type Call = { readonly input: unknown; readonly headers: Headers }

const asJson = (body: unknown, status = 200): Reply => ({ status, body: JSON.stringify(body) })

/** The server at the edge of the browser: all that it says is written by the contract's own codecs. */
const repliers = new Map<string, Replier>()
const gates = new Map<string, Promise<void>>()
const files = new Map<string, () => Promise<Response>>()
const calls = new Map<string, Call[]>()
const heard: ClientMessage[] = []
const sockets = new Set<FakeSocket>()
const unforeseen: string[] = []
let isUp = true

/** Answers a call, with one value or by what is asked. `message` is the sentence of the envelope. */
export function answer<Input, Output>(
  endpoint: Endpoint<Input, Output>,
  value: Output | ((input: Input) => Output),
  message = '',
): void {
  const valueOf = (input: unknown): Output =>
    typeof value === 'function' ? (value as (input: Input) => Output)(input as Input) : value
  repliers.set(endpoint.name, (input) => asJson(successEnvelope(endpoint.response, valueOf(input), message)))
}

/** Refuses a call, in a sentence of the reader's language. */
export const refuse = (
  endpoint: Pick<Endpoint, 'name'>,
  reason: RefusalReason,
  sentence: string,
  details: RefusalDetails = {},
): void =>
  void repliers.set(endpoint.name, () => asJson(refusalEnvelope(reason, sentence, details), statusOf(reason)))

/** Breaks the connection at a call: there is no answer at all. */
export const cut = (endpoint: Pick<Endpoint, 'name'>): void =>
  void repliers.set(endpoint.name, () => Promise.reject(new TypeError('Failed to fetch')))

/** Answers a call as something else on the way does: a page of a proxy. */
export const garble = (endpoint: Pick<Endpoint, 'name'>): void =>
  void repliers.set(endpoint.name, () => ({ status: 502, body: '<html>Bad gateway</html>' }))

/** Keeps the answers of a call back until the returned function is called. */
export function hold(endpoint: Pick<Endpoint, 'name'>): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  gates.set(endpoint.name, promise)
  return () => {
    gates.delete(endpoint.name)
    resolve()
  }
}

/** A file at a path, in place of what a call there would answer, handed out after `ready`; null breaks the connection there. */
export const file = (path: string, bytes: Blob | null, ready = Promise.resolve()): void =>
  void files.set(path, async () => {
    await ready
    if (!bytes) throw new TypeError('Failed to fetch')
    return new Response(bytes)
  })

/** What a call was asked so far, the oldest first. */
export const asked = <Input>(endpoint: Endpoint<Input, unknown>): readonly Input[] =>
  (calls.get(endpoint.name) ?? []).map(({ input }) => input as Input)

/** The headers of those calls. */
export const askedWith = (endpoint: Pick<Endpoint, 'name'>): readonly Headers[] =>
  (calls.get(endpoint.name) ?? []).map(({ headers }) => headers)

/** Says something over every socket. */
export function push(message: ServerMessage): void {
  for (const socket of sockets) socket.tell(message)
}

/** What came over the sockets so far. */
export const heardMessages = (): readonly ClientMessage[] => heard

/** Ends every socket and takes no new one: the network is gone. */
export function goDown(): void {
  isUp = false
  for (const socket of [...sockets]) socket.fail()
}

/** Takes sockets again. */
export const comeUp = (): void => void (isUp = true)

/** Calls that nobody has foreseen: a test that makes one has not said what it is about. */
export const unforeseenCalls = (): readonly string[] => unforeseen

/** Forgets answers and what was asked. Sockets stay. */
export function forgetAll(): void {
  for (const kept of [repliers, gates, calls, files]) kept.clear()
  heard.length = 0
  unforeseen.length = 0
  isUp = true
}

class FakeSocket {
  onopen: (() => void) | null = null
  onclose: (() => void) | null = null
  onmessage: ((event: { data: string }) => void) | null = null
  private isOpen = false

  constructor() {
    setTimeout(() => (isUp ? this.open() : this.fail()))
  }

  private open(): void {
    this.isOpen = true
    sockets.add(this)
    this.onopen?.()
  }

  tell(message: ServerMessage): void {
    if (this.isOpen) this.onmessage?.({ data: JSON.stringify(encode(serverMessage, message)) })
  }

  send(text: string): void {
    const read = decode(clientMessage, JSON.parse(text))
    if (!read.ok) throw new Error(`The server does not understand ${text}`)
    heard.push(read.value)
    // An answer is never there before its question has been asked to the end.
    if (read.value.type === 'ping') queueMicrotask(() => this.tell({ type: 'pong' }))
    if (read.value.type === 'login') queueMicrotask(() => this.tell({ type: 'loginResult', code: 1 }))
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

/** The browser's XMLHttpRequest for uploads: tells that half of the bytes are sent, then answers as any other call. */
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

/** Stands between the app and the network from now on. What is not for the server goes on to the network. */
export function standIn(): void {
  globalThis.fetch = (target, request) => {
    const url = new URL(target instanceof Request ? target.url : target, location.href)
    const found = files.get(url.pathname)
    if (found) return found()
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
  unforeseen.push(url.pathname)
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
    unforeseen.push(endpoint.name)
    throw new Error(`no answer to ${endpoint.name}`)
  }
  const { status, body } = await reply(read.value)
  const type = body.startsWith('{') ? 'application/json' : 'text/html'
  return new Response(body, { status, headers: { 'content-type': type } })
}

const aborted = (signal: AbortSignal | null | undefined): Promise<never> =>
  new Promise((_, reject) =>
    signal?.addEventListener('abort', () => reject(new DOMException('taken back', 'AbortError'))),
  )

function rawInput(endpoint: Endpoint, url: URL, request: RequestInit | undefined): unknown {
  const text = typeof request?.body === 'string' ? request.body : ''
  if (endpoint.method === 'GET') return Object.fromEntries(url.searchParams)
  return endpoint.isForm ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text || '{}')
}
