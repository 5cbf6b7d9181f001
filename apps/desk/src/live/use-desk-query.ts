import type { DeskEndpoint } from '@fairlot/contract/desk'
import { useQuery } from '@tanstack/react-query'
import { keyOf } from './query-client.ts'
import { refusalText, request } from './request.ts'

type Options = {
  /** Other topics that make the answer out of date, besides the call's own (see `topicOf`). */
  topics?: readonly string[]
  /** Not asked while false: what it needs is not known yet. */
  isOn?: boolean
  /** Asks again so often while it is on the screen, ms: figures that move with prices. */
  everyMs?: number
}

/** What a call answered. */
export type Asked<Output> = {
  /** Undefined until the first answer, and after a refusal without one. */
  data: Output | undefined
  isLoading: boolean
  /** Why there is no answer, in words. */
  problem: string | null
  /** Asks again. */
  retry: () => void
}

/** Asks a call of the desk and keeps its answer; asks again whenever the server says that its topic has changed. */
export function useDeskQuery<Input, Output>(
  endpoint: DeskEndpoint<Input, Output>,
  input: Input,
  { topics = [], isOn = true, everyMs }: Options = {},
): Asked<Output> {
  const { data, error, isLoading, refetch } = useQuery({
    queryKey: keyOf(endpoint, input),
    queryFn: ({ signal }) => request(endpoint, input, { signal }),
    meta: { topics },
    enabled: isOn,
    refetchInterval: everyMs ?? false,
  })
  return { data, isLoading, problem: error && refusalText(error), retry: () => void refetch() }
}
