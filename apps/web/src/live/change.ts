import { encode } from '@fairlot/contract'
import type { Endpoint } from '@fairlot/contract'
import { createIntentions, type Intentions } from './intentions.ts'
import { newRequestId, request, type RequestOptions } from './request.ts'
import { onTokenChange } from './token.ts'

type Send = typeof request
type Change = <Input extends Readonly<Record<string, unknown>> | null, Output>(
  endpoint: Endpoint<Input, Output>,
  input: Input,
  options?: Omit<RequestOptions, 'requestId'>,
) => Promise<Output>

/** Makes calls that change something under the name of what is meant, which ends when it has succeeded. */
export const createChange =
  (send: Send, intentions: Intentions): Change =>
  async (endpoint, input, options = {}) => {
    const subject = [endpoint.name, input?.['orderId'], input?.['instrumentId']].join(' ')
    const requestId = intentions.nameOf(subject, JSON.stringify(encode(endpoint.request, input)))
    const answer = await send(endpoint, input, { ...options, requestId })
    intentions.done(subject)
    return answer
  }

const intentions = createIntentions(newRequestId)

/** Makes a call that changes something; rejects as `request` does. Tried again after no answer it cannot happen twice. */
export const change = createChange(request, intentions)

/** What one user meant is no other's; called once at the start of the app. */
export const openChanges = (): void => void onTokenChange(intentions.forget)
