import { describe, expect, test } from 'vitest'
import { handshakeAnswer, readHandshake } from './handshake.ts'

const KEY = 'dGhlIHNhbXBsZSBub25jZQ=='
const headers = { 'sec-websocket-key': KEY, 'sec-websocket-version': '13' }
const withOffer = (offer: string) => readHandshake({ ...headers, 'sec-websocket-extensions': offer })

describe('a handshake', () => {
  test('is answered with the accept key of RFC 6455, 1.3', () => {
    const handshake = readHandshake(headers)
    expect(handshake).toEqual({ key: KEY, protocol: null, mayCompress: false })
    expect(handshake && handshakeAnswer(handshake)).toBe(
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
        'Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n',
    )
  })

  test('without a key, with a key of another length or another version is invalid', () => {
    expect(readHandshake({ 'sec-websocket-version': '13' })).toBeNull()
    expect(readHandshake({ ...headers, 'sec-websocket-key': 'c2hvcnQ=' })).toBeNull()
    expect(readHandshake({ ...headers, 'sec-websocket-version': '8' })).toBeNull()
  })

  test('is answered with the first offered protocol, if its name is valid', () => {
    const offered = (protocols: string) =>
      readHandshake({ ...headers, 'sec-websocket-protocol': protocols })?.protocol
    expect(offered('v1.json, v2.json')).toBe('v1.json')
    expect(offered('a\tb')).toBeNull()
  })

  test.each([
    ',;=,',
    '; x=1',
    'a b',
    'permessage-deflate; =1',
    'permessage-deflate; server_max_window_bits=',
    'permessage-deflate; server_max_window_bits="15',
    'permessage-deflate; server_max_window_bits=1=5',
    'permessage-deflate;',
  ])('is none with malformed extensions: %j', (offer) => {
    expect(withOffer(offer)).toBeNull()
  })

  test.each([
    'permessage-deflate',
    'permessage-deflate; client_max_window_bits',
    'permessage-deflate; client_max_window_bits=10; server_max_window_bits="15"',
    'x-webkit-deflate-frame, permessage-deflate; client_no_context_takeover; server_no_context_takeover',
    'permessage-deflate; server_max_window_bits=9, permessage-deflate',
  ])('negotiates compression without context takeover: %s', (offer) => {
    const handshake = withOffer(offer)
    expect(handshake?.mayCompress).toBe(true)
    expect(handshake && handshakeAnswer(handshake)).toContain(
      'Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover; ' +
        'client_no_context_takeover; server_max_window_bits=12\r\n\r\n',
    )
  })

  test.each([
    '',
    ', ,',
    'permessage-deflate; server_max_window_bits=11',
    'permessage-deflate; server_max_window_bits',
    'permessage-deflate; server_max_window_bits=16',
    'permessage-deflate; client_max_window_bits=1e1',
    'permessage-deflate; client_no_context_takeover=1',
    'permessage-deflate; server_no_context_takeover; server_no_context_takeover',
    'permessage-deflate; unknown',
    'permessage-bzip2',
  ])('does without compression if it cannot accept the offer: %j', (offer) => {
    expect(withOffer(offer)?.mayCompress).toBe(false)
  })
})
