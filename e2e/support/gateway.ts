import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import type { ServerProcess } from '../../testing/server-process.ts'

/** The network between browser and server: it can hang, break, and change or refuse answers. */
export type Gateway = {
  /** The address of the server through the gateway, without a trailing slash. */
  readonly url: string
  /** From now on connections open, but nothing answers, as behind a tunnel. */
  hang(): void
  /** From now on nothing can be reached, and open connections are cut. */
  cut(): void
  /** Everything works again. */
  restore(): void
  /** Changes the text of answers whose path matches; null answers with 404. The latest change of a path counts. */
  change(path: RegExp, change: ((text: string) => string) | null): () => void
  close(): void
}

type Change = { readonly path: RegExp; readonly change: ((text: string) => string) | null }

export async function openGateway(server: Pick<ServerProcess, 'url'>): Promise<Gateway> {
  const target = new URL(server.url)
  const sockets = new Set<Socket>()
  const changes: Change[] = []
  let state: 'open' | 'hanging' | 'cut' = 'open'
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  }
  const http = createServer((incoming, outgoing) => {
    if (state === 'hanging') return
    const found = changes.findLast(({ path }) => path.test(incoming.url ?? ''))
    if (found?.change === null) return void outgoing.writeHead(404).end()
    forward(target, incoming, outgoing, found?.change ?? null)
  })
  http.on('connection', (socket) => (state === 'cut' ? socket.destroy() : keep(socket)))
  http.on('upgrade', (incoming, socket: Socket, head) => {
    if (state !== 'open') return
    const upstream = connect(Number(target.port), target.hostname, () => {
      const lines = [`${incoming.method} ${incoming.url} HTTP/1.1`]
      for (let index = 0; index < incoming.rawHeaders.length; index += 2)
        lines.push(`${incoming.rawHeaders[index]}: ${incoming.rawHeaders[index + 1]}`)
      upstream.write(`${lines.join('\r\n')}\r\n\r\n`)
      upstream.write(head)
      upstream.pipe(socket).pipe(upstream)
    })
    keep(upstream)
    socket.on('close', () => upstream.destroy())
    upstream.on('close', () => socket.destroy())
  })
  await new Promise<void>((listening) => http.listen(0, '127.0.0.1', listening))
  const cutAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    hang: () => {
      state = 'hanging'
      // Open sockets fall silent, too: what they carry goes nowhere.
      for (const socket of sockets) socket.unpipe().pause()
    },
    cut: () => {
      state = 'cut'
      cutAll()
    },
    restore: () => {
      state = 'open'
      cutAll()
    },
    change: (path, change) => {
      const added = { path, change }
      changes.push(added)
      return () => void changes.splice(changes.indexOf(added), 1)
    },
    close: () => {
      http.close()
      cutAll()
    },
  }
}

function forward(
  { hostname, port }: URL,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  change: Change['change'],
): void {
  const { method, url: path } = incoming
  const headers = { ...incoming.headers }
  if (change) {
    headers['accept-encoding'] = 'identity'
    // An answer "not modified" has no text to change.
    delete headers['if-none-match']
    delete headers['if-modified-since']
  }
  const upstream = request({ hostname, port, method, path, headers }, (answer) => {
    const status = answer.statusCode ?? 502
    if (!change) return void answer.pipe(outgoing.writeHead(status, answer.headers))
    const chunks: Buffer[] = []
    answer.on('data', (chunk: Buffer) => chunks.push(chunk))
    answer.on('end', () => {
      const text = Buffer.from(change(Buffer.concat(chunks).toString()))
      const { 'content-length': _length, etag: _etag, ...kept } = answer.headers
      outgoing.writeHead(status, { ...kept, 'content-length': text.length }).end(text)
    })
  })
  upstream.on('error', () => outgoing.destroy())
  incoming.pipe(upstream)
}
