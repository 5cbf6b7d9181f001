import type { DeskEndpoint } from '@fairlot/contract/desk'
import { showToast } from '@fairlot/ui/toast.ts'
import { useRef, useState } from 'react'
import { renew, topicOf } from './query-client.ts'
import { newRequestId, refusalText, refusedField, request } from './request.ts'

type Options<Output> = {
  /** What to say once it is done; null says nothing. */
  done?: string | ((answer: Output) => string | null)
  /** What else is out of date then, besides the call's own topic. */
  topics?: readonly string[]
  /** A refusal stands in `problem` alone, beside what it is about, instead of in a notice as well. */
  isQuiet?: boolean
}

/** What came of it, or why it was refused, in words. */
export type Done<Output> =
  | { readonly ok: true; readonly value: Output }
  /** `field`: which one of the form it is about, where the server says so. */
  | { readonly ok: false; readonly problem: string; readonly field: string | null }

export type DeskActing<Input, Output> = {
  /** Does it; never rejects. Tried again after no answer, a call that `changes` cannot happen twice. */
  run: (input: Input) => Promise<Done<Output>>
  isBusy: boolean
  /** Why it was refused, in words, until the next try. */
  problem: string | null
}

/** Something that an operator does: calls, says what came of it and renews what has changed by it. */
export function useDeskAct<Input, Output>(
  endpoint: DeskEndpoint<Input, Output>,
  { done, topics = [], isQuiet = false }: Options<Output> = {},
): DeskActing<Input, Output> {
  const [state, setState] = useState<{ isBusy: boolean; problem: string | null }>(IDLE)
  const intended = useRef<{ payload: string; requestId: string } | null>(null)
  const nameOf = (payload: string) => {
    if (intended.current?.payload !== payload) intended.current = { payload, requestId: newRequestId() }
    return intended.current.requestId
  }
  const run = async (input: Input): Promise<Done<Output>> => {
    setState({ isBusy: true, problem: null })
    try {
      const answer = await request(endpoint, input, { requestId: nameOf(payloadOf(input)) })
      intended.current = null
      setState(IDLE)
      renew([topicOf(endpoint), ...topics])
      const text = typeof done === 'function' ? done(answer) : done
      if (text) showToast({ text })
      return { ok: true, value: answer }
    } catch (error) {
      const problem = refusalText(error) ?? ''
      setState({ isBusy: false, problem })
      if (!isQuiet) showToast({ text: problem, tone: 'problem' })
      return { ok: false, problem, field: refusedField(error) }
    }
  }
  return { run, ...state }
}

const IDLE = { isBusy: false, problem: null }

/** Bigints are told from numbers by nothing else than what they say. */
const payloadOf = (input: unknown): string =>
  JSON.stringify(input, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
