import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { constants, deflateRawSync } from 'node:zlib'
import { WebSocket as WsClient } from 'ws'
import { SOCKET } from '@fairlot/contract'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { serverOn } from '../../testing/running-server.ts'

/**
 * The requirements of RFC 6455 for a server, one row each, over a plain TCP connection. Frames are written and read by
 * code of this file alone; the last tests use two independent clients.
 */

const server = serverOn('sqlite')

const KEY = 'dGhlIHNhbXBsZSBub25jZQ=='
const ENDS_WITHIN_MS = 8_000

type Peer = {
  readonly write: (bytes: Buffer | string) => void
  /** The head of the HTTP answer, once it is complete. */
  readonly head: Promise<string>
  /** What came after the head so far. */
  readonly body: () => Buffer
  /** Resolves when `check` holds; rejects when the server ends the connection first, or is silent. */
  readonly until: (check: () => boolean) => Promise<void>
  /** Resolves when the server has ended the connection. */
  readonly ended: Promise<void>
}

function connectRaw(): Peer {
  const { hostname, port } = new URL(server().url)
  const stream = connect({ host: hostname, port: Number(port), noDelay: true })
  let received = Buffer.alloc(0)
  let isEnded = false
  const listeners = new Set<() => void>()
  const notify = () => {
    for (const listener of listeners) listener()
  }
  stream.on('data', (bytes) => {
    received = Buffer.concat([received, bytes])
    notify()
  })
  stream.on('error', () => undefined)
  stream.on('end', () => {
    isEnded = true
    notify()
  })
  stream.on('close', () => {
    isEnded = true
    notify()
  })
  onTestFinished(() => void stream.destroy())
  const headEnd = () => received.indexOf('\r\n\r\n')
  const when = (check: () => boolean) =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => end(() => reject(new Error('the server is silent'))), ENDS_WITHIN_MS)
      const end = (settle: () => void) => {
        clearTimeout(timer)
        listeners.delete(look)
        settle()
      }
      const look = () => {
        if (check()) end(resolve)
        else if (isEnded) end(() => reject(new Error(`the server ended the connection: ${String(received)}`)))
      }
      listeners.add(look)
      look()
    })
  const ended = when(() => isEnded)
  ended.catch(() => undefined)
  return {
    write: (bytes) => void stream.write(bytes),
    head: when(() => headEnd() >= 0).then(() => received.toString('latin1', 0, headEnd() + 4)),
    body: () => received.subarray(headEnd() + 4),
    until: when,
    ended,
  }
}

const FIELDS = {
  Host: 'x',
  Upgrade: 'websocket',
  Connection: 'Upgrade',
  'Sec-WebSocket-Key': KEY,
  'Sec-WebSocket-Version': '13',
}

/** A handshake with some fields changed; null leaves one out, a list sends one several times. */
function handshake(
  changes: Readonly<Record<string, string | readonly string[] | null>> = {},
  requestLine = `GET ${SOCKET.path} HTTP/1.1`,
): string {
  const fields = Object.entries({ ...FIELDS, ...changes }).flatMap(([name, value]) =>
    value === null ? [] : [value].flat().map((each) => `${name}: ${each}`),
  )
  return [requestLine, ...fields, '', ''].join('\r\n')
}

const ACCEPTED = /^HTTP\/1\.1 101 /
const REFUSED = /^HTTP\/1\.1 4\d\d /
const MALFORMED = /^HTTP\/1\.1 400 /
/** The request is served as plain HTTP, and there is no such page. */
const PLAIN = /^HTTP\/1\.1 404 /
const NAMES_VERSION = /^HTTP\/1\.1 4\d\d [^]*\r\nsec-websocket-version: 13\r\n/i
const NO_EXTENSION = /^HTTP\/1\.1 101 (?![^]*sec-websocket-extensions)/i
const NO_PROTOCOL = /^HTTP\/1\.1 101 (?![^]*sec-websocket-protocol)/i

const HANDSHAKES: readonly (readonly [section: string, requirement: string, request: string, RegExp])[] = [
  ['4.2.1', 'a complete handshake is accepted', handshake(), ACCEPTED],
  ['4.2.1 (1)', 'the method is GET', handshake({}, `POST ${SOCKET.path} HTTP/1.1`), MALFORMED],
  ['4.2.1 (1)', 'the version is HTTP/1.1 or higher', handshake({}, `GET ${SOCKET.path} HTTP/1.0`), REFUSED],
  ['4.2.1 (1)', 'the resource exists', handshake({}, 'GET /v1/no-socket HTTP/1.1'), REFUSED],
  ['4.2.1 (2)', 'Host is required', handshake({ Host: null }), MALFORMED],
  ['4.2.1 (3)', 'Upgrade is required', handshake({ Upgrade: null }), PLAIN],
  ['4.2.1 (3)', 'Upgrade names websocket', handshake({ Upgrade: 'h2c' }), PLAIN],
  ['4.2.1 (3)', 'Upgrade is compared without case', handshake({ Upgrade: 'WebSocket' }), ACCEPTED],
  ['4.2.1 (4)', 'Connection is required', handshake({ Connection: null }), PLAIN],
  ['4.2.1 (4)', 'Connection contains Upgrade', handshake({ Connection: 'keep-alive' }), PLAIN],
  ['4.2.1 (4)', 'Connection may list more', handshake({ Connection: 'keep-alive, upgrade' }), ACCEPTED],
  ['4.2.1 (5)', 'a key is required', handshake({ 'Sec-WebSocket-Key': null }), MALFORMED],
  [
    '4.2.1 (5)',
    'the key has 16 bytes, not 15',
    handshake({ 'Sec-WebSocket-Key': btoa('x'.repeat(15)) }),
    MALFORMED,
  ],
  [
    '4.2.1 (5)',
    'the key has 16 bytes, not 17',
    handshake({ 'Sec-WebSocket-Key': btoa('x'.repeat(17)) }),
    MALFORMED,
  ],
  ['4.2.1 (5)', 'the key is base64', handshake({ 'Sec-WebSocket-Key': `${'*'.repeat(22)}==` }), MALFORMED],
  ['11.3.1', 'the key occurs once', handshake({ 'Sec-WebSocket-Key': [KEY, KEY] }), MALFORMED],
  ['4.2.1 (6)', 'a version is required', handshake({ 'Sec-WebSocket-Version': null }), REFUSED],
  [
    '4.4',
    'an older version is refused with ours',
    handshake({ 'Sec-WebSocket-Version': '8' }),
    NAMES_VERSION,
  ],
  [
    '4.4',
    'a newer version is refused with ours',
    handshake({ 'Sec-WebSocket-Version': '14' }),
    NAMES_VERSION,
  ],
  [
    '4.4',
    'a version that is no number is refused with ours',
    handshake({ 'Sec-WebSocket-Version': '13x' }),
    NAMES_VERSION,
  ],
  ['11.3.5', 'the version occurs once', handshake({ 'Sec-WebSocket-Version': ['13', '13'] }), REFUSED],
  [
    '4.2.2 (2)',
    'a page of another origin is refused',
    handshake({ Origin: 'https://other.example' }),
    REFUSED,
  ],
  ['4.2.2 (5.5)', 'no protocol is selected without an offer', handshake(), NO_PROTOCOL],
  [
    '4.2.2 (5.5)',
    'a selected protocol is one of those offered',
    handshake({ 'Sec-WebSocket-Protocol': 'one, two' }),
    /^HTTP\/1\.1 101 [^]*\r\nsec-websocket-protocol: (one|two)\r\n/i,
  ],
  [
    '4.2.2 (5.5)',
    'protocols may be offered in several fields',
    handshake({ 'Sec-WebSocket-Protocol': ['one', 'two'] }),
    /^HTTP\/1\.1 101 [^]*\r\nsec-websocket-protocol: (one|two)\r\n/i,
  ],
  ['4.2.2 (5.6)', 'no extension is selected without an offer', handshake(), NO_EXTENSION],
  [
    '9.1',
    'an unknown extension is not selected',
    handshake({ 'Sec-WebSocket-Extensions': 'foo; bar=1' }),
    NO_EXTENSION,
  ],
  ['9.1', 'an extension is named', handshake({ 'Sec-WebSocket-Extensions': '; x=1' }), MALFORMED],
  ['9.1', 'an extension is named by a token', handshake({ 'Sec-WebSocket-Extensions': 'a b' }), MALFORMED],
  ['9.1', 'a parameter is named', handshake({ 'Sec-WebSocket-Extensions': 'foo; =1' }), MALFORMED],
  [
    '9.1',
    'a parameter after "=" has a value',
    handshake({ 'Sec-WebSocket-Extensions': 'foo; bar=' }),
    MALFORMED,
  ],
  ['9.1', 'a quoted value ends', handshake({ 'Sec-WebSocket-Extensions': 'foo; bar="1' }), MALFORMED],
  [
    '9.1',
    'a quoted value is a token',
    handshake({ 'Sec-WebSocket-Extensions': 'foo; bar="1 2"' }),
    MALFORMED,
  ],
  [
    '9.1',
    'a well-formed list is accepted',
    handshake({ 'Sec-WebSocket-Extensions': 'foo;a="1";b , bar' }),
    ACCEPTED,
  ],
]

describe('the handshake', () => {
  test.each(HANDSHAKES)('%s: %s', async (_section, _requirement, request, expected) => {
    const peer = connectRaw()
    peer.write(request)
    expect(await peer.head).toMatch(expected)
  })

  test('4.2.2 (5): the answer contains the upgrade and the hash of the key', async () => {
    const peer = connectRaw()
    peer.write(handshake())
    const head = await peer.head
    expect(head).toMatch(/^HTTP\/1\.1 101 Switching Protocols\r\n/)
    expect(head).toMatch(/\r\nupgrade: websocket\r\n/i)
    expect(head).toMatch(/\r\nconnection: upgrade\r\n/i)
    const accept = createHash('sha1').update(`${KEY}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')
    expect(head).toContain(`Sec-WebSocket-Accept: ${accept}\r\n`)
  })

  test('4.2.2: a refused handshake ends its connection', async () => {
    const peer = connectRaw()
    peer.write(handshake({ 'Sec-WebSocket-Key': null }))
    await peer.ended
  })
})

const OPCODE = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const

type FrameOptions = {
  readonly isFinal?: boolean
  /** Reserved bits 1 to 3 as 4, 2 and 1. */
  readonly reserved?: number
  /** Null for an unmasked frame. */
  readonly mask?: readonly number[] | null
  /** Bits of the length field; the minimal ones when left out. */
  readonly lengthBits?: 7 | 16 | 64
  /** A length other than that of the payload. */
  readonly length?: bigint
}

/** A frame of a client (5.2). */
function frame(opcode: number, payload: Buffer | string = '', options: FrameOptions = {}): Buffer {
  const bytes = Buffer.from(payload)
  const {
    isFinal = true,
    reserved = 0,
    mask = [0x37, 0xfa, 0x21, 0x3d],
    length = BigInt(bytes.length),
  } = options
  const lengthBits = options.lengthBits ?? (length < 126n ? 7 : length < 65_536n ? 16 : 64)
  const size = { 7: Number(length), 16: 126, 64: 127 }[lengthBits]
  const extended = Buffer.alloc(lengthBits === 7 ? 0 : lengthBits / 8)
  if (lengthBits === 16) extended.writeUInt16BE(Number(length))
  if (lengthBits === 64) extended.writeBigUInt64BE(length)
  const head = Buffer.from([(isFinal ? 0x80 : 0) | (reserved << 4) | opcode, (mask ? 0x80 : 0) | size])
  const masked = mask ? bytes.map((byte, index) => byte ^ (mask[index % 4] ?? 0)) : bytes
  return Buffer.concat([head, extended, Buffer.from(mask ?? []), masked])
}

const text = (payload: Buffer | string, options?: FrameOptions) => frame(OPCODE.text, payload, options)
const part = (payload: Buffer | string, isFinal: boolean, options?: FrameOptions) =>
  frame(OPCODE.continuation, payload, { ...options, isFinal })
const ping = (payload: Buffer | string = '', options?: FrameOptions) => frame(OPCODE.ping, payload, options)

function closing(code?: number, reason: Buffer | string = ''): Buffer {
  const payload = Buffer.alloc(code === undefined ? 0 : 2)
  if (code !== undefined) payload.writeUInt16BE(code)
  return frame(OPCODE.close, Buffer.concat([payload, Buffer.from(reason)]))
}

/** Describes the frames in these bytes; throws for a frame that a server must not send. */
function describeFrames(bytes: Buffer): string[] {
  const frames: string[] = []
  for (let at = 0; at < bytes.length;) {
    const [first = 0, second = 0] = bytes.subarray(at)
    const size = second & 0x7f
    const extended = size === 127 ? 8 : size === 126 ? 2 : 0
    if (bytes.length < at + 2 + extended) return frames
    const length =
      size === 127 ? Number(bytes.readBigUInt64BE(at + 2)) : size === 126 ? bytes.readUInt16BE(at + 2) : size
    const start = at + 2 + extended
    if (bytes.length < start + length) return frames
    if ((second & 0x80) !== 0) throw new Error('5.1: a server must not mask')
    if ((first & 0x70) !== 0) throw new Error('5.2: a reserved bit is set')
    if ((first & 0x80) === 0) throw new Error('this server does not fragment')
    if ((extended === 2 && length < 126) || (extended === 8 && length < 65_536))
      throw new Error('5.2: the length is not minimal')
    frames.push(describeFrame(first & 0x0f, bytes.subarray(start, start + length)))
    at = start + length
  }
  return frames
}

function describeFrame(opcode: number, payload: Buffer): string {
  if (opcode === OPCODE.text) return `text ${(JSON.parse(String(payload)) as { type: string }).type}`
  if (opcode === OPCODE.ping) return `ping ${String(payload)}`
  if (opcode === OPCODE.pong) return `pong ${payload.toString('latin1')}`
  if (opcode === OPCODE.close)
    return payload.length === 0 ? 'close' : `close ${payload.readUInt16BE()}${String(payload.subarray(2))}`
  throw new Error(`5.2: the server sent opcode ${opcode}`)
}

const PING = '{"type":"ping"}'
const PONG = 'text pong'
/** What the socket answers to a text or binary message that is not one of its own. */
const UNKNOWN = 'text refused'
const padded = (length: number): string => PING.padEnd(length, ' ')
const bytes = (...values: number[]): Buffer => Buffer.from(values)
const inText = (...values: number[]): Buffer =>
  Buffer.concat([Buffer.from('{"type":"'), bytes(...values), Buffer.from('"}')])
const LIMIT = SOCKET.frameBytesMax
const deflated = (payload: string): Buffer =>
  deflateRawSync(payload, { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, -4)

/** `sent` is written at once; replies that end with "close" are closed by the server itself. */
type Row = readonly [
  section: string,
  requirement: string,
  sent: readonly Buffer[],
  replies: readonly string[],
]

const FRAMES: readonly Row[] = [
  ['5.1', 'an unmasked text fails the connection', [text(PING, { mask: null })], ['close 1002']],
  ['5.1', 'an unmasked ping fails the connection', [ping('', { mask: null })], ['close 1002']],
  ['5.3', 'a mask of zeros is a mask', [text(PING, { mask: [0, 0, 0, 0] })], [PONG]],
  ['5.3', 'a mask of ones is a mask', [text(PING, { mask: [255, 255, 255, 255] })], [PONG]],
  [
    '5.3',
    'each frame has its own mask',
    [text(PING, { mask: [1, 2, 3, 4] }), text(PING, { mask: [9, 8, 7, 6] })],
    [PONG, PONG],
  ],
  ...[4, 2, 1].map((reserved): Row => [
    '5.2',
    `reserved bits ${reserved.toString(2).padStart(3, '0')} fail the connection`,
    [text(PING, { reserved })],
    ['close 1002'],
  ]),
  ...[3, 4, 5, 6, 7, 11, 12, 13, 14, 15].map((opcode): Row => [
    '5.2',
    `reserved opcode ${opcode} fails the connection`,
    [frame(opcode, PING)],
    ['close 1002'],
  ]),
]

const LENGTHS: readonly Row[] = [
  ['5.2', 'an empty message is a message', [text('')], [UNKNOWN]],
  ['5.2', 'a length of 125 has 7 bits', [text(padded(125))], [PONG]],
  ['5.2', 'a length of 126 has 16 bits', [text(padded(126))], [PONG]],
  ['5.2', 'a length of 127 has 16 bits', [text(padded(127))], [PONG]],
  ['5.2', 'a length of 65,536 has 64 bits, which is above our limit', [text(padded(65_536))], ['close 1009']],
  [
    '5.2',
    'a short length in 16 bits is not minimal',
    [text(padded(125), { lengthBits: 16 })],
    ['close 1002'],
  ],
  [
    '5.2',
    'a short length in 64 bits is not minimal',
    [text(padded(125), { lengthBits: 64 })],
    ['close 1002'],
  ],
  [
    '5.2',
    'a medium length in 64 bits is not minimal',
    [text(padded(126), { lengthBits: 64 })],
    ['close 1002'],
  ],
  [
    '5.2',
    'the highest bit of a 64-bit length is zero',
    [text(PING, { lengthBits: 64, length: 1n << 63n })],
    ['close 1002'],
  ],
  ['10.4', 'a message of the maximum size is accepted', [text(padded(LIMIT))], [PONG]],
  [
    '10.4',
    'a larger frame fails the connection before its payload',
    [text(padded(LIMIT + 1)).subarray(0, 8)],
    ['close 1009'],
  ],
  [
    '10.4',
    'fragments count together',
    [text(padded(LIMIT), { isFinal: false }), part(' ', true)],
    ['close 1009'],
  ],
  [
    '10.4',
    'a length of 2^63 - 1 fails the connection',
    [text(PING, { lengthBits: 64, length: (1n << 63n) - 1n })],
    ['close 1009'],
  ],
]

const FRAGMENTS: readonly Row[] = [
  [
    '5.4',
    'two fragments are one message',
    [text('{"type":', { isFinal: false }), part('"ping"}', true)],
    [PONG],
  ],
  [
    '5.4',
    'fragments may be empty',
    [text('', { isFinal: false }), part('', false), part(PING, false), part('', true)],
    [PONG],
  ],
  [
    '5.4',
    'a character may be cut between fragments',
    [text(inText(0xe2, 0x82).subarray(0, -2), { isFinal: false }), part(bytes(0xac, 0x22, 0x7d), true)],
    [UNKNOWN],
  ],
  [
    '5.4',
    'control frames may come between fragments',
    [text('{"type":', { isFinal: false }), ping('a'), frame(OPCODE.pong), part('"ping"}', true)],
    ['pong a', PONG],
  ],
  ['5.4', 'a continuation needs a beginning', [part(PING, true)], ['close 1002']],
  [
    '5.4',
    'a continuation needs a beginning, whether it is the last or not',
    [part(PING, false)],
    ['close 1002'],
  ],
  ['5.4', 'a finished message has no continuation', [text(PING), part(PING, true)], ['close 1002']],
  ['5.4', 'messages are not interleaved', [text('{"type":', { isFinal: false }), text(PING)], ['close 1002']],
  [
    '5.4',
    'messages of different types are not interleaved',
    [text('{"type":', { isFinal: false }), frame(OPCODE.binary, 'x')],
    ['close 1002'],
  ],
  [
    '10.4',
    '32 fragments are accepted',
    [text('', { isFinal: false }), ...Array<Buffer>(30).fill(part('', false)), part(PING, true)],
    [PONG],
  ],
  [
    '10.4',
    '33 fragments are too many',
    [text('', { isFinal: false }), ...Array<Buffer>(31).fill(part('', false)), part(PING, true)],
    ['close 1009'],
  ],
]

const CONTROLS: readonly Row[] = [
  ['5.5.2', 'a ping is answered', [ping()], ['pong ']],
  ['5.5.3', 'a pong has the payload of its ping', [ping(bytes(0, 255, 0x80, 10))], ['pong \x00\xff\x80\n']],
  ['5.5', 'a control frame has up to 125 bytes', [ping('x'.repeat(125))], [`pong ${'x'.repeat(125)}`]],
  ['5.5', 'a longer control frame fails the connection', [ping('x'.repeat(126))], ['close 1002']],
  ['5.5', 'a longer close frame fails the connection', [closing(1000, 'x'.repeat(124))], ['close 1002']],
  ['5.5', 'a ping is not fragmented', [ping('a', { isFinal: false })], ['close 1002']],
  ['5.5', 'a close frame is not fragmented', [frame(OPCODE.close, '', { isFinal: false })], ['close 1002']],
  ['5.5.2', 'pings are answered in order', [ping('a'), ping('b'), ping('c')], ['pong a', 'pong b', 'pong c']],
  ['5.5.3', 'an unsolicited pong has no answer', [frame(OPCODE.pong, 'a'), ping('b')], ['pong b']],
  ['5.6', 'binary data is delivered', [frame(OPCODE.binary, bytes(0xff, 0xfe))], [UNKNOWN]],
]

const VALID_CODES = [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999]
/** Registered with IANA after the RFC. */
const REGISTERED_CODES = [1012, 1013, 1014]
const INVALID_CODES = [0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535]

const CLOSES: readonly Row[] = [
  ['5.5.1', 'a close frame without a code is answered without one', [closing()], ['close']],
  ...[...VALID_CODES, ...REGISTERED_CODES].map((code): Row => [
    '7.4',
    `close code ${code} is echoed`,
    [closing(code)],
    [`close ${code}`],
  ]),
  ...INVALID_CODES.map((code): Row => [
    '7.4',
    `close code ${code} fails the connection`,
    [closing(code)],
    ['close 1002'],
  ]),
  ['5.5.1', 'a close code has two bytes', [frame(OPCODE.close, 'x')], ['close 1002']],
  ['5.5.1', 'a reason has up to 123 bytes', [closing(1000, 'x'.repeat(123))], ['close 1000']],
  ['5.5.1', 'a reason is UTF-8', [closing(1000, bytes(0xc3, 0x28))], ['close 1007']],
  ['5.5.1', 'a reason may have any UTF-8', [closing(3000, 'näherungsweise ✓')], ['close 3000']],
  ['5.5.1', 'nothing after a close frame is read', [closing(1000), ping('late'), text(PING)], ['close 1000']],
  ['7.1.7', 'nothing after a failure is read', [frame(3), ping('late'), closing(1000)], ['close 1002']],
  [
    '7.1.5',
    'a message before the close is no part of it',
    [ping('a'), closing(4001)],
    ['pong a', 'close 4001'],
  ],
]

const UTF8: readonly Row[] = [
  [
    '8.1',
    'two, three and four bytes a character',
    [text(inText(0xc3, 0xa4, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x98, 0x80))],
    [UNKNOWN],
  ],
  ['8.1', 'the last code point is valid', [text(inText(0xf4, 0x8f, 0xbf, 0xbf))], [UNKNOWN]],
  ['8.1', 'a non-character is valid', [text(inText(0xef, 0xbf, 0xbe))], [UNKNOWN]],
  ...(
    [
      ['a continuation byte alone', [0x80]],
      ['a missing continuation byte', [0xc3]],
      ['a missing second continuation byte', [0xe2, 0x82]],
      ['an overlong form of two bytes', [0xc0, 0xaf]],
      ['an overlong form of three bytes', [0xe0, 0x80, 0xaf]],
      ['an overlong form of four bytes', [0xf0, 0x80, 0x80, 0xaf]],
      ['a surrogate', [0xed, 0xa0, 0x80]],
      ['a pair of surrogates', [0xed, 0xa0, 0x80, 0xed, 0xb0, 0x80]],
      ['a code point above U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
      ['a byte that never occurs', [0xff]],
    ] as const
  ).map(([what, values]): Row => ['8.1', `${what} is invalid`, [text(inText(...values))], ['close 1007']]),
  [
    '8.1',
    'an invalid character over two fragments is invalid',
    [text(bytes(0x22, 0xe2, 0x82), { isFinal: false }), part(bytes(0x28, 0x22), true)],
    ['close 1007'],
  ],
  ['5.6', 'binary data need not be UTF-8', [frame(OPCODE.binary, bytes(0xc0))], [UNKNOWN]],
]

const DEFLATE = { 'Sec-WebSocket-Extensions': 'permessage-deflate' }

/** RFC 7692: permessage-deflate without context takeover. */
const COMPRESSED: readonly Row[] = [
  ['7692 7.2.2', 'a compressed message is read', [text(deflated(PING), { reserved: 4 })], [PONG]],
  ['7692 6', 'a plain message is read', [text(PING)], [PONG]],
  [
    '7692 6.1',
    'a compressed message may be fragmented',
    [
      text(deflated(PING).subarray(0, 4), { reserved: 4, isFinal: false }),
      part(deflated(PING).subarray(4), true),
    ],
    [PONG],
  ],
  [
    '7692 6.1',
    'a continuation does not set the bit',
    [text(deflated(PING), { reserved: 4, isFinal: false }), part('', true, { reserved: 4 })],
    ['close 1002'],
  ],
  ['7692 6', 'a control frame is not compressed', [ping('', { reserved: 4 })], ['close 1002']],
  [
    '5.2',
    'the other reserved bits are still reserved',
    [text(deflated(PING), { reserved: 6 })],
    ['close 1002'],
  ],
  [
    '7692 7.2.2',
    'invalid data fails the connection',
    [text(bytes(0xff, 0xff), { reserved: 4 })],
    ['close 1007'],
  ],
  [
    '10.4',
    'the limit counts expanded bytes',
    [text(deflated(padded(LIMIT + 1)), { reserved: 4 })],
    ['close 1009'],
  ],
  ['8.1', 'the expanded text is UTF-8', [text(deflateInvalid(), { reserved: 4 })], ['close 1007']],
]

function deflateInvalid(): Buffer {
  return deflateRawSync(bytes(0xc3, 0x28), { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, -4)
}

/** Opens a socket, writes, waits for the replies and for the end of the connection; returns a description of all frames. */
async function exchange(
  sent: readonly Buffer[],
  replies: readonly string[],
  fields: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const peer = connectRaw()
  peer.write(handshake(fields))
  expect(await peer.head).toMatch(ACCEPTED)
  for (const each of sent) peer.write(each)
  const isOver = replies.at(-1)?.startsWith('close') === true
  if (!isOver) {
    await peer.until(() => describeFrames(peer.body()).length >= replies.length)
    peer.write(closing(1000))
  }
  await peer.ended
  return describeFrames(peer.body())
}

const expectedOf = (replies: readonly string[]): readonly string[] =>
  replies.at(-1)?.startsWith('close') ? replies : [...replies, 'close 1000']

describe.each([
  ['frames', FRAMES],
  ['lengths and limits', LENGTHS],
  ['fragments', FRAGMENTS],
  ['control frames', CONTROLS],
  ['close codes and reasons', CLOSES],
  ['text', UTF8],
])('%s', (_title, rows) => {
  test.each(rows)('%s: %s', async (_section, _requirement, sent, replies) => {
    expect(await exchange(sent, replies)).toEqual(expectedOf(replies))
  })
})

describe('compression', () => {
  test.each(COMPRESSED)('RFC %s: %s', async (_section, _requirement, sent, replies) => {
    expect(await exchange(sent, replies, DEFLATE)).toEqual(expectedOf(replies))
  })
})

describe('the stream', () => {
  test('5.2: frames are read however the stream is cut', async () => {
    const peer = connectRaw()
    peer.write(handshake())
    await peer.head
    for (const byte of Buffer.concat([ping('a'), text(padded(300)), ping('b')])) peer.write(bytes(byte))
    await peer.until(() => describeFrames(peer.body()).length === 3)
    expect(describeFrames(peer.body()).toSorted()).toEqual(['pong a', 'pong b', PONG])
  })

  test('4.1: frames that follow the handshake at once are read', async () => {
    const peer = connectRaw()
    peer.write(Buffer.concat([Buffer.from(handshake()), ping('early')]))
    await peer.until(() => describeFrames(peer.body()).length === 1)
    expect(describeFrames(peer.body())).toEqual(['pong early'])
  })

  const serverEnd = () => [...server().app.websocketServer.clients].at(-1)

  test('5.5.1, 7.1.2: after its own close frame the server sends nothing, and ends on the answer', async () => {
    const peer = connectRaw()
    peer.write(handshake())
    await peer.head
    const end = serverEnd()
    end?.close(1001)
    end?.ping()
    await peer.until(() => describeFrames(peer.body()).length === 1)
    peer.write(Buffer.concat([ping('late'), text(PING), closing(1001)]))
    await peer.ended
    expect(describeFrames(peer.body())).toEqual(['close 1001'])
  })

  test('7.1.1: without an answer to its close frame it ends the connection after five seconds', async () => {
    const peer = connectRaw()
    peer.write(handshake())
    await peer.head
    const end = serverEnd()
    // Only while the server sets its timer: other timers of the server stay real.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    end?.close(1001)
    vi.advanceTimersByTime(5_000)
    vi.useRealTimers()
    await peer.ended
    expect(describeFrames(peer.body())).toEqual(['close 1001'])
  })

  test('7.1.6: an invalid frame in answer to its close frame ends the connection', async () => {
    const peer = connectRaw()
    peer.write(handshake())
    await peer.head
    serverEnd()?.close(1001)
    await peer.until(() => describeFrames(peer.body()).length === 1)
    peer.write(frame(3))
    await peer.ended
    expect(describeFrames(peer.body())).toEqual(['close 1001'])
  })
})

/** An independent client. */
type OtherClient = {
  readonly send: (data: string | Uint8Array<ArrayBuffer>) => void
  readonly close: (code?: number, reason?: string) => void
  /** The next text message that was not taken yet. */
  readonly next: () => Promise<string>
  readonly closed: Promise<{ readonly code: number; readonly wasClean: boolean }>
  readonly extensions: () => string
}

/** Node's own client and that of `ws`, which share no code. */
const CLIENTS = [
  ['undici in Node', (url: string) => new WebSocket(url)],
  ['ws', (url: string) => new WsClient(url) as unknown as WebSocket],
] as const

async function openWith(create: (url: string) => WebSocket): Promise<OtherClient> {
  const socket = create(`${server().url.replace('http', 'ws')}${SOCKET.path}`)
  const texts: string[] = []
  const waiting: ((text: string) => void)[] = []
  socket.addEventListener('message', ({ data }) => {
    const take = waiting.shift()
    if (take) take(String(data))
    else texts.push(String(data))
  })
  socket.addEventListener('error', () => undefined)
  const closed = new Promise<{ code: number; wasClean: boolean }>((resolve) =>
    socket.addEventListener('close', ({ code, wasClean }) => resolve({ code, wasClean })),
  )
  await new Promise((resolve) => socket.addEventListener('open', resolve))
  return {
    send: (data) => socket.send(data),
    close: (code, reason) => socket.close(code, reason),
    next: () =>
      new Promise((resolve) => {
        const known = texts.shift()
        if (known === undefined) waiting.push(resolve)
        else resolve(known)
      }),
    closed,
    extensions: () => socket.extensions,
  }
}

describe.each(CLIENTS)('the client of %s', (_name, create) => {
  test('exchanges messages of every length', async () => {
    const client = await openWith(create)
    for (const length of [PING.length, 125, 126, 127, LIMIT]) {
      client.send(padded(length))
      expect(await client.next()).toBe('{"type":"pong"}')
    }
    client.close()
    expect(await client.closed).toEqual({ code: 1005, wasClean: true })
  })

  test('agrees on compression', async () => {
    const client = await openWith(create)
    expect(client.extensions()).toContain('permessage-deflate')
    client.close(1000)
    expect(await client.closed).toEqual({ code: 1000, wasClean: true })
  })

  test('receives its own close code', async () => {
    const client = await openWith(create)
    client.close(4_321, 'näherungsweise ✓')
    expect(await client.closed).toEqual({ code: 4_321, wasClean: true })
  })

  test('receives code 1009 for a message that is too large', async () => {
    const client = await openWith(create)
    client.send('x'.repeat(LIMIT + 1))
    expect((await client.closed).code).toBe(1009)
  })

  test('may send binary data', async () => {
    const client = await openWith(create)
    client.send(Uint8Array.from([0xff, 0xfe]))
    expect(JSON.parse(await client.next())).toMatchObject({ type: 'refused' })
  })

  test('answers the close frame of the server', async () => {
    const client = await openWith(create)
    const end = [...server().app.websocketServer.clients].at(-1)
    end?.close(1001)
    expect(await client.closed).toEqual({ code: 1001, wasClean: true })
  })
})
