import { decode, refusalEnvelope, statusOf, successEnvelope } from '@fairlot/contract'
import type { RefusalReason } from '@fairlot/contract'
import { DESK_ENDPOINTS, type DeskEndpoint } from '@fairlot/contract/desk'

type Reply = { readonly status: number; readonly body: string }
type Replier = (input: unknown) => Reply | Promise<Reply>
type Named = Pick<DeskEndpoint, 'name'>

/** A fake server inside the browser, whose responses are encoded by the contract's codecs. */
const repliers = new Map<string, Replier>()
const calls = new Map<string, { input: unknown; headers: Headers }[]>()
const files = new Map<string, Blob>()
const sockets = new Set<FakeSocket>()
const received: unknown[] = []

/** Sets the response of an endpoint: a value, or a function of the input. */
export function answer<Input, Output>(
  endpoint: DeskEndpoint<Input, Output>,
  value: Output | ((input: Input) => Output),
): void {
  const valueOf = (input: unknown): Output =>
    typeof value === 'function' ? (value as (input: Input) => Output)(input as Input) : value
  repliers.set(endpoint.name, (input) => ({
    status: 200,
    body: JSON.stringify(successEnvelope(endpoint.response, valueOf(input), '')),
  }))
}

/** Lets an endpoint reject with a message, optionally about a field. */
export const reject = (endpoint: Named, reason: RefusalReason, sentence: string, field?: string): void =>
  void repliers.set(endpoint.name, () => ({
    status: statusOf(reason),
    body: JSON.stringify(refusalEnvelope(reason, sentence, field === undefined ? {} : { field })),
  }))

/** Breaks the connection at an endpoint. */
export const failConnection = (endpoint: Named): void =>
  void repliers.set(endpoint.name, () => Promise.reject(new TypeError('Failed to fetch')))

/** Leaves the requests of an endpoint unanswered. */
export const leaveUnanswered = (endpoint: Named): void =>
  void repliers.set(endpoint.name, () => new Promise<never>(() => undefined))

/** Serves a file at a path with its query, by default CSV. */
export const file = (path: string, text: string, type = 'text/csv'): void =>
  void files.set(path, new Blob([text], { type }))

/** Serves a picture at a path. */
export const picture = (path: string, bytes: Blob): void => void files.set(path, bytes)

/** The inputs of an endpoint's requests so far, oldest first. */
export const inputsOf = <Input>(endpoint: DeskEndpoint<Input, unknown>): readonly Input[] =>
  (calls.get(endpoint.name) ?? []).map(({ input }) => input as Input)

/** The headers of those requests. */
export const headersOf = (endpoint: Named): readonly Headers[] =>
  (calls.get(endpoint.name) ?? []).map(({ headers }) => headers)

/** Reports changed topics over every socket. */
export const pushChanged = (...topics: readonly string[]): void => push({ type: 'changed', topics })

/** Closes every socket, as the server does when a session ends. */
export function endSockets(): void {
  for (const socket of sockets) socket.onclose?.()
}

let acceptsLogins = true

/** Whether the sockets answer log-ins from now on: without an answer a page stays disconnected. */
export const acceptLogins = (does: boolean): void => void (acceptsLogins = does)

/** Reports over every socket who views a case. */
export const pushViewers = (caseKey: string, operators: readonly string[]): void =>
  push({ type: 'viewing', caseKey, operators })

function push(message: object): void {
  for (const socket of sockets) socket.onmessage?.({ data: JSON.stringify(message) })
}

/** Messages received over the sockets so far. */
export const receivedMessages = (): readonly unknown[] => received

/** Removes all responses and recorded requests. */
export function resetServer(): void {
  for (const kept of [repliers, calls, files]) kept.clear()
  received.length = 0
  acceptsLogins = true
}

class FakeSocket {
  onopen: (() => void) | null = null
  onclose: (() => void) | null = null
  onmessage: ((event: { data: string }) => void) | null = null
  readonly OPEN = RealSocket.OPEN
  readyState: number = RealSocket.CONNECTING

  constructor() {
    queueMicrotask(() => {
      sockets.add(this)
      this.readyState = this.OPEN
      this.onopen?.()
    })
  }

  send = (text: string): void => {
    const message = JSON.parse(text) as { readonly type: string }
    received.push(message)
    if (message.type === 'login' && acceptsLogins)
      this.onmessage?.({ data: JSON.stringify({ type: 'loggedIn' }) })
    if (message.type === 'ping') this.onmessage?.({ data: JSON.stringify({ type: 'pong' }) })
  }

  close = (): void => void sockets.delete(this)
}

const realFetch = globalThis.fetch
const RealSocket = globalThis.WebSocket

/** Replaces fetch and WebSocket for the desk's addresses. */
export function installFakes(): void {
  globalThis.fetch = async (target, request) => {
    const url = new URL(target instanceof Request ? target.url : target, location.href)
    if (!url.pathname.startsWith('/desk/api/')) return realFetch(target, request)
    const found = files.get(url.pathname + url.search)
    if (found) return new Response(found)
    const endpoint = DESK_ENDPOINTS.find(({ path }) => path === url.pathname)
    if (!endpoint) throw new Error(`no endpoint is at ${url.pathname}`)
    return serve(endpoint, url, request)
  }
  globalThis.WebSocket = new Proxy(RealSocket, {
    construct: (real, args: [string, string?]) =>
      String(args[0]).includes('/desk/ws') ? new FakeSocket() : new real(...args),
  })
}

async function serve(endpoint: DeskEndpoint, url: URL, request: RequestInit | undefined): Promise<Response> {
  const text = typeof request?.body === 'string' ? request.body : ''
  const raw = endpoint.method === 'GET' ? Object.fromEntries(url.searchParams) : JSON.parse(text || '{}')
  const read = decode(endpoint.request, raw)
  if (!read.ok) throw new Error(`${endpoint.name} does not accept its ${read.field}`)
  const call = { input: read.value, headers: new Headers(request?.headers) }
  calls.set(endpoint.name, [...(calls.get(endpoint.name) ?? []), call])
  const reply = repliers.get(endpoint.name)
  if (!reply) throw new Error(`no answer to ${endpoint.name}`)
  const { status, body } = await reply(read.value)
  return new Response(body, { status })
}
