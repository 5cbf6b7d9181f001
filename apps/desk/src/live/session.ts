import {
  type DeskAct,
  type DeskSelf,
  getDeskSelf,
  joinDesk,
  logInToDesk,
  logOutOfDesk,
  mayDo,
} from '@fairlot/contract/desk'
import { keyOf, queryClient } from './query-client.ts'
import { request } from './request.ts'
import { setToken, useSession, type Leaving } from './token.ts'
import { type Asked, useDeskQuery } from './use-desk-query.ts'

/** Whoever is logged in; not asked while nobody is. */
export const useSelfQuery = (): Asked<DeskSelf> =>
  useDeskQuery(getDeskSelf, null, { isOn: useSession(({ token }) => token !== null) })

/** The operator who is logged in; only below the guard, where that is known. */
export function useSelf(): DeskSelf {
  const { data } = useSelfQuery()
  if (!data) throw new Error('nobody is logged in')
  return data
}

/** Whether the operator may do what a line of the table of permissions guards. */
export const useMay = (act: DeskAct): boolean => mayDo(useSelf().role, act)

function enter({ token, self }: { token: string; self: DeskSelf }): void {
  queryClient.clear()
  queryClient.setQueryData(keyOf(getDeskSelf, null), self)
  setToken(token)
}

/** Logs in. Rejects when refused; with `secondFactorNeeded` when a code is wanted. */
export const logIn = async (name: string, password: string, code: string | null): Promise<void> =>
  enter(await request(logInToDesk, { name, password, code }))

/** Chooses the first password by an invitation, and logs in. Rejects when refused. */
export const join = async (invitation: string, password: string): Promise<void> =>
  enter(await request(joinDesk, { invitation, password }))

/** Logs out; this page forgets the session whatever the server answers. */
export async function logOut(leaving: Leaving | null = null): Promise<void> {
  await request(logOutOfDesk, null).catch(() => undefined)
  setToken(null, leaving)
}
