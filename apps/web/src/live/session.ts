import { createDemoAccount, getUser, logIn, logOut } from '@fairlot/contract'
import type { User } from '@fairlot/contract'
import { useQuery } from '@tanstack/react-query'
import { queryClient } from './query-client.ts'
import { request } from './request.ts'
import { setToken, useIsLoggedIn } from './token.ts'

const USER_KEY = ['user']

/** Keys of what belongs to the user and not to everybody. */
const OWN = ['user', 'orders', 'figures', 'funds']

function forgetOwn(): void {
  for (const key of OWN) queryClient.removeQueries({ queryKey: [key] })
}

/** The user; undefined for a visitor and before the first answer. The first question of a visit is an initial one. */
export function useUser(): User | undefined {
  const isLoggedIn = useIsLoggedIn()
  const { data } = useQuery({
    queryKey: USER_KEY,
    queryFn: ({ signal }) => request(getUser, null, { signal, isSilent: true, isInitial: true }),
    enabled: isLoggedIn,
  })
  return isLoggedIn ? data : undefined
}

/** Opens a demo account and logs in to it. Rejects when refused; the refusal was shown then. */
export async function startDemo(): Promise<void> {
  const key = await request(createDemoAccount, null, { isWaitedFor: true })
  const { token, user } = await request(logIn, key, { isWaitedFor: true })
  forgetOwn()
  queryClient.setQueryData(USER_KEY, user)
  setToken(token)
}

/** Forgets the user on this device: the server says that the session is gone. */
export function forgetUser(): void {
  setToken(null)
  forgetOwn()
}

/** Logs out. The device forgets the user whatever the server answers. */
export async function leave(): Promise<void> {
  await request(logOut, null, { isSilent: true, isWaitedFor: true }).catch(() => undefined)
  setToken(null, true)
  forgetOwn()
}
