import { decode, encode, getUser, type User } from '@fairlot/contract'
import { readStored, writeStored } from '../device/storage.ts'
import { request } from '../requests/request.ts'
import { currentToken } from '../device/token.ts'

/** Fetches the logged-in user, as the first call of a visit, and stores it beside the token. */
export async function fetchUser(signal: AbortSignal): Promise<User> {
  // The query may have been cancelled while this file was loading.
  signal.throwIfAborted()
  const token = currentToken()
  const user = await request(getUser, null, { signal, isSilent: true, isInitial: true })
  storeUser(user, token)
  return user
}

/** Stores a user beside the token of their session, for the next start of the app; not beside that of another tab's newer one. */
export function storeUser(user: User, token: string | null): void {
  if (token !== null && token === readStored('token'))
    writeStored('user', JSON.stringify(encode(getUser.response, user)))
}

/** The stored user; null for none, or for what an older version stored otherwise. */
export function storedUser(): User | null {
  const stored = decode(getUser.response, parsed(readStored('user')))
  return stored.ok ? stored.value : null
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}
