import { CallError, createClient, valueOf } from '@fairlot/contract'
import type { DeskEndpoint } from '@fairlot/contract/desk'
import { create } from 'zustand'
import { isBackgroundCall } from './activity.ts'
import { updateServerTime, serverNow } from './clock.ts'
import { currentToken, onTokenChange, setToken } from './token.ts'

let requestedAt = 0

/** When the operator last caused a request, epoch ms of the server. */
export const lastRequestAt = (): number => requestedAt

type Options = Omit<RequestInit, 'headers'> & { readonly headers: Readonly<Record<string, string>> }

async function trackedFetch(url: string, { headers, ...options }: Options): Promise<Response> {
  const isBackground = isBackgroundCall()
  if (!isBackground) requestedAt = serverNow()
  const response = await fetch(url, {
    ...options,
    headers: { ...headers, ...(isBackground && { background: '1' }) },
  })
  updateServerTime(response.headers.get('date'))
  return response
}

const clientWith = (send: typeof trackedFetch) =>
  createClient<AbortSignal>({
    fetch: send,
    baseUrl: '',
    language: () => 'en',
    token: currentToken,
    now: Date.now,
    onSessionGone: () => currentToken() !== null && setToken(null, 'expired'),
  })

const client = clientWith(trackedFetch)

type FactorPrompt = {
  /** Closes the prompt, with true once a code was accepted. Null while no prompt is open. */
  readonly answer: ((isGiven: boolean) => void) | null
}

/** The prompt for a code of the second factor, open while the last code is too old for a call. */
export const useFactorPrompt = create<FactorPrompt>(() => ({ answer: null }))

let pendingPrompt: Promise<boolean> | null = null

/** Opens one prompt for all calls that wait for a code; false when none is entered. */
function requestFactorCode(): Promise<boolean> {
  pendingPrompt ??= new Promise<boolean>((resolve) => {
    const answer = (isGiven: boolean) => {
      pendingPrompt = null
      useFactorPrompt.setState({ answer: null })
      resolve(isGiven)
    }
    useFactorPrompt.setState({ answer })
  })
  return pendingPrompt
}

// The prompt closes when the session ends.
onTokenChange(() => useFactorPrompt.getState().answer?.(false))

type RequestOptions = { readonly signal?: AbortSignal; readonly requestId?: string }

/**
 * Calls an endpoint of the desk and returns its value. Rejects with a CallError, which `errorText` turns into a message. When the
 * server needs a new code of the second factor, the operator enters one and the call is repeated with the same request id.
 */
export async function request<Input, Output>(
  endpoint: DeskEndpoint<Input, Output>,
  input: Input,
  options: RequestOptions = {},
): Promise<Output> {
  const outcome = await client.call(endpoint, input, options)
  const isStale = !outcome.ok && outcome.reason === 'secondFactorStale'
  if (isStale && (await requestFactorCode())) return valueOf(await client.call(endpoint, input, options))
  return valueOf(outcome)
}

/** The same for an endpoint that takes a file instead of a body. */
export async function requestWithFile<Output>(
  endpoint: DeskEndpoint<null, Output>,
  { field, file }: { readonly field: string; readonly file: File },
  options: RequestOptions = {},
): Promise<Output> {
  const body = new FormData()
  body.append(field, file)
  const sending = clientWith((url, { headers: { 'content-type': _ours, ...headers }, ...rest }) =>
    // The browser sets the type itself, with the boundary of the parts.
    trackedFetch(url, { ...rest, headers, body }),
  )
  return valueOf(await sending.call(endpoint, null, options))
}

/** A new request id, to be kept while the same change is retried. */
export const newRequestId = (): string =>
  // Not randomUUID: browsers offer it over https and on localhost only.
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

const LOST =
  'The server did not answer, so the result is unknown. Check whether it took effect before you try again.'

/** Why a call failed: the server's message where there is one. Null for a cancelled call. */
export function errorText(error: unknown): string | null {
  if (!(error instanceof CallError)) return 'Something went wrong on this page. Reload it.'
  const { reason, message } = error.failure
  if (reason === 'cancelled') return null
  return reason === 'network' || reason === 'unreadable' ? `${LOST} (${message})` : message
}

/** The form field that a rejection is about, such as `lotMin` for `instrument.lotMin`; null where none is named. */
export const rejectedField = (error: unknown): string | null =>
  error instanceof CallError && 'details' in error.failure
    ? (error.failure.details.field?.split('.').at(-1) ?? null)
    : null

/** The reason code of a rejection, such as `secondFactorNeeded`; null for anything else. */
export const reasonOf = (error: unknown): string | null =>
  error instanceof CallError ? error.failure.reason : null

/**
 * Fetches a file of the desk, such as a CSV export. `path` includes its query. Rejects with an Error whose message can be shown:
 * the server sends an envelope instead of the file when it rejects the request.
 */
export async function fetchFile(path: string): Promise<Blob> {
  const token = currentToken()
  const headers = { lang: 'en', ...(token !== null && { authorization: token }) }
  const response = await trackedFetch(path, { headers }).catch(() => null)
  if (response === null) throw new Error(LOST)
  const isEnvelope = response.headers.get('content-type')?.includes('json') ?? false
  if (response.ok && !isEnvelope) return response.blob()
  const envelope = (await response.json().catch(() => null)) as { msg?: string } | null
  throw new Error(envelope?.msg || `${LOST} (HTTP ${response.status})`)
}
