/** Accepted requests: repeating one has no second effect. */
import type { Core } from './running-core.ts'
import type { Entry, Request } from '../model/event.ts'
import type { AcceptedRequest, State } from './state.ts'

/** How long an accepted request is kept: 48 hours, in ms. */
export const REQUEST_RETENTION_MS = 48 * 3_600_000

export const requestKey = (request: Pick<Request, 'accountId' | 'call' | 'id'>): string =>
  `${request.accountId} ${request.call} ${request.id}`

/**
 * An accepted request, if it was accepted at most 48 hours before `at` (epoch ms). Older ones may stay in memory
 * until the next request, without any effect.
 */
export function acceptedRequest(
  { requests }: Pick<State, 'requests'>,
  request: Request,
  at: number,
): AcceptedRequest | null {
  const accepted = requests.get(requestKey(request))
  return accepted && accepted.at >= at - REQUEST_RETENTION_MS ? accepted : null
}

/** Records the request of an accepted entry with its journal row, and removes expired ones. */
export function recordRequest({ state, journalRow }: Core, entry: Entry): void {
  const { request, at } = entry
  if (!request) return
  const key = requestKey(request)
  // An id used again after its time moves to the end, where the newest are.
  state.requests.delete(key)
  state.requests.set(key, { digest: request.digest, at, row: journalRow })
  removeExpiredRequests(state, at - REQUEST_RETENTION_MS)
}

/** The map keeps insertion order, which is the order of time, so the oldest are in front. */
function removeExpiredRequests({ requests }: State, before: number): void {
  for (const [key, accepted] of requests) {
    if (accepted.at >= before) return
    requests.delete(key)
  }
}
