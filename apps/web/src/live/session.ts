import {
  CallError,
  createDemoAccount,
  getUser,
  logIn,
  logOut,
  logOutEverywhere,
  register,
} from '@fairlot/contract'
import type { Caller, LoggedIn, LoginRequest, Registration, User } from '@fairlot/contract'
import { useQuery } from '@tanstack/react-query'
import { keepDemo, keptDemo } from './demo.ts'
import { queryClient } from './query-client.ts'
import { request, showFailure } from './request.ts'
import { setToken, useIsLoggedIn } from './token.ts'

const USER_KEY = ['user', 'info']

/** Keys of what belongs to the user and not to everybody. */
const OWN = ['user', 'orders', 'figures', 'funds']

function forgetOwn(): void {
  for (const key of OWN) queryClient.removeQueries({ queryKey: [key] })
}

/** The first question of a visit is an initial one. */
function useUserAnswer() {
  const isLoggedIn = useIsLoggedIn()
  const { data, isError } = useQuery({
    queryKey: USER_KEY,
    queryFn: ({ signal }) => request(getUser, null, { signal, isSilent: true, isInitial: true }),
    enabled: isLoggedIn,
  })
  return { isLoggedIn, user: isLoggedIn ? data : undefined, isError }
}

/** The user; undefined for a visitor and before the first answer. */
export const useUser = (): User | undefined => useUserAnswer().user

/** What a user logs in with, as one would write it down; null for a demo account. */
export const contactOf = ({ email, phone, areaCode }: User): string | null =>
  email ?? (phone !== null && areaCode !== null ? `+${areaCode} ${phone}` : phone)

/** Who stands before a guard; undefined while that is being asked. Unanswered, the server's own guards decide. */
export function useCaller(): Caller | undefined {
  const { isLoggedIn, user, isError } = useUserAnswer()
  if (!isLoggedIn) return 'visitor'
  if (user) return user.isDemo ? 'demo' : 'real'
  return isError ? 'real' : undefined
}

function enter({ token, user }: LoggedIn): void {
  forgetOwn()
  queryClient.setQueryData(USER_KEY, user)
  setToken(token)
}

/** Opens the demo account of this device, a new one when there is none. Rejects when refused; the refusal was shown then. */
export async function startDemo(): Promise<void> {
  if (await openKeptDemo()) return
  const key = await request(createDemoAccount, null, { isWaitedFor: true })
  keepDemo(key.demoId)
  enter(await request(logIn, key, { isWaitedFor: true }))
}

/** False when there is none, or the server does not know it any more. */
async function openKeptDemo(): Promise<boolean> {
  const demoId = keptDemo()
  if (demoId === null) return false
  try {
    enter(await request(logIn, { demoId }, { isWaitedFor: true, isSilent: true }))
    return true
  } catch (error) {
    if (!(error instanceof CallError) || error.failure.reason !== 'demoIdUnknown') {
      if (error instanceof CallError) showFailure(error.failure)
      throw error
    }
    keepDemo(null)
    return false
  }
}

/** Logs in to a real account. Rejects when refused, without showing it. The demo of this device can still be opened. */
export async function logInWith(credentials: LoginRequest): Promise<void> {
  enter(await request(logIn, credentials, { isSilent: true, isWaitedFor: true }))
}

/** Opens a real account and logs in to it. Rejects when refused, without showing it. */
export async function registerAccount(registration: Registration): Promise<void> {
  enter(await request(register, registration, { isSilent: true, isWaitedFor: true }))
}

/** Forgets the user on this device: the server says that the session is gone. */
export function forgetUser(): void {
  setToken(null)
  forgetOwn()
}

/** The user wished to leave: a demo account goes for good. */
function forgetLeft(): void {
  if (queryClient.getQueryData<User>(USER_KEY)?.isDemo) keepDemo(null)
  setToken(null, true)
  forgetOwn()
}

/** Logs out. The device forgets the user whatever the server answers. */
export async function leave(): Promise<void> {
  await request(logOut, null, { isSilent: true, isWaitedFor: true }).catch(() => undefined)
  forgetLeft()
}

/** Ends every session of the user, this one too. Rejects when that was refused; the refusal was shown then. */
export async function leaveEverywhere(): Promise<void> {
  await request(logOutEverywhere, null, { isWaitedFor: true })
  forgetLeft()
}
