import { UPLOAD, uploadPicture } from '@fairlot/contract'
import { request, type Send } from './request.ts'

type Upload = {
  /** From 0 to 1, while the picture is on its way. */
  readonly onProgress: (part: number) => void
  readonly signal: AbortSignal
}

/** Sends a picture of the user and answers its url, for a form to name it by. Rejects with a CallError that nobody has shown yet. */
export async function sendPicture(file: File, { onProgress, signal }: Upload): Promise<string> {
  const { url } = await request(uploadPicture, null, {
    ...{ signal, isSilent: true },
    sendBy: sendFile(file, onProgress),
  })
  return url
}

/** Sends a file in place of the call's own body: only XMLHttpRequest tells how much of it has left. */
const sendFile =
  (file: File, onProgress: Upload['onProgress']): Send =>
  (url, { method, headers, signal }) =>
    new Promise((resolve, reject) => {
      const sending = new XMLHttpRequest()
      sending.open(method, url)
      for (const [name, value] of Object.entries(headers))
        // The browser names the type itself, with the line between the parts.
        if (name !== 'content-type') sending.setRequestHeader(name, value)
      sending.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total)
      sending.onload = () =>
        resolve({ status: sending.status, text: () => Promise.resolve(sending.responseText) })
      sending.onerror = () => reject(new TypeError('no answer'))
      sending.onabort = () => reject(new DOMException('taken back', 'AbortError'))
      signal?.addEventListener('abort', () => sending.abort(), { once: true })
      const body = new FormData()
      body.append(UPLOAD.field, file)
      sending.send(body)
    })
