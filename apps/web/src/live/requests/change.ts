import { encode, type Endpoint } from '@fairlot/contract'
import { newRequestId, request, type RequestOptions } from './request.ts'
import { onTokenChange } from '../auth/token.ts'

type Send = typeof request
type Change = <Input extends Readonly<Record<string, unknown>> | null, Output>(
  endpoint: Endpoint<Input, Output>,
  input: Input,
  options?: Omit<RequestOptions, 'requestId'>,
) => Promise<Output>

/** Makes changing calls with a request id that stays the same until the change has succeeded. */
export const createChange =
  (send: Send, requestIds: RequestIds): Change =>
  async (endpoint, input, options = {}) => {
    const subject = [endpoint.name, input?.['orderId'], input?.['instrumentId']].join(' ')
    const requestId = requestIds.nameOf(subject, JSON.stringify(encode(endpoint.request, input)))
    const answer = await send(endpoint, input, { ...options, requestId })
    requestIds.done(subject)
    return answer
  }

const requestIds = createRequestIds(newRequestId)

/** Makes a call that changes something; rejects as `request` does. Tried again after no answer it cannot happen twice. */
export const change = createChange(request, requestIds)

/** Forgets request ids when the user changes; called once at the start of the app. */
export const forgetRequestIdsOnLogin = (): void => void onTokenChange(requestIds.forget)

/** Request ids of changes: a repeat carries the same id, so it has no second effect. */
type RequestIds = {
  /**
   * The name for a change: the one of the last try as long as it asks for the same and has not succeeded. `subject` is what the
   * change is about, such as the call and its order.
   */
  nameOf: (subject: string, payload: string) => string
  /** The change has succeeded: the same payload again gets a new id. */
  done: (subject: string) => void
  /** Forgets all ids; for a change of user. */
  forget: () => void
}

/** How many changes without an answer are remembered; the oldest goes first. */
const REMEMBERED_MAX = 200

/**
 * A name belongs to what somebody means to do, not to the tap: who gets no answer and taps again means the same change. What was
 * refused has had no effect, so its name is as good as new.
 */
export function createRequestIds(newName: () => string): RequestIds {
  const open = new Map<string, { readonly payload: string; readonly name: string }>()
  return {
    nameOf: (subject, payload) => {
      const known = open.get(subject)
      if (known?.payload === payload) return known.name
      const name = newName()
      open.delete(subject)
      open.set(subject, { payload, name })
      const [oldest] = open.keys()
      if (open.size > REMEMBERED_MAX && oldest !== undefined) open.delete(oldest)
      return name
    },
    done: (subject) => void open.delete(subject),
    forget: () => open.clear(),
  }
}
