import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { SERVER_WINDOW_BITS } from './frame.ts'

/** A handshake that can be answered with yes (RFC 6455, 4.2.1). */
export type Handshake = {
  readonly key: string
  /** The first protocol that the client offers; a browser that offers some wants to hear one. */
  readonly protocol: string | null
  /** The client understands permessage-deflate, as we speak it. */
  readonly mayCompress: boolean
}

const VERSION = '13'
/** Sixteen bytes in base64. */
const KEY = /^[A-Za-z0-9+/]{22}==$/
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** Makes the answer to a key one that only a WebSocket server gives (RFC 6455, 1.3). */
const KEY_SUFFIX = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

/** Null for a request that is no such handshake. */
export function readHandshake(headers: IncomingHttpHeaders): Handshake | null {
  const key = headers['sec-websocket-key']
  if (headers['sec-websocket-version'] !== VERSION || key === undefined || !KEY.test(key)) return null
  const [protocol = ''] = (headers['sec-websocket-protocol'] ?? '').split(',')
  return {
    key,
    protocol: TOKEN.test(protocol.trim()) ? protocol.trim() : null,
    mayCompress: offersOf(headers['sec-websocket-extensions'] ?? '').some(isAcceptable),
  }
}

/** The head of the answer that opens the socket. */
export function handshakeAnswer({ key, protocol, mayCompress }: Handshake): string {
  const accept = createHash('sha1')
    .update(key + KEY_SUFFIX)
    .digest('base64')
  return [
    'HTTP/1.1 101 Switching Protocols',
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Accept: ${accept}`,
    ...(protocol === null ? [] : [`Sec-WebSocket-Protocol: ${protocol}`]),
    ...(mayCompress ? [`Sec-WebSocket-Extensions: ${AGREED}`] : []),
    '\r\n',
  ].join('\r\n')
}

/** Neither side keeps a window from one message to the next: ours fit every reader, theirs are unpacked alone. */
const AGREED = [
  'permessage-deflate',
  'server_no_context_takeover',
  'client_no_context_takeover',
  `server_max_window_bits=${SERVER_WINDOW_BITS}`,
].join('; ')

type Offer = { readonly name: string; readonly parameters: readonly (readonly [string, string | null])[] }

function offersOf(header: string): Offer[] {
  return header.split(',').map((offer) => {
    const [name = '', ...parameters] = offer.split(';').map((part) => part.trim())
    return {
      name,
      parameters: parameters.map((parameter) => {
        const [key = '', value] = parameter.split('=').map((part) => part.trim())
        return [key, value === undefined ? null : value.replace(/^"(.*)"$/, '$1')] as const
      }),
    }
  })
}

/** An offer that we cannot keep is passed over: the socket then goes without compression (RFC 7692, 5.1). */
function isAcceptable({ name, parameters }: Offer): boolean {
  const names = parameters.map(([parameter]) => parameter)
  return (
    name === 'permessage-deflate' &&
    new Set(names).size === names.length &&
    parameters.every(([parameter, value]) => isKept(parameter, value))
  )
}

function isKept(parameter: string, value: string | null): boolean {
  const bits = value !== null && /^([89]|1[0-5])$/.test(value) ? Number(value) : null
  switch (parameter) {
    case 'server_no_context_takeover':
    case 'client_no_context_takeover':
      return value === null
    case 'client_max_window_bits':
      return value === null || bits !== null
    case 'server_max_window_bits':
      return bits !== null && bits >= SERVER_WINDOW_BITS
    default:
      return false
  }
}
