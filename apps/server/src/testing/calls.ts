import type { RunningServer } from './running-server.ts'

/** An answer with the envelope as it came; `body` is null where it was no JSON. */
export type RawAnswer = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: { code: number; msg: string; data: unknown } | null
}

export type RawCall = {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** An object goes as JSON, text as it is. */
  readonly body?: object | string
}

/** Makes one HTTP call with nothing added but the JSON content type of an object. */
export async function call(
  server: Pick<RunningServer, 'url'>,
  path: string,
  options: RawCall = {},
): Promise<RawAnswer> {
  const { body, headers = {} } = options
  const isObject = typeof body === 'object'
  const response = await fetch(`${server.url}${path}`, {
    method: options.method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { ...(isObject && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: isObject ? JSON.stringify(body) : body }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: parsed(text) }
}

function parsed(text: string): RawAnswer['body'] {
  try {
    return JSON.parse(text) as RawAnswer['body']
  } catch {
    return null
  }
}
