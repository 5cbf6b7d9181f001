import { getClosing, takeData, type OwnProof, type User } from '@fairlot/contract'
import { useQuery } from '@tanstack/react-query'
import { fetchFile, saveAs } from '../../../live/requests/fetch-file.ts'
import { request } from '../../../live/requests/request.ts'

export const CLOSING_KEY = ['user', 'closing']

/** What has to be done before the account can be closed. */
export const useClosing = () =>
  useQuery({
    queryKey: CLOSING_KEY,
    queryFn: ({ signal }) => request(getClosing, null, { signal, isSilent: true }),
    staleTime: 0,
  })

/** Saves everything about the user on this device. Rejects when refused, without showing it. */
export async function saveOwnData({ uid }: User, proof: OwnProof): Promise<void> {
  saveAs(await fetchFile(takeData, proof, { isSilent: true }), `fairlot-${uid}.zip`)
}
