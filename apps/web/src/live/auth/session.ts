import {
  type Caller,
  CallError,
  closeAccount,
  createDemoAccount,
  getUser,
  type LoggedIn,
  logIn,
  type LoginRequest,
  logOut,
  logOutEverywhere,
  type OwnProof,
  register,
  type Registration,
  type User,
} from '@fairlot/contract'
import { useQuery } from '@tanstack/react-query'
import { fetchAgain, queryClient } from '../requests/query-client.ts'
import { carryWatched, shownWatched } from '../market/watch-list.ts'
import { onServerMessage } from '../connection/server-connection.ts'
import { endSessionOf, request, showFailure } from '../requests/request.ts'
import { currentToken, setToken, useIsLoggedIn } from './token.ts'
import { create } from 'zustand'
import { readStored, writeStored } from '../device/storage.ts'

const USER_KEY = ['user', 'info']

/** Words about what operators did to the user. */
const ABOUT_USER: readonly string[] = [
  ...['accountStatus', 'orderClosedByOperator'],
  ...['identityVerified', 'identityRejected', 'identityUnverified'],
]

/** Asks anew who the user is when an operator has changed what the account may do, and what was done about it. Called once. */
export function startUserUpdates(): void {
  onServerMessage('notice', ({ notice: { kind } }) => {
    if (ABOUT_USER.includes(kind)) void fetchAgain({ queryKey: ['user'] })
  })
}

/** Keys of what belongs to the user and not to everybody. */
const OWN = ['user', 'orders', 'figures', 'funds', 'watched', 'support', 'pictures']

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

/** `watched` comes along: the list of a visitor, where nothing else is said. */
function enter({ token, user }: LoggedIn, watched = currentToken() === null ? shownWatched() : []): void {
  const replaced = currentToken()
  forgetOwn()
  queryClient.setQueryData(USER_KEY, user)
  setToken(token)
  carryWatched(watched).catch(() => undefined)
  if (replaced !== null) endReplaced(replaced)
}

/** Nobody would come back to it. Not before the socket has gone over to the new one: it would hear that it is thrown out. */
function endReplaced(token: string): void {
  const silence = onServerMessage('loginResult', () => {
    silence()
    endSessionOf(token)
  })
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

/** Opens a real account and logs in to it; the own list comes along, of a demo too. Rejects when refused, without showing it. */
export async function registerAccount(registration: Registration): Promise<void> {
  enter(await request(register, registration, { isSilent: true, isWaitedFor: true }), shownWatched())
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
export async function logOutHere(): Promise<void> {
  await request(logOut, null, { isSilent: true, isWaitedFor: true }).catch(() => undefined)
  forgetLeft()
}

/** Ends every session of the user, this one too. Rejects when that was refused; the refusal was shown then. */
export async function logOutOnAllDevices(): Promise<void> {
  await request(logOutEverywhere, null, { isWaitedFor: true })
  forgetLeft()
}

/** Closes the account for good; this device forgets it. Rejects when that was refused, without showing it. */
export async function closeOwnAccount(proof: OwnProof, requestId: string): Promise<void> {
  await request(closeAccount, proof, { isSilent: true, isTold: true, isWaitedFor: true, requestId })
  forgetLeft()
}

/** The secret of the demo account of this device, with which it opens again; null when there is none. */
const useDemo = create<{ demoId: string | null }>(() => ({ demoId: readStored('demo') }))

const keptDemo = (): string | null => useDemo.getState().demoId

/** Keeps the secret of a demo account, or forgets it. */
export function keepDemo(demoId: string | null): void {
  writeStored('demo', demoId)
  useDemo.setState({ demoId })
}

/** Whether a demo account of this device can be opened again. */
export const useHasDemo = (): boolean => useDemo(({ demoId }) => demoId !== null)
