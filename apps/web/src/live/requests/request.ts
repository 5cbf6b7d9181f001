import { CallError, createClient, type Endpoint, type Failure, type Fetch, valueOf } from '@fairlot/contract'
import { create } from 'zustand'
import { currentLanguage } from '../device/language.ts'
import { currentToken } from '../device/token.ts'

export type RequestListeners = {
  /** A call was rejected or got no response; the user should see it. */
  onFailure: (failure: Failure) => void
  /** The server's message about a completed change. */
  onConfirmation: (message: string) => void
  /** The session has ended. After an initial call the user is forgotten without a message. */
  onSessionGone: (isInitial: boolean) => void
}

let listeners: RequestListeners = {
  onFailure: () => undefined,
  onConfirmation: () => undefined,
  onSessionGone: () => undefined,
}

/** Sets the listeners. Called once at the start of the app. */
export const listenToRequests = (next: RequestListeners): void => {
  listeners = next
}

/** Shows the failure of a silent call after all. */
export const showFailure = (failure: Failure): void => listeners.onFailure(failure)

/** Sends a call and returns its response. */
export type Send = Fetch<AbortSignal>

/** Options of every call. */
export const setup = {
  fetch: (url: string, options: RequestInit) => fetch(url, options),
  baseUrl: '',
  language: currentLanguage,
  now: Date.now,
}

const clientBy = (send: Send) =>
  createClient<AbortSignal>({
    ...setup,
    fetch: send,
    token: currentToken,
    onFailure: (failure) => listeners.onFailure(failure),
    onSessionGone: ({ isInitial }) => listeners.onSessionGone(isInitial),
  })

const client = clientBy(setup.fetch)

type FailureListener = (reason: Failure['reason']) => void

const failureListeners = new Set<FailureListener>()

/** Calls back with the reason of every failed call, silent ones too: some reasons mean that the screen is out of date. */
export const onRequestFailed = (listener: FailureListener): void => void failureListeners.add(listener)

/** Why a change must not be sent: the server cannot be reached, or this version of the app is too old for it. */
export type Obstacle = 'notConnected' | 'outdated'

let obstacleNow: () => Promise<Obstacle | null> = () => Promise.resolve(null)

/** Sets what is checked before a change is sent. Called once at the start of the app. */
export const checkBeforeChanges = (check: () => Promise<Obstacle | null>): void => {
  obstacleNow = check
}

/** Ends a change before anything of it is sent; nothing is kept for later either. */
async function stopAtObstacle(isSilent: boolean): Promise<void> {
  const obstacle = await obstacleNow()
  if (!obstacle) return
  const failure: Failure = { ok: false, code: 0, reason: 'unsent', message: obstacle, details: {} }
  if (!isSilent) listeners.onFailure(failure)
  throw new CallError(failure)
}

const CANCELLED: Failure = { ok: false, code: 0, reason: 'cancelled', message: 'cancelled', details: {} }

/** Number of calls in progress that the user waits for. */
export const useWaiting = create<{ count: number }>(() => ({ count: 0 }))

const countWaiting = (by: 1 | -1) => useWaiting.setState(({ count }) => ({ count: count + by }))

export type RequestOptions = {
  signal?: AbortSignal
  /** No toast: the caller shows what went wrong itself. */
  isSilent?: boolean
  /** Shows the server's message once it is done. */
  showsConfirmation?: boolean
  /** Made at the start of the app, when an ended session is not worth a message. */
  isInitial?: boolean
  /** Shows the loading line at the top while in progress. */
  isWaitedFor?: boolean
  /** Id of this change, so that sending it twice has one effect. */
  requestId?: string
  /** Replaces the browser's `fetch`, for a body that is not JSON. */
  sendBy?: Send
}

/** Makes a call of the API and returns its value. Rejects with a CallError, which was already shown unless `isSilent`. */
export async function request<Input, Output>(
  endpoint: Endpoint<Input, Output>,
  input: Input,
  options: RequestOptions = {},
): Promise<Output> {
  const { signal, requestId, isSilent = false, showsConfirmation = false, isInitial = false } = options
  const { isWaitedFor = false, sendBy } = options
  if (isWaitedFor) countWaiting(1)
  try {
    if (endpoint.method !== 'GET') await stopAtObstacle(isSilent)
    // It may have been cancelled meanwhile.
    if (signal?.aborted) throw new CallError(CANCELLED)
    const outcome = await (sendBy ? clientBy(sendBy) : client).call(endpoint, input, {
      silent: isSilent,
      initial: isInitial,
      ...(signal && { signal }),
      ...(requestId !== undefined && { requestId }),
    })
    if (!outcome.ok) for (const listener of failureListeners) listener(outcome.reason)
    else if (showsConfirmation) listeners.onConfirmation(outcome.message)
    return valueOf(outcome)
  } finally {
    if (isWaitedFor) countWaiting(-1)
  }
}

/** A new id for one change, to be kept while the same change is tried again. */
export const newRequestId = (): string =>
  // Not randomUUID: over plain http only localhost has it, and a phone in the same network is not localhost.
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

type Translate = (key: 'networkError' | Obstacle, values: { code: string }) => string

const hasNoResponse = ({ reason }: Failure): boolean => reason === 'network' || reason === 'unreadable'

/** The server's message about a rejection; undefined for any other error. */
export const rejectionText = (error: unknown): string | undefined =>
  error instanceof CallError && error.failure.reason !== 'unsent' && !hasNoResponse(error.failure)
    ? error.failure.message
    : undefined

/** Why a call failed, for the user; a call without a response has only a technical code. Null for a cancelled call. */
export function failureText(failure: Failure, t: Translate): string | null {
  const { reason, message } = failure
  if (reason === 'cancelled') return null
  if (reason === 'unsent') return t(message as Obstacle, { code: '' })
  return hasNoResponse(failure) ? t('networkError', { code: message }) : message
}
