import { encode, type Endpoint } from '@fairlot/contract'
import { newRequestId, request, type RequestOptions } from './request.ts'
import { onTokenChange } from '../device/token.ts'

type Send = typeof request
type Change = <Input extends Readonly<Record<string, unknown>> | null, Output>(
  endpoint: Endpoint<Input, Output>,
  input: Input,
  options?: Omit<RequestOptions, 'requestId'>,
) => Promise<Output>

/** Makes calls that change something with a request id that stays the same until the change has succeeded. */
export const createChange =
  (send: Send, requestIds: RequestIds): Change =>
  async (endpoint, input, options = {}) => {
    const subject = [endpoint.name, input?.['orderId'], input?.['instrumentId']].join(' ')
    const requestId = requestIds.idOf(subject, JSON.stringify(encode(endpoint.request, input)))
    const answer = await send(endpoint, input, { ...options, requestId })
    requestIds.done(subject)
    return answer
  }

const requestIds = createRequestIds(newRequestId)

/** Makes a call that changes something; rejects like `request`. A retry after a missing response has no second effect. */
export const change = createChange(request, requestIds)

/** Forgets request ids when the user changes; called once at the start of the app. */
export const forgetRequestIdsOnLogin = (): void => void onTokenChange(requestIds.forget)

/** Request ids of changes: a repeat carries the same id, so it has no second effect. */
type RequestIds = {
  /**
   * The id of a change: the same as at the last try while the payload is the same and has not succeeded. `subject` is what the change
   * is about, such as the call and its order.
   */
  idOf: (subject: string, payload: string) => string
  /** The change has succeeded: the same payload again gets a new id. */
  done: (subject: string) => void
  /** Forgets all ids; for a change of user. */
  forget: () => void
}

/** How many changes without a response are remembered; the oldest is dropped first. */
const REMEMBERED_MAX = 200

/**
 * An id belongs to the intended change, not to the tap: a user who gets no response and taps again means the same change. A rejected
 * change had no effect, so its id can be used again.
 */
export function createRequestIds(newId: () => string): RequestIds {
  const open = new Map<string, { readonly payload: string; readonly id: string }>()
  return {
    idOf: (subject, payload) => {
      const known = open.get(subject)
      if (known?.payload === payload) return known.id
      const id = newId()
      open.delete(subject)
      open.set(subject, { payload, id })
      const [oldest] = open.keys()
      if (open.size > REMEMBERED_MAX && oldest !== undefined) open.delete(oldest)
      return id
    },
    done: (subject) => void open.delete(subject),
    forget: () => open.clear(),
  }
}
