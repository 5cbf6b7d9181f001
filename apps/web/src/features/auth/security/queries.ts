import { useQuery } from '@tanstack/react-query'
import {
  addPasskey,
  changePassword,
  confirmSecondFactor,
  endSession,
  listPasskeys,
  listSessions,
  preparePasskey,
  prepareSecondFactor,
  removePasskey,
  removeSecondFactor,
  renewRecoveryCodes,
} from '@fairlot/contract'
import type {
  NewPasskey,
  NewPasskeyChallenge,
  OwnProof,
  PasswordChange,
  SecondFactorSecret,
} from '@fairlot/contract'
import { setToken } from '../../../live/device/token.ts'
import { queryClient } from '../../../live/requests/query-client.ts'
import { request } from '../../../live/requests/request.ts'
import { refreshSecondFactor } from '../../../live/session/second-factor.ts'

const SESSIONS_KEY = ['user', 'sessions']

const SILENT = { isSilent: true, isWaitedFor: true }

/** The user's sessions, the most recently used first. */
export const useSessions = () =>
  useQuery({
    queryKey: SESSIONS_KEY,
    queryFn: ({ signal }) => request(listSessions, null, { signal, isSilent: true }),
    staleTime: 0,
  })

/** Ends one of the user's sessions; a rejection is shown. */
export async function endOwnSession(id: string): Promise<void> {
  await request(endSession, { id }, { isWaitedFor: true })
  await queryClient.invalidateQueries({ queryKey: SESSIONS_KEY })
}

/** A secret for an authenticator app. Like the next ones, it rejects when the server does, without showing a message. */
export const createSecret = (proof: {
  password: string
  authCode: string | null
}): Promise<SecondFactorSecret> => request(prepareSecondFactor, proof, SILENT)

/** Adds the authenticator app; returns the recovery codes, which cannot be shown again. */
export async function addApp(authCode: string): Promise<readonly string[]> {
  const { recoveryCodes } = await request(confirmSecondFactor, { authCode }, SILENT)
  await refreshSecondFactor()
  return recoveryCodes
}

/** Removes the authenticator app. */
export async function removeApp(proof: { password: string; authCode: string }): Promise<void> {
  await request(removeSecondFactor, proof, { ...SILENT, showsConfirmation: true })
  await refreshSecondFactor()
}

const PASSKEYS_KEY = ['user', 'passkeys']

/** The user's passkeys, the newest first. */
export const usePasskeys = () =>
  useQuery({
    queryKey: PASSKEYS_KEY,
    queryFn: ({ signal }) => request(listPasskeys, null, { signal, isSilent: true }),
    staleTime: 0,
  })

const refreshPasskeys = () =>
  Promise.all([queryClient.invalidateQueries({ queryKey: PASSKEYS_KEY }), refreshSecondFactor()])

/** A challenge for a new passkey, after a proof of ownership. */
export const requestPasskey = (proof: OwnProof): Promise<NewPasskeyChallenge> =>
  request(preparePasskey, proof, SILENT)

/** Adds a passkey that this device has made; returns recovery codes if it is the first safeguard of the account. */
export async function keepPasskey(passkey: NewPasskey): Promise<readonly string[] | null> {
  const { recoveryCodes } = await request(addPasskey, passkey, { ...SILENT, showsConfirmation: true })
  await refreshPasskeys()
  return recoveryCodes
}

/** Removes a passkey. */
export async function dropPasskey(id: string, proof: OwnProof): Promise<void> {
  await request(removePasskey, { id, ...proof }, { ...SILENT, showsConfirmation: true })
  await refreshPasskeys()
}

/** New recovery codes, which cannot be shown again; the earlier ones end. */
export async function newRecoveryCodes(proof: OwnProof): Promise<readonly string[]> {
  const { recoveryCodes } = await request(renewRecoveryCodes, proof, SILENT)
  await refreshSecondFactor()
  return recoveryCodes
}

/** Changes the password and continues with the new session; all others have ended. */
export async function submitPasswordChange(change: PasswordChange): Promise<void> {
  const { token } = await request(changePassword, change, { ...SILENT, showsConfirmation: true })
  setToken(token)
}
