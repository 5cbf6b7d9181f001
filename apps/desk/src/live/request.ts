import { CallError, createClient, valueOf } from '@fairlot/contract'
import type { DeskEndpoint } from '@fairlot/contract/desk'
import { learnTime, serverNow } from './clock.ts'
import { isOwnAct } from './hands.ts'
import { currentToken, setToken } from './token.ts'

let lastRequestAt = 0

/** When a call was last made by hand, epoch ms of the server. */
export const requestedAt = (): number => lastRequestAt

type Options = Omit<RequestInit, 'headers'> & { readonly headers: Readonly<Record<string, string>> }

async function fetchInTime(url: string, { headers, ...options }: Options): Promise<Response> {
  const isOwn = isOwnAct()
  if (!isOwn) lastRequestAt = serverNow()
  const response = await fetch(url, {
    ...options,
    headers: { ...headers, ...(isOwn && { background: '1' }) },
  })
  learnTime(response.headers.get('date'))
  return response
}

const clientBy = (send: typeof fetchInTime) =>
  createClient<AbortSignal>({
    fetch: send,
    baseUrl: '',
    language: () => 'en',
    token: currentToken,
    now: Date.now,
    onSessionGone: () => currentToken() !== null && setToken(null, 'gone'),
  })

const client = clientBy(fetchInTime)

export type RequestOptions = { readonly signal?: AbortSignal; readonly requestId?: string }

/** Makes a call of the desk and answers its value. Rejects with a CallError; `refusalText` says it in words. */
export const request = async <Input, Output>(
  endpoint: DeskEndpoint<Input, Output>,
  input: Input,
  options: RequestOptions = {},
): Promise<Output> => valueOf(await client.call(endpoint, input, options))

/** The same for a call that takes a file in place of a body. */
export async function requestWithFile<Output>(
  endpoint: DeskEndpoint<null, Output>,
  { field, file }: { readonly field: string; readonly file: File },
  options: RequestOptions = {},
): Promise<Output> {
  const body = new FormData()
  body.append(field, file)
  const sending = clientBy((url, { headers: { 'content-type': _ours, ...headers }, ...rest }) =>
    // The browser names the type itself, with the line between the parts.
    fetchInTime(url, { ...rest, headers, body }),
  )
  return valueOf(await sending.call(endpoint, null, options))
}

/** A fresh name for one change, to be kept while the same change is tried again. */
export const newRequestId = (): string =>
  // Not randomUUID: over plain http only localhost has it.
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

const LOST = 'The server did not answer. Nothing is known of what was asked: look before you ask again.'

/** Why a call failed, in words: the server's own sentence where there is one. Null for one taken back. */
export function refusalText(error: unknown): string | null {
  if (!(error instanceof CallError)) return 'Something in this page went wrong. Load it again.'
  const { reason, message } = error.failure
  if (reason === 'cancelled') return null
  return reason === 'network' || reason === 'unreadable' ? `${LOST} (${message})` : message
}

/** The field of a form that a refusal is about: `instrument.lotMin` of one that could not be read is its `lotMin`. Null where none is named. */
export const refusedField = (error: unknown): string | null =>
  error instanceof CallError && 'details' in error.failure
    ? (error.failure.details.field?.split('.').at(-1) ?? null)
    : null

/** The reason of a refusal, such as `secondFactorNeeded`; null for anything else. */
export const reasonOf = (error: unknown): string | null =>
  error instanceof CallError ? error.failure.reason : null

/**
 * Fetches a file of the desk, such as a table as CSV. `path` has its query. Rejects with an Error that says why in words: a refusal
 * comes as the envelope instead of the file.
 */
export async function fetchFile(path: string): Promise<Blob> {
  const token = currentToken()
  const headers = { lang: 'en', ...(token !== null && { authorization: token }) }
  const response = await fetchInTime(path, { headers }).catch(() => null)
  if (response === null) throw new Error(LOST)
  const isEnvelope = response.headers.get('content-type')?.includes('json') ?? false
  if (response.ok && !isEnvelope) return response.blob()
  const envelope = (await response.json().catch(() => null)) as { msg?: string } | null
  throw new Error(envelope?.msg || `${LOST} (HTTP ${response.status})`)
}
