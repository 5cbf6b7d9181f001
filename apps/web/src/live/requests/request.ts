import { createClient, valueOf } from '@fairlot/contract'
import type { Endpoint, Failure, Fetch } from '@fairlot/contract'
import { create } from 'zustand'
import { currentLanguage } from '../device/language.ts'
import { currentToken } from '../auth/token.ts'

export type RequestListeners = {
  /** Something to tell the user: a refusal, or no answer. */
  onFailure: (failure: Failure) => void
  /** The server's own sentence about what has been done. */
  onTold: (message: string) => void
  /** The session is gone. After an initial call the user is forgotten without further ado. */
  onSessionGone: (isInitial: boolean) => void
}

let listeners: RequestListeners = {
  onFailure: () => undefined,
  onTold: () => undefined,
  onSessionGone: () => undefined,
}

/** Says who hears of failures; called once at the start of the app. */
export const listenToRequests = (next: RequestListeners): void => {
  listeners = next
}

/** Shows a failure that was kept silent at first. */
export const showFailure = (failure: Failure): void => listeners.onFailure(failure)

/** Sends a call and brings its answer. */
export type Send = Fetch<AbortSignal>

/** How every call is made. */
export const setup = {
  fetch: (url: string, options: RequestInit) => fetch(url, options),
  baseUrl: '',
  language: currentLanguage,
  now: Date.now,
}

const clientBy = (send: Send) =>
  createClient<AbortSignal>({
    ...{ ...setup, fetch: send, token: currentToken },
    onFailure: (failure) => listeners.onFailure(failure),
    onSessionGone: ({ isInitial }) => listeners.onSessionGone(isInitial),
  })

const client = clientBy(setup.fetch)

type RefusedListener = (reason: Failure['reason']) => void

const refusedListeners = new Set<RefusedListener>()

/** Hears why calls failed, silent ones too: some reasons say that what is shown is out of date. */
export const onRefused = (listener: RefusedListener): void => void refusedListeners.add(listener)

/** How many calls are under way that the user waits for. */
export const useWaiting = create<{ count: number }>(() => ({ count: 0 }))

const countWaiting = (by: 1 | -1) => useWaiting.setState(({ count }) => ({ count: count + by }))

export type RequestOptions = {
  signal?: AbortSignal
  /** No toast: the caller shows what went wrong itself. */
  isSilent?: boolean
  /** Shows the server's sentence once it is done. */
  isTold?: boolean
  /** Asked at the start of the app: a session that is gone is no news then. */
  isInitial?: boolean
  /** Shows the loading line at the top while under way. */
  isWaitedFor?: boolean
  /** Name of this change, so that sending it twice has one effect. */
  requestId?: string
  /** In place of the browser's own `fetch`, for a body that is no JSON. */
  sendBy?: Send
}

/** Makes a call of the API and answers its value. Rejects with a CallError whose failure was already shown. */
export async function request<Input, Output>(
  endpoint: Endpoint<Input, Output>,
  input: Input,
  options: RequestOptions = {},
): Promise<Output> {
  const { signal, requestId, isSilent = false, isTold = false, isInitial = false } = options
  const { isWaitedFor = false, sendBy } = options
  if (isWaitedFor) countWaiting(1)
  try {
    const outcome = await (sendBy ? clientBy(sendBy) : client).call(endpoint, input, {
      silent: isSilent,
      initial: isInitial,
      ...(signal && { signal }),
      ...(requestId !== undefined && { requestId }),
    })
    if (!outcome.ok) for (const hear of refusedListeners) hear(outcome.reason)
    else if (isTold) listeners.onTold(outcome.message)
    return valueOf(outcome)
  } finally {
    if (isWaitedFor) countWaiting(-1)
  }
}

/** A fresh name for one change, to be kept while the same change is tried again. */
export const newRequestId = (): string =>
  // Not randomUUID: over plain http only localhost has it, and a phone in the same house is not localhost.
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
