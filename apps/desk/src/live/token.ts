import { create } from 'zustand'

/** Why nobody is logged in any more: after a while without a hand on the desk, or because the server said so. */
export type Leaving = 'idle' | 'gone'

type Session = { readonly token: string | null; readonly leaving: Leaving | null }

const KEY = 'fairlot.desk.token'

/** A browser that forbids storage forgets with the page. */
function stored(): string | null {
  try {
    return sessionStorage.getItem(KEY)
  } catch {
    return null
  }
}

function store(token: string | null): void {
  try {
    if (token === null) sessionStorage.removeItem(KEY)
    else sessionStorage.setItem(KEY, token)
  } catch {
    // Forbidden: the session lives as long as the page.
  }
}

/** The session's key. It ends with the tab: a desk is not left open on a machine. */
export const useSession = create<Session>(() => ({ token: stored(), leaving: null }))

export const currentToken = (): string | null => useSession.getState().token

/** Keeps the key of a session, or forgets it; then `leaving` says why, for the log-in screen. */
export function setToken(token: string | null, leaving: Leaving | null = null): void {
  store(token)
  useSession.setState({ token, leaving })
}

/** Calls back when somebody logs in or out. */
export const onTokenChange = (listener: (token: string | null) => void): (() => void) =>
  useSession.subscribe(({ token }, before) => token !== before.token && listener(token))
