import type { Caller, User } from '@fairlot/contract'
import { hashKey, type QueryKey, useQuery } from '@tanstack/react-query'
import { create } from 'zustand'
import { readStored, writeStored } from '../device/storage.ts'
import { queryClient } from '../requests/query-client.ts'
import { currentToken, endToken, useIsLoggedIn } from '../device/token.ts'

// Every page needs the user; logging in and out is in `session.ts`, which a visitor's first page does not load.

export const USER_KEY = ['user', 'info']

/** Query keys of the user's own data. */
const OWN = ['user', 'orders', 'figures', 'funds', 'watched', 'support', 'pictures', 'copies', 'strategies']

/** Removes the fetched data of a user. One who takes their place is seen at once by everything that is shown. */
export function forgetOwn(next?: User): void {
  const isKept = (key: QueryKey) => next !== undefined && hashKey(key) === hashKey(USER_KEY)
  for (const key of OWN)
    queryClient.removeQueries({ queryKey: [key], predicate: ({ queryKey }) => !isKept(queryKey) })
  if (next) queryClient.setQueryData(USER_KEY, next)
}

function useUserAnswer() {
  const isLoggedIn = useIsLoggedIn()
  const { data, isError } = useQuery({
    queryKey: USER_KEY,
    queryFn: async ({ signal }) => (await import('./fetch-user.ts')).fetchUser(signal),
    enabled: isLoggedIn,
  })
  return { isLoggedIn, user: isLoggedIn ? data : undefined, isError }
}

/** Shows the user stored beside the token until the server has answered. Never rejects: without it the user is fetched. */
export async function loadUser(): Promise<void> {
  if (currentToken() === null) return
  const user = await import('./fetch-user.ts').then(
    ({ storedUser }) => storedUser(),
    () => null,
  )
  // Dated long ago, so that it is fetched at once.
  if (user) queryClient.setQueryData(USER_KEY, user, { updatedAt: 1 })
}

/** The user; undefined for a visitor and before the first response. */
export const useUser = (): User | undefined => useUserAnswer().user

/** Who is calling, for route guards; undefined before the response. When the call fails, the server's guards decide. */
export function useCaller(): Caller | undefined {
  const { isLoggedIn, user, isError } = useUserAnswer()
  if (!isLoggedIn) return 'visitor'
  if (user) return user.isDemo ? 'demo' : 'real'
  return isError ? 'real' : undefined
}

/** The user, if already known. */
export const currentUser = (): User | undefined => queryClient.getQueryData<User>(USER_KEY)

type EndListener = (user: User) => void
const endListeners = new Set<EndListener>()

/** Calls back when the server has ended the session, before the user and the screens of the user are gone. */
export function onSessionEnded(listener: EndListener): () => void {
  endListeners.add(listener)
  return () => void endListeners.delete(listener)
}

/** Forgets the user on this device after the server has ended the session. `isInitial`: before it was used in this visit. */
export function forgetUser(isInitial = false): void {
  const user = currentUser()
  if (user) for (const listener of endListeners) listener(user)
  endToken(!isInitial)
  forgetOwn()
}

/** The secret that opens the demo account of this device, as this tab knows it; null when there is none. */
const useDemo = create<{ demoId: string | null }>(() => ({ demoId: readStored('demo') }))

/** The secret of the demo account to open: also one that another tab has stored since. */
export function keptDemo(): string | null {
  const demoId = readStored('demo') ?? useDemo.getState().demoId
  useDemo.setState({ demoId })
  return demoId
}

/** Stores the secret of a demo account. */
export function keepDemo(demoId: string): void {
  writeStored('demo', demoId)
  useDemo.setState({ demoId })
}

/** Removes the secret of the demo account that this tab knows. One that another tab has stored since stays, and is known here then. */
export function forgetDemo(): void {
  if (readStored('demo') === useDemo.getState().demoId) writeStored('demo', null)
  useDemo.setState({ demoId: readStored('demo') })
}

/** Whether a demo account of this device can be opened again. */
export const useHasDemo = (): boolean => useDemo(({ demoId }) => demoId !== null)
