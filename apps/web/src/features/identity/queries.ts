import { getIdentityCheck, sendIdentity, type IdentityForm } from '@fairlot/contract'
import { useQuery } from '@tanstack/react-query'
import { change } from '../../live/requests/change.ts'
import { queryClient } from '../../live/requests/query-client.ts'
import { request } from '../../live/requests/request.ts'

/** Below what is asked for again when an operator has decided something about the user. */
const KEY = ['user', 'identity']

export const useIdentityCheck = () =>
  useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => request(getIdentityCheck, null, { signal, isSilent: true }),
    staleTime: 0,
  })

/** Sends what is filled in. Rejects when refused, without showing it. */
export async function sendDocuments(form: IdentityForm): Promise<void> {
  await change(sendIdentity, form, { isSilent: true, isWaitedFor: true, isTold: true })
  await queryClient.invalidateQueries({ queryKey: ['user'] })
}
