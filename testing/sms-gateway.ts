import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'

export type GatewayCall = {
  readonly path: string
  readonly authorization: string | undefined
  readonly type: string | undefined
  readonly body: string
}

/** An SMS gateway on its own port that records requests and answers with an HTTP status. */
export type SmsGateway = {
  readonly port: number
  readonly calls: readonly GatewayCall[]
  close(): void
}

export async function openSmsGateway(status = 200): Promise<SmsGateway> {
  const calls: GatewayCall[] = []
  const server = createServer((request, response) => {
    void textOf(request).then((body) => {
      const { authorization, 'content-type': type } = request.headers
      calls.push({ path: request.url ?? '', authorization, type, body })
      response.writeHead(status).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { calls, port: (server.address() as AddressInfo).port, close: () => void server.close() }
}
