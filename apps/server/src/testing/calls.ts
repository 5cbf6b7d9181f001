import { request } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import type { RunningServer } from './running-server.ts'

/** An answer with its envelope; `body` is null when it is not JSON. */
export type RawAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  readonly body: { code: number; msg: string; data: unknown } | null
}

export type RawCall = {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** An object is sent as JSON, text and bytes unchanged. */
  readonly body?: object | string | Buffer
}

/** Makes an HTTP call without the headers that `fetch` would add; only an object gets a content type, JSON. */
export async function call(
  server: Pick<RunningServer, 'url'>,
  path: string,
  options: RawCall = {},
): Promise<RawAnswer> {
  const { body } = options
  const isObject = typeof body === 'object' && !Buffer.isBuffer(body)
  const sent = isObject ? JSON.stringify(body) : body
  const answer = await new Promise<Omit<RawAnswer, 'body'>>((resolve, reject) => {
    const { hostname, port } = new URL(server.url)
    const method = options.method ?? (body === undefined ? 'GET' : 'POST')
    const headers = {
      ...(isObject && { 'content-type': 'application/json' }),
      ...(sent !== undefined && { 'content-length': String(Buffer.byteLength(sent)) }),
      ...options.headers,
    }
    const outgoing = request({ hostname, port, path, method, headers }, (response) => {
      textOf(response).then(
        (text) => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        reject,
      )
    })
    outgoing.on('error', reject)
    outgoing.end(sent)
  })
  return { ...answer, body: parsed(answer.text) }
}

/** The data of an answer; its type is not checked. */
export const dataOf = <Data>({ body }: Pick<RawAnswer, 'body'>): Data => body?.data as Data

function parsed(text: string): RawAnswer['body'] {
  try {
    return JSON.parse(text) as RawAnswer['body']
  } catch {
    return null
  }
}
