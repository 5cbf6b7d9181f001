import type { DeskEndpoint } from '@fairlot/contract/desk'
import { showToast } from '@fairlot/ui/feedback/toast.ts'
import { useRef, useState } from 'react'
import { refetchTopics, topicOf } from './queries.ts'
import { newRequestId, errorText, rejectedField, request } from './request.ts'

type Options<Output> = {
  /** The toast on success; null for none. */
  done?: string | ((answer: Output) => string | null)
  /** Other topics that are out of date afterwards, besides the endpoint's own. */
  topics?: readonly string[]
  /** Shows a rejection only through `problem`, without a toast. */
  suppressErrorToast?: boolean
}

/** The result, or the reason of the rejection. */
type ActionOutcome<Output> =
  | { readonly ok: true; readonly value: Output }
  /** `field`: the form field it is about, where the server names one. */
  | { readonly ok: false; readonly problem: string; readonly field: string | null }

type DeskAction<Input, Output> = {
  /** Runs the action; never rejects. A retry after a lost response reuses the request id, so it cannot take effect twice. */
  run: (input: Input) => Promise<ActionOutcome<Output>>
  isBusy: boolean
  /** Why it was rejected, until the next try. */
  problem: string | null
}

/** An operator's action: calls the endpoint, shows the outcome and refreshes what it changed. */
export function useDeskAction<Input, Output>(
  endpoint: DeskEndpoint<Input, Output>,
  { done, topics = [], suppressErrorToast = false }: Options<Output> = {},
): DeskAction<Input, Output> {
  const [state, setState] = useState<{ isBusy: boolean; problem: string | null }>(IDLE)
  const intended = useRef<{ payload: string; requestId: string } | null>(null)
  const requestIdOf = (payload: string) => {
    if (intended.current?.payload !== payload) intended.current = { payload, requestId: newRequestId() }
    return intended.current.requestId
  }
  const run = async (input: Input): Promise<ActionOutcome<Output>> => {
    setState({ isBusy: true, problem: null })
    try {
      const answer = await request(endpoint, input, { requestId: requestIdOf(payloadOf(input)) })
      intended.current = null
      setState(IDLE)
      refetchTopics([topicOf(endpoint), ...topics])
      const text = typeof done === 'function' ? done(answer) : done
      if (text) showToast({ text })
      return { ok: true, value: answer }
    } catch (error) {
      const problem = errorText(error) ?? ''
      setState({ isBusy: false, problem })
      if (!suppressErrorToast) showToast({ text: problem, tone: 'problem' })
      return { ok: false, problem, field: rejectedField(error) }
    }
  }
  return { run, ...state }
}

const IDLE = { isBusy: false, problem: null }

/** JSON cannot hold bigints: they are written as text. */
const payloadOf = (input: unknown): string =>
  JSON.stringify(input, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
