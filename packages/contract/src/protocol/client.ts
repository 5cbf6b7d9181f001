import { encode } from './codec.ts'
import type { Operation } from './endpoint.ts'
import { readEnvelope, type Refusal } from './envelope.ts'

/** The part of the platform's `fetch` that is used. `Signal` is the platform's AbortSignal. */
export type Fetch<Signal> = (
  url: string,
  request: {
    method: string
    headers: Record<string, string>
    body?: string
    signal?: Signal
  },
) => Promise<{ readonly status: number; text(): Promise<string> }>

export type CallOptions<Signal> = {
  /** A call at the start of the app: an ended session is not reported. */
  readonly initial?: boolean
  /** The caller shows errors itself. */
  readonly silent?: boolean
  readonly signal?: Signal
  /** The idempotency key: sending it twice has one effect; at most 64 characters. */
  readonly requestId?: string
}

/** The call has no answer: no connection, not even sent, cancelled by the caller, or an invalid response. */
export type Unanswered = {
  readonly ok: false
  /** The HTTP status; 0 without a response. */
  readonly code: number
  readonly reason: 'network' | 'unsent' | 'cancelled' | 'unreadable'
  /** A technical text such as "HTTP 502", not a sentence. */
  readonly message: string
  readonly details: Record<string, never>
}

export type Failure = Refusal | Unanswered
export type Outcome<T> = { readonly ok: true; readonly value: T; readonly message: string } | Failure

export type ClientSetup<Signal> = {
  readonly fetch: Fetch<Signal>
  /** Empty for the same origin. */
  readonly baseUrl: string
  /** Language code of the wire, such as `hk`. */
  readonly language: () => string
  readonly token: () => string | null
  /** Epoch ms. */
  readonly now: () => number
  /**
   * The session has ended (999). After an initial call only the user is forgotten; otherwise the log-in screen
   * follows.
   */
  readonly onSessionGone?: (call: { readonly isInitial: boolean }) => void
  /** A message for the user; not called for silent or cancelled calls, nor for an initial one without session. */
  readonly onFailure?: (failure: Failure, endpoint: Operation) => void
}

export type Client<Signal> = {
  /** Makes a call. Never throws: an error is returned as a value. */
  readonly call: <Input, Output>(
    endpoint: Operation<Input, Output>,
    input: Input,
    options?: CallOptions<Signal>,
  ) => Promise<Outcome<Output>>
}

/**
 * The only caller of the API: paths, headers, envelope and wire names are handled here. In a browser:
 * `createClient<AbortSignal>({ fetch: window.fetch, ... })`.
 */
export function createClient<Signal>(setup: ClientSetup<Signal>): Client<Signal> {
  return {
    call: async (endpoint, input, options = {}) => {
      const outcome = await attempt(setup, endpoint, input, options)
      if (!outcome.ok) report(setup, outcome, endpoint, options)
      return outcome
    },
  }
}

/** The value of an outcome; throws a `CallError` for a failure. For callers that use promises. */
export function valueOf<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value
  throw new CallError(outcome)
}

export class CallError extends Error {
  readonly failure: Failure
  constructor(failure: Failure) {
    super(failure.message)
    this.name = 'CallError'
    this.failure = failure
  }
}

async function attempt<Input, Output, Signal>(
  setup: ClientSetup<Signal>,
  endpoint: Operation<Input, Output>,
  input: Input,
  options: CallOptions<Signal>,
): Promise<Outcome<Output>> {
  const { url, request } = requestOf(setup, endpoint, input, options)
  // A separate variable: a browser's fetch throws when called as a method of another object.
  const { fetch } = setup
  try {
    const response = await fetch(url, request)
    const body = await response.text()
    const { status } = response
    return readBody(endpoint, body) ?? unanswered('unreadable', status, `HTTP ${status}`)
  } catch (error) {
    const isCancelled = nameOf(error) === 'AbortError' || isAborted(options.signal)
    return isCancelled ? unanswered('cancelled', 0, 'cancelled') : unanswered('network', 0, 'ERR_NETWORK')
  }
}

const JSON_TYPE = 'application/json'
const FORM = 'application/x-www-form-urlencoded'

function requestOf<Signal>(
  setup: ClientSetup<Signal>,
  endpoint: Operation,
  input: unknown,
  options: CallOptions<Signal>,
): { url: string; request: Parameters<Fetch<Signal>>[1] } {
  const sent = fieldsOf(encode(endpoint.request, input))
  const isGet = endpoint.method === 'GET'
  const headers = headersOf(setup, endpoint, options)
  const query = isGet ? queryOf([...sent, ['t', setup.now()]]) : ''
  const request = {
    method: endpoint.method,
    headers: isGet ? headers : { ...headers, 'content-type': endpoint.isForm ? FORM : JSON_TYPE },
    ...(isGet ? {} : { body: endpoint.isForm ? formOf(sent) : JSON.stringify(Object.fromEntries(sent)) }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  }
  return { url: `${setup.baseUrl}${endpoint.path}${query}`, request }
}

function headersOf<Signal>(
  setup: ClientSetup<Signal>,
  endpoint: Operation,
  { requestId }: CallOptions<Signal>,
): Record<string, string> {
  const token = setup.token()
  return {
    lang: setup.language(),
    ...(token === null ? {} : { authorization: token }),
    ...(endpoint.changes && requestId !== undefined ? { 'idempotency-key': requestId } : {}),
  }
}

const fieldsOf = (encoded: unknown): (readonly [string, unknown])[] =>
  Object.entries(encoded ?? {}).filter(([, value]) => value !== undefined)

type Fields = readonly (readonly [string, unknown])[]

const formOf = (fields: Fields): string =>
  // A form cannot contain null: such fields are omitted.
  pairsOf(fields.filter(([, value]) => value !== null))

const queryOf = (fields: Fields): string => `?${pairsOf(fields)}`

const pairsOf = (fields: Fields): string =>
  fields.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&')

function readBody<Output>(endpoint: Operation<unknown, Output>, body: string): Outcome<Output> | null {
  try {
    return readEnvelope(endpoint.response, JSON.parse(body))
  } catch {
    return null
  }
}

function report<Signal>(
  setup: ClientSetup<Signal>,
  failure: Failure,
  endpoint: Operation,
  options: CallOptions<Signal>,
): void {
  if (failure.reason === 'cancelled') return
  const isInitial = options.initial === true
  const isGone = failure.reason === 'sessionGone'
  if (isGone) setup.onSessionGone?.({ isInitial })
  if (options.silent !== true && !(isGone && isInitial)) setup.onFailure?.(failure, endpoint)
}

const unanswered = (reason: Unanswered['reason'], code: number, message: string): Unanswered => ({
  ok: false,
  code,
  reason,
  message,
  details: {},
})

const nameOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'name' in error ? error.name : null

const isAborted = (signal: unknown): boolean =>
  typeof signal === 'object' && signal !== null && 'aborted' in signal && signal.aborted === true
