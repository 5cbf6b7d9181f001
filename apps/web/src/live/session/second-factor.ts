import { useQuery } from '@tanstack/react-query'
import { getSecondFactor, passkeyCode, type PasskeyPurpose, preparePasskeyProof } from '@fairlot/contract'
import { canUsePasskeys, type PasskeyProblem, signWithPasskey } from '@fairlot/ui/passkeys/passkeys.ts'
import { useBasicInfo } from '../basic-info.ts'
import { queryClient } from '../requests/query-client.ts'
import { request } from '../requests/request.ts'

const SECOND_FACTOR_KEY = ['user', 'secondFactor']

/** Whether the second factor is on, by an app or passkeys; undefined until it is loaded. */
export const useSecondFactor = (isEnabled = true) =>
  useQuery({
    enabled: isEnabled,
    queryKey: SECOND_FACTOR_KEY,
    queryFn: ({ signal }) => request(getSecondFactor, null, { signal, isSilent: true }),
    staleTime: 0,
  })

/** Reads it again after a change. */
export const refreshSecondFactor = (): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: SECOND_FACTOR_KEY })

/** Whether passkeys work on this page: its address belongs to their domain and the browser knows them. */
export const useCanUsePasskeys = (): boolean => canUsePasskeys(useBasicInfo()?.passkeyDomain)

/**
 * Lets one of the user's passkeys sign for a call: resolves with the text that is sent in place of a code. Rejects when the
 * server does, without showing a message.
 */
export async function signFor(
  purpose: PasskeyPurpose,
): Promise<{ readonly code: string } | { readonly problem: PasskeyProblem }> {
  const challenge = await request(preparePasskeyProof, { purpose }, { isSilent: true, isWaitedFor: true })
  const signature = await signWithPasskey(challenge)
  return typeof signature === 'string' ? { problem: signature } : { code: passkeyCode(signature) }
}
