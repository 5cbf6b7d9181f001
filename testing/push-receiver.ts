import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A push service of our own, with one browser that subscribed to it. */
export type PushReceiver = {
  /** The subscription as a browser gives it away. */
  readonly subscription: { readonly endpoint: string; readonly publicKey: string; readonly secret: string }
  /** What has arrived, decrypted with the keys of the browser. */
  readonly received: readonly ReceivedPush[]
  /** The status that pushes are answered with from now on. */
  answerWith(status: number): void
  close(): void
}

export type ReceivedPush = {
  readonly payload: unknown
  /** Its header lines. */
  readonly headers: NodeJS.Dict<string | string[]>
}

/** Opens a push service on 127.0.0.1. */
export async function openPushReceiver(): Promise<PushReceiver> {
  const keys = createECDH('prime256v1')
  const publicKey = keys.generateKeys()
  const secret = randomBytes(16)
  const received: ReceivedPush[] = []
  let status = 201
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = decrypted(Buffer.concat(chunks), keys, publicKey, secret)
      received.push({ payload: JSON.parse(text) as unknown, headers: request.headers })
      response.writeHead(status).end()
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    subscription: {
      endpoint: `http://127.0.0.1:${port}/send/${randomBytes(8).toString('hex')}`,
      publicKey: publicKey.toString('base64url'),
      secret: secret.toString('base64url'),
    },
    received,
    answerWith: (next) => {
      status = next
    },
    close: () => void server.close(),
  }
}

const derived = (key: Buffer, salt: Buffer, info: Buffer, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, info, length))

/** The text of a body in the content coding aes128gcm of one record (RFC 8188), with the keys of RFC 8291. */
function decrypted(
  body: Buffer,
  keys: ReturnType<typeof createECDH>,
  publicKey: Buffer,
  secret: Buffer,
): string {
  const salt = body.subarray(0, 16)
  const senderLength = body.readUInt8(20)
  const sender = body.subarray(21, 21 + senderLength)
  const record = body.subarray(21 + senderLength)
  const shared = keys.computeSecret(sender)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, sender])
  const input = derived(shared, secret, info, 32)
  const key = derived(input, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derived(input, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(record.subarray(-16))
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  // The text ends at the last byte that is not zero, a delimiter.
  return padded
    .subarray(
      0,
      padded.findLastIndex((byte) => byte !== 0),
    )
    .toString()
}
