import { getUser, type User } from '@fairlot/contract'
import { request } from '../requests/request.ts'

/** Who is logged in: an initial question. */
export const fetchUser = (signal: AbortSignal): Promise<User> =>
  request(getUser, null, { signal, isSilent: true, isInitial: true })
