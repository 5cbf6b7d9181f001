import { decode, refusalEnvelope, statusOf, successEnvelope } from '@fairlot/contract'
import type { RefusalReason } from '@fairlot/contract'
import { DESK_ENDPOINTS, type DeskEndpoint } from '@fairlot/contract/desk'

type Reply = { readonly status: number; readonly body: string }
type Replier = (input: unknown) => Reply | Promise<Reply>
type Named = Pick<DeskEndpoint, 'name'>

/** The server at the edge of the browser: all that it says is written by the contract's own codecs. */
const repliers = new Map<string, Replier>()
const calls = new Map<string, { input: unknown; headers: Headers }[]>()
const files = new Map<string, Blob>()
const sockets = new Set<FakeSocket>()
const heard: unknown[] = []

/** Answers a call, with one value or by what is asked. */
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

/** Refuses a call, in a sentence, perhaps about a field. */
export const refuse = (endpoint: Named, reason: RefusalReason, sentence: string, field?: string): void =>
  void repliers.set(endpoint.name, () => ({
    status: statusOf(reason),
    body: JSON.stringify(refusalEnvelope(reason, sentence, field === undefined ? {} : { field })),
  }))

/** Breaks the connection at a call. */
export const cut = (endpoint: Named): void =>
  void repliers.set(endpoint.name, () => Promise.reject(new TypeError('Failed to fetch')))

/** Leaves a call without an answer. */
export const hold = (endpoint: Named): void =>
  void repliers.set(endpoint.name, () => new Promise<never>(() => undefined))

/** A file at a path with its query, CSV where nothing else is said. */
export const file = (path: string, text: string, type = 'text/csv'): void =>
  void files.set(path, new Blob([text], { type }))

/** What a call was asked so far, the oldest first. */
export const asked = <Input>(endpoint: DeskEndpoint<Input, unknown>): readonly Input[] =>
  (calls.get(endpoint.name) ?? []).map(({ input }) => input as Input)

/** The headers of those calls. */
export const askedWith = (endpoint: Named): readonly Headers[] =>
  (calls.get(endpoint.name) ?? []).map(({ headers }) => headers)

/** Tells over every socket that topics have changed. */
export const tellChanged = (...topics: readonly string[]): void => tell({ type: 'changed', topics })

/** Ends every socket, as the server does with those of a session that is over. */
export function endSockets(): void {
  for (const socket of sockets) socket.onclose?.()
}

/** Tells over every socket who looks at a case. */
export const tellViewers = (caseKey: string, operators: readonly string[]): void =>
  tell({ type: 'viewing', caseKey, operators })

function tell(message: object): void {
  for (const socket of sockets) socket.onmessage?.({ data: JSON.stringify(message) })
}

/** What came over the sockets so far. */
export const heardMessages = (): readonly unknown[] => heard

/** Forgets answers and what was asked. */
export function forgetAll(): void {
  for (const kept of [repliers, calls, files]) kept.clear()
  heard.length = 0
}

class FakeSocket {
  onopen: (() => void) | null = null
  onclose: (() => void) | null = null
  onmessage: ((event: { data: string }) => void) | null = null

  constructor() {
    queueMicrotask(() => {
      sockets.add(this)
      this.onopen?.()
    })
  }

  send = (text: string): void => {
    const message = JSON.parse(text) as { readonly type: string }
    heard.push(message)
    if (message.type === 'login') this.onmessage?.({ data: JSON.stringify({ type: 'loggedIn' }) })
  }

  close = (): void => void sockets.delete(this)
}

const realFetch = globalThis.fetch
const RealSocket = globalThis.WebSocket

/** Stands between the desk and the network from now on. */
export function standIn(): void {
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
  if (!read.ok) throw new Error(`${endpoint.name} does not take its ${read.field}`)
  const call = { input: read.value, headers: new Headers(request?.headers) }
  calls.set(endpoint.name, [...(calls.get(endpoint.name) ?? []), call])
  const reply = repliers.get(endpoint.name)
  if (!reply) throw new Error(`no answer to ${endpoint.name}`)
  const { status, body } = await reply(read.value)
  return new Response(body, { status })
}
