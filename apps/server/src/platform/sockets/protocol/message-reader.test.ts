import { constants, deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clientFrame, deflated, TEXT, type FrameOptions } from '../../../testing/sockets.ts'
import { createMessageReader, type Incoming } from './message-reader.ts'

const BYTES_MAX = 1_000
const CONTINUATION = 0
const BINARY = 2
const CLOSE = 8
const PING = 9
const PONG = 10

const readAll = (pieces: readonly Buffer[], mayCompress = true): Incoming[] => {
  const reader = createMessageReader({ mayCompress, bytesMax: BYTES_MAX })
  return pieces.flatMap((piece) => [...reader.read(piece)])
}
const frame = (text: string | Buffer, options: FrameOptions = {}) => clientFrame(Buffer.from(text), options)
const closeCodeOf = (pieces: readonly Buffer[], mayCompress = true): number | null => {
  const last = readAll(pieces, mayCompress).at(-1)
  return last?.type === 'broken' ? last.code : null
}
const compressed = (text: string) => frame(deflated(Buffer.from(text)), { isCompressed: true })

describe('reads messages of a client', () => {
  test('text in one frame or in fragments, with control frames between them', () => {
    const parts = [
      frame('one'),
      frame('tw', { isFinal: false }),
      frame('hello', { opcode: PING }),
      frame('', { isFinal: false, opcode: CONTINUATION }),
      frame('o', { opcode: CONTINUATION }),
      frame('', { opcode: PONG }),
    ]
    expect(readAll(parts)).toEqual([
      { type: 'text', text: 'one' },
      { type: 'ping', payload: Buffer.from('hello') },
      { type: 'text', text: 'two' },
      { type: 'pong' },
    ])
  })

  test('text of any length within the limit, with and without compression', () => {
    for (const length of [0, 1, 125, 126, 127, 1_000]) {
      const text = 'é'.repeat(length / 2).padEnd(length / 2, 'x')
      expect(readAll([frame(text)])).toEqual([{ type: 'text', text }])
      expect(readAll([compressed(text)])).toEqual([{ type: 'text', text }])
    }
  })

  test('a fragmented compressed message, marked in its first frame only', () => {
    const bytes = deflated(Buffer.from('compressed '.repeat(9)))
    const parts = [
      frame(bytes.subarray(0, 5), { isCompressed: true, isFinal: false }),
      frame(bytes.subarray(5), { opcode: CONTINUATION }),
    ]
    expect(readAll(parts)).toEqual([{ type: 'text', text: 'compressed '.repeat(9) }])
  })

  test('compressed data with a final deflate block', () => {
    const bytes = deflateRawSync(Buffer.from('the end'), { finishFlush: constants.Z_FINISH })
    expect(readAll([frame(bytes, { isCompressed: true })])).toEqual([{ type: 'text', text: 'the end' }])
  })

  test('binary messages without their content, and close frames with their code', () => {
    expect(readAll([frame('bytes', { opcode: BINARY })])).toEqual([{ type: 'binary' }])
    expect(readAll([frame(Buffer.from([0x03, 0xe9]), { opcode: CLOSE })])).toEqual([
      { type: 'close', code: 1001 },
    ])
    expect(readAll([frame('', { opcode: CLOSE })])).toEqual([{ type: 'close', code: 1005 }])
  })
})

describe('rejects invalid frames with a close code', () => {
  const start = (first: number, second: number) => Buffer.from([first, second, 0, 0, 0, 0])
  test.each<[string, number, Buffer[]]>([
    ['an unmasked frame', 1002, [frame('x', { mask: null })]],
    ['reserved bits', 1002, [start(0xa1, 0x80)]],
    ['an unknown data frame', 1002, [start(0x83, 0x80)]],
    ['an unknown control frame', 1002, [start(0x8b, 0x80)]],
    ['a fragmented ping', 1002, [start(0x09, 0x80)]],
    ['a long ping', 1002, [frame('x'.repeat(126), { opcode: PING })]],
    ['a compressed ping', 1002, [frame('x', { opcode: PING, isCompressed: true })]],
    ['a continuation without a message', 1002, [frame('x', { opcode: CONTINUATION })]],
    ['a message inside another', 1002, [frame('x', { isFinal: false }), frame('x')]],
    ['a compressed continuation', 1002, [start(0xc0, 0x80)]],
    ['a close of one byte', 1002, [frame('x', { opcode: CLOSE })]],
    ['a close with a reserved code', 1002, [frame(Buffer.from([0x03, 0xee]), { opcode: CLOSE })]],
    ['a close whose reason is not UTF-8', 1007, [frame(Buffer.from([0x03, 0xe8, 0xff]), { opcode: CLOSE })]],
    ['text that is not UTF-8', 1007, [frame(Buffer.from([0xff]))]],
    [
      'compressed text that is not UTF-8',
      1007,
      [frame(deflated(Buffer.from([0xff])), { isCompressed: true })],
    ],
    ['invalid compressed data', 1007, [frame(Buffer.from([0xff, 0xff]), { isCompressed: true })]],
    ['a message that is too long', 1009, [frame('x'.repeat(1_001))]],
    [
      'a header that announces a hundred megabytes',
      1009,
      [Buffer.from('81ff0000000005f5e10000000000', 'hex')],
    ],
    ['a message of the maximum length', 1009, [Buffer.from('81ff7fffffffffffffff00000000', 'hex')]],
    ['a length of more bytes than it needs', 1002, [Buffer.from('81fe007d00000000', 'hex')]],
    ['a medium length in eight bytes', 1002, [Buffer.from('81ff000000000000ffff00000000', 'hex')]],
    ['a length with its highest bit set', 1002, [Buffer.from('81ff800000000000000000000000', 'hex')]],
    [
      'fragments that are too long together',
      1009,
      [frame('x'.repeat(600), { isFinal: false }), frame('x'.repeat(600), { opcode: CONTINUATION })],
    ],
    ['a message that is too long once it is decompressed', 1009, [compressed('x'.repeat(1_001))]],
    ['a decompression bomb', 1009, [compressed('x'.repeat(500_000))]],
    [
      'too many fragments',
      1009,
      [
        frame('', { isFinal: false }),
        ...Array<Buffer>(40).fill(frame('', { isFinal: false, opcode: CONTINUATION })),
      ],
    ],
  ])('%s: %i', (_name, code, pieces) => {
    expect(closeCodeOf(pieces)).toBe(code)
  })

  test('compression that was not negotiated', () => {
    expect(closeCodeOf([compressed('x')], false)).toBe(1002)
  })

  test('and ignores everything after them', () => {
    const reader = createMessageReader({ mayCompress: true, bytesMax: BYTES_MAX })
    const bad = frame(Buffer.from([0xff]))
    expect([...reader.read(Buffer.concat([bad, frame('later')]))]).toEqual([{ type: 'broken', code: 1007 }])
    expect([...reader.read(frame('later'))]).toEqual([])
    expect([...reader.read(Buffer.alloc(16))]).toEqual([])
  })
})

/** Valid and almost valid frames, and any bytes. */
const anyBytes = fc.oneof(
  fc
    .record({
      payload: fc.oneof(
        fc.uint8Array({ maxLength: 300 }),
        fc.string().map((text) => Buffer.from(text)),
      ),
      opcode: fc.oneof({ weight: 5, arbitrary: fc.constant(TEXT) }, fc.integer({ min: 0, max: 15 })),
      isFinal: fc.boolean(),
      isCompressed: fc.boolean(),
      isDeflated: fc.boolean(),
    })
    .map(({ payload, isDeflated, ...options }) =>
      clientFrame(isDeflated ? deflated(Buffer.from(payload)) : Buffer.from(payload), options),
    ),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
)

test('reads the same messages however the bytes are split, and never throws', () => {
  fc.assert(
    fc.property(
      fc.array(anyBytes, { maxLength: 12 }),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
      (parts, cuts) => {
        const whole = Buffer.concat(parts)
        const pieces: Buffer[] = []
        for (let at = 0, cut = 0; at < whole.length; cut++) {
          const length = cuts[cut % cuts.length] ?? 1
          pieces.push(whole.subarray(at, at + length))
          at += length
        }
        expect(readAll(pieces)).toEqual(readAll([whole]))
      },
    ),
    { numRuns: 500 },
  )
})
