import { type Endpoint, successEnvelope, UPLOAD, uploadPicture } from '@fairlot/contract'
import { request, type RequestOptions, type Send } from './request.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { currentLanguage } from '../device/language.ts'
import { currentToken } from '../device/token.ts'

/**
 * Fetches a file that a call returns in place of the envelope. Rejects with a CallError if the server does, already shown unless
 * the call is silent.
 */
export async function fetchFile<Input>(
  endpoint: Endpoint<Input, null>,
  input: Input,
  options: Pick<RequestOptions, 'isSilent'> = {},
): Promise<Blob> {
  const received: Blob[] = []
  const sendBy: Send = async (url, options) => {
    const answer = await fetch(url, options)
    const { status } = answer
    // A rejection comes in the usual envelope.
    if (!answer.ok || answer.headers.get('content-type')?.startsWith('application/json') === true)
      return { status, text: () => answer.text() }
    received.push(await answer.blob())
    return {
      status,
      text: () => Promise.resolve(JSON.stringify(successEnvelope(endpoint.response, null, ''))),
    }
  }
  await request(endpoint, input, { ...options, sendBy })
  const [file] = received
  if (!file) throw new Error(`${endpoint.name} returned no file`)
  return file
}

/** Saves a file on the user's device. */
export function saveAs(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  URL.revokeObjectURL(link.href)
}

type Upload = {
  /** From 0 to 1, while the picture is uploading. */
  readonly onProgress: (part: number) => void
  readonly signal: AbortSignal
}

/** Uploads a picture and returns its URL for use in a form. Rejects with a CallError that was not shown yet. */
export async function sendPicture(file: File, { onProgress, signal }: Upload): Promise<string> {
  const { url } = await request(uploadPicture, null, {
    signal,
    isSilent: true,
    sendBy: sendFile(file, onProgress),
  })
  return url
}

/** Sends a file in place of the call's own body; only XMLHttpRequest reports upload progress. */
const sendFile =
  (file: File, onProgress: Upload['onProgress']): Send =>
  (url, { method, headers, signal }) =>
    new Promise((resolve, reject) => {
      const sending = new XMLHttpRequest()
      sending.open(method, url)
      for (const [name, value] of Object.entries(headers))
        // The browser sets the type itself, with the boundary of the parts.
        if (name !== 'content-type') sending.setRequestHeader(name, value)
      sending.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total)
      sending.onload = () =>
        resolve({ status: sending.status, text: () => Promise.resolve(sending.responseText) })
      sending.onerror = () => reject(new TypeError('no response'))
      sending.onabort = () => reject(new DOMException('upload cancelled', 'AbortError'))
      signal?.addEventListener('abort', () => sending.abort(), { once: true })
      const body = new FormData()
      body.append(UPLOAD.field, file)
      sending.send(body)
    })

const NEVER_STALE = Infinity

/** An object URL of one of the user's pictures, whose own address needs the session token. Undefined until it has loaded. */
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

/** Throws for anything but a picture: a rejection comes as an envelope. */
async function fetchOwn(url: string, signal: AbortSignal): Promise<Blob> {
  // As every request: with the language, the token and, being a GET, the time.
  const answer = await fetch(`${url}?t=${Date.now()}`, {
    signal,
    headers: { lang: currentLanguage(), authorization: currentToken() ?? '' },
  })
  if (!answer.headers.get('content-type')?.startsWith('image/')) throw new Error('no picture')
  return answer.blob()
}
