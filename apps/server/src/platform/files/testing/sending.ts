import { uploadPicture } from '@fairlot/contract'
import { call, dataOf, type RawAnswer } from '../../../testing/calls.ts'
import type { RunningServer } from '../../../testing/running-server.ts'

const BOUNDARY = 'a-line-between-parts'
export const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`

export type Part = { readonly bytes: Buffer; readonly field?: string; readonly name?: string }

/** A multipart body of files, as a browser sends it. */
export const bodyOf = (...parts: readonly Part[]): Buffer =>
  Buffer.concat([
    ...parts.flatMap(({ bytes, field = 'file', name = 'proof.png' }) => [
      Buffer.from(
        `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\n` +
          'Content-Type: image/png\r\n\r\n',
      ),
      bytes,
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ])

/** Sends a body to the upload endpoint. */
export const sendBody = (
  server: Pick<RunningServer, 'url'>,
  token: string | null,
  body: Buffer,
  type = MULTIPART,
): Promise<RawAnswer> =>
  call(server, uploadPicture.path, {
    body,
    headers: { lang: 'en', 'content-type': type, ...(token !== null && { authorization: token }) },
  })

/** Uploads a picture and returns its url. */
export async function upload(
  server: Pick<RunningServer, 'url'>,
  token: string,
  bytes: Buffer,
): Promise<string> {
  const answer = await sendBody(server, token, bodyOf({ bytes }))
  if (answer.body?.code !== 1) throw new Error(`not accepted: ${answer.text}`)
  return dataOf<{ url: string }>(answer).url
}

/** Fetches a url with a token. */
export async function fetchAs(
  server: Pick<RunningServer, 'url'>,
  token: string | null,
  url: string,
): Promise<{ readonly status: number; readonly headers: Headers; readonly bytes: Buffer }> {
  const answer = await fetch(`${server.url}${url}`, {
    headers: token === null ? {} : { authorization: token },
  })
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
}
