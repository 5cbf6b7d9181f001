import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { SERVER_WINDOW_BITS } from './frame.ts'

/** A valid handshake (RFC 6455, 4.2.1). */
export type Handshake = {
  readonly key: string
  /** The first protocol that the client offers; a browser that offers some requires an answer. */
  readonly protocol: string | null
  /** The client supports permessage-deflate with our parameters. */
  readonly mayCompress: boolean
}

/** The only version of the protocol that we speak. */
export const VERSION = '13'
/** Sixteen bytes in base64. */
const KEY = /^[A-Za-z0-9+/]{22}==$/
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** The GUID of RFC 6455, 1.3, which proves that the server knows WebSocket. */
const KEY_SUFFIX = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

/** Null for a request that is not a valid handshake. */
export function readHandshake(headers: IncomingHttpHeaders): Handshake | null {
  const key = headers['sec-websocket-key']
  if (headers['sec-websocket-version'] !== VERSION || key === undefined || !KEY.test(key)) return null
  const offers = offersOf(headers['sec-websocket-extensions'] ?? '')
  if (offers === null) return null
  const [protocol = ''] = (headers['sec-websocket-protocol'] ?? '').split(',')
  return {
    key,
    protocol: TOKEN.test(protocol.trim()) ? protocol.trim() : null,
    mayCompress: offers.some(isAcceptable),
  }
}

/** The HTTP answer that opens the socket. */
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

/** Without context takeover on either side, so that one frame is valid for all clients and each message decompresses alone. */
const AGREED = [
  'permessage-deflate',
  'server_no_context_takeover',
  'client_no_context_takeover',
  `server_max_window_bits=${SERVER_WINDOW_BITS}`,
].join('; ')

type Offer = { readonly name: string; readonly parameters: readonly (readonly [string, string | null])[] }

/** A token, or a token in quotes. */
const VALUE = /^(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+|"[!#$%&'*+.^_`|~0-9A-Za-z-]+")$/

/** The offered extensions; null for a list that does not follow the grammar (RFC 6455, 9.1), which may have empty elements. */
function offersOf(header: string): Offer[] | null {
  const offers = header
    .split(',')
    .map((offer) => offer.trim())
    .filter((offer) => offer !== '')
    .map(readOffer)
  return offers.every((offer) => offer !== null) ? offers : null
}

function readOffer(offer: string): Offer | null {
  const [name = '', ...rest] = offer.split(';').map((part) => part.trim())
  const parameters = rest.map((parameter) => {
    const [key = '', ...values] = parameter.split('=').map((part) => part.trim())
    const isValid = TOKEN.test(key) && values.length <= 1 && values.every((value) => VALUE.test(value))
    return isValid ? ([key, values[0]?.replaceAll('"', '') ?? null] as const) : null
  })
  if (!TOKEN.test(name) || !parameters.every((parameter) => parameter !== null)) return null
  return { name, parameters }
}

/** An unacceptable offer is ignored: the socket is then not compressed (RFC 7692, 5.1). */
function isAcceptable({ name, parameters }: Offer): boolean {
  const names = parameters.map(([parameter]) => parameter)
  return (
    name === 'permessage-deflate' &&
    new Set(names).size === names.length &&
    parameters.every(([parameter, value]) => isSupported(parameter, value))
  )
}

function isSupported(parameter: string, value: string | null): boolean {
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
