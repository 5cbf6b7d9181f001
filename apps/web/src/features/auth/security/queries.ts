import {
  changePassword,
  confirmSecondFactor,
  endSession,
  getSecondFactor,
  listSessions,
  prepareSecondFactor,
  removeSecondFactor,
} from '@fairlot/contract'
import type { PasswordChange, SecondFactor, SecondFactorSecret } from '@fairlot/contract'
import { useQuery } from '@tanstack/react-query'
import { queryClient } from '../../../live/requests/query-client.ts'
import { request } from '../../../live/requests/request.ts'
import { setToken } from '../../../live/auth/token.ts'

const SESSIONS_KEY = ['user', 'sessions']
const SECOND_FACTOR_KEY = ['user', 'secondFactor']

const silently = { isSilent: true, isWaitedFor: true }

/** The user's own sessions, the latest used first. */
export const useSessions = () =>
  useQuery({
    queryKey: SESSIONS_KEY,
    queryFn: ({ signal }) => request(listSessions, null, { signal, isSilent: true }),
    staleTime: 0,
  })

/** Ends one of the user's sessions; a refusal is shown. */
export async function endOwnSession(id: string): Promise<void> {
  await request(endSession, { id }, { isWaitedFor: true })
  await queryClient.invalidateQueries({ queryKey: SESSIONS_KEY })
}

/** Whether the second factor is on; undefined before the first answer. */
export const useSecondFactor = (isAsked = true) =>
  useQuery({
    enabled: isAsked,
    queryKey: SECOND_FACTOR_KEY,
    queryFn: ({ signal }) => request(getSecondFactor, null, { signal, isSilent: true }),
    staleTime: 0,
  })

const keepSecondFactor = (state: SecondFactor): void =>
  void queryClient.setQueryData(SECOND_FACTOR_KEY, state)

/** A secret for an authenticator app. Rejects when refused, without showing it; so do the next three. */
export const prepare = (password: string): Promise<SecondFactorSecret> =>
  request(prepareSecondFactor, { password }, silently)

/** Switches the second factor on; answers the recovery codes, which are never shown again. */
export async function switchOn(authCode: string): Promise<readonly string[]> {
  const { recoveryCodes } = await request(confirmSecondFactor, { authCode }, silently)
  keepSecondFactor({ isOn: true, recoveryCodesLeft: recoveryCodes.length })
  return recoveryCodes
}

/** Switches the second factor off. */
export async function switchOff(proof: { password: string; authCode: string }): Promise<void> {
  await request(removeSecondFactor, proof, { ...silently, isTold: true })
  keepSecondFactor({ isOn: false, recoveryCodesLeft: 0 })
}

/** Changes the password and goes on with the fresh session: the others have ended. */
export async function setNewPassword(change: PasswordChange): Promise<void> {
  const { token } = await request(changePassword, change, { ...silently, isTold: true })
  setToken(token)
}
