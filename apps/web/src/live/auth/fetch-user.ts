import { getUser, type User } from '@fairlot/contract'
import { request } from '../requests/request.ts'

/** Who is logged in: an initial question. */
export async function fetchUser(signal: AbortSignal): Promise<User> {
  // This file came by a request of its own, in which the question may have been taken back.
  signal.throwIfAborted()
  return request(getUser, null, { signal, isSilent: true, isInitial: true })
}
