/** Requests that were accepted: the same one sent again does nothing twice. */
import type { Core } from './core.ts'
import type { Entry, Request } from './event.ts'
import type { RememberedRequest, State } from './state.ts'

/** How long an accepted request is remembered: 48 hours, in ms. */
export const REQUEST_MEMORY_MS = 48 * 3_600_000

export const requestKey = (request: Pick<Request, 'accountId' | 'call' | 'id'>): string =>
  `${request.accountId} ${request.call} ${request.id}`

/**
 * What a request did when it was accepted, if that was at most 48 hours before `at` (epoch ms). Older ones may still lie
 * in memory until the next request sweeps them out; whether they do never decides.
 */
export function rememberedRequest(
  { requests }: Pick<State, 'requests'>,
  request: Request,
  at: number,
): RememberedRequest | null {
  const remembered = requests.get(requestKey(request))
  return remembered && remembered.at >= at - REQUEST_MEMORY_MS ? remembered : null
}

/** Keeps the request of an accepted entry, with the journal row it goes into, and lets go of those that are too old. */
export function rememberRequest({ state, journalRow }: Core, entry: Entry): void {
  const { request, at } = entry
  if (!request) return
  const key = requestKey(request)
  // A name taken again after its time moves to the end, where the youngest are.
  state.requests.delete(key)
  state.requests.set(key, { digest: request.digest, at, row: journalRow })
  forgetOldRequests(state, at - REQUEST_MEMORY_MS)
}

/** The map keeps insertion order, which is the order of time, so the oldest are always in front. */
function forgetOldRequests({ requests }: State, before: number): void {
  for (const [key, remembered] of requests) {
    if (remembered.at >= before) return
    requests.delete(key)
  }
}
