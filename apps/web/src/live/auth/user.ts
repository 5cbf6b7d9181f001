import type { Caller, User } from '@fairlot/contract'
import { useQuery } from '@tanstack/react-query'
import { create } from 'zustand'
import { readStored, writeStored } from '../device/storage.ts'
import { queryClient } from '../requests/query-client.ts'
import { setToken, useIsLoggedIn } from './token.ts'

// Every page asks who the user is. How one becomes one is in `session.ts`, which a visitor's first page does without.

export const USER_KEY = ['user', 'info']

/** Keys of what belongs to the user and not to everybody. */
const OWN = ['user', 'orders', 'figures', 'funds', 'watched', 'support', 'pictures']

/** Forgets what was fetched of a user. */
export function forgetOwn(): void {
  for (const key of OWN) queryClient.removeQueries({ queryKey: [key] })
}

/** The first question of a visit is an initial one. */
function useUserAnswer() {
  const isLoggedIn = useIsLoggedIn()
  const { data, isError } = useQuery({
    queryKey: USER_KEY,
    queryFn: async ({ signal }) => (await import('./fetch-user.ts')).fetchUser(signal),
    enabled: isLoggedIn,
  })
  return { isLoggedIn, user: isLoggedIn ? data : undefined, isError }
}

/** The user; undefined for a visitor and before the first answer. */
export const useUser = (): User | undefined => useUserAnswer().user

/** Who stands before a guard; undefined while that is being asked. Unanswered, the server's own guards decide. */
export function useCaller(): Caller | undefined {
  const { isLoggedIn, user, isError } = useUserAnswer()
  if (!isLoggedIn) return 'visitor'
  if (user) return user.isDemo ? 'demo' : 'real'
  return isError ? 'real' : undefined
}

/** Forgets the user on this device: the server says that the session is gone. */
export function forgetUser(): void {
  setToken(null)
  forgetOwn()
}

/** The secret of the demo account of this device, with which it opens again; null when there is none. */
const useDemo = create<{ demoId: string | null }>(() => ({ demoId: readStored('demo') }))

export const keptDemo = (): string | null => useDemo.getState().demoId

/** Keeps the secret of a demo account, or forgets it. */
export function keepDemo(demoId: string | null): void {
  writeStored('demo', demoId)
  useDemo.setState({ demoId })
}

/** Whether a demo account of this device can be opened again. */
export const useHasDemo = (): boolean => useDemo(({ demoId }) => demoId !== null)
