import {
  type DeskPermission,
  type DeskSelf,
  getDeskSelf,
  joinDesk,
  logInToDesk,
  logInToDeskByPasskey,
  logOutOfDesk,
  mayDo,
  prepareDeskPasskeyLogIn,
} from '@fairlot/contract/desk'
import { type PasskeyProblem, signWithPasskey } from '@fairlot/ui/passkeys/passkeys.ts'
import { keyOf, queryClient, type QueryState, useDeskQuery } from './queries.ts'
import { request } from './request.ts'
import { setToken, useSession, type LogOutReason } from './token.ts'

/** The operator who is logged in; disabled while no one is. */
export const useSelfQuery = (): QueryState<DeskSelf> =>
  useDeskQuery(getDeskSelf, null, { isOn: useSession(({ token }) => token !== null) })

/** The operator who is logged in. Only for components inside the shell, where one always is. */
export function useSelf(): DeskSelf {
  const { data } = useSelfQuery()
  if (!data) throw new Error('no operator is logged in')
  return data
}

/** Whether the operator has a permission. */
export const useMay = (permission: DeskPermission): boolean => mayDo(useSelf().role, permission)

function startSession({ token, self }: { token: string; self: DeskSelf }): void {
  queryClient.clear()
  queryClient.setQueryData(keyOf(getDeskSelf, null), self)
  setToken(token)
}

/** Logs in. Rejects with a CallError; with the reason `secondFactorNeeded` when a code is required. */
export const logIn = async (name: string, password: string, code: string | null): Promise<void> =>
  startSession(await request(logInToDesk, { name, password, code }))

/** Logs in by a passkey; null once that is done. Rejects with a CallError. */
export async function logInByPasskey(): Promise<PasskeyProblem | null> {
  const passkey = await signWithPasskey(await request(prepareDeskPasskeyLogIn, null))
  if (typeof passkey === 'string') return passkey
  startSession(await request(logInToDeskByPasskey, { passkey }))
  return null
}

type JoinKeys = { readonly invitation: string; readonly confirmation: string; readonly password: string }

/** Sets the first password with the two keys of an invitation and logs in. Rejects with a CallError. */
export const join = async (keys: JoinKeys): Promise<void> => startSession(await request(joinDesk, keys))

/** Logs out; this page drops the session whatever the server's response. */
export async function logOut(reason: LogOutReason | null = null): Promise<void> {
  await request(logOutOfDesk, null).catch(() => undefined)
  setToken(null, reason)
}
