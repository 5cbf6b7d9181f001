import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { currentToken } from '../auth/token.ts'

const NEVER_STALE = Infinity

/** A picture of the user as something that an image can show: its own address asks for the token. Undefined until it is there. */
export function useOwnPicture(url: string): {
  readonly src: string | undefined
  readonly isMissing: boolean
  readonly retry: () => void
} {
  const { data, isError, refetch } = useQuery({
    queryKey: ['pictures', url],
    queryFn: ({ signal }) => fetchOwn(url, signal),
    staleTime: NEVER_STALE,
  })
  const [src, setSrc] = useState<string>()
  useEffect(() => {
    if (!data) return
    const made = URL.createObjectURL(data)
    setSrc(made)
    return () => URL.revokeObjectURL(made)
  }, [data])
  return { src, isMissing: isError && !data, retry: () => void refetch() }
}

/** Throws for whatever is no picture: a refusal comes as an envelope. */
async function fetchOwn(url: string, signal: AbortSignal): Promise<Blob> {
  const answer = await fetch(url, { signal, headers: { authorization: currentToken() ?? '' } })
  if (!answer.headers.get('content-type')?.startsWith('image/')) throw new Error('no picture')
  return answer.blob()
}
