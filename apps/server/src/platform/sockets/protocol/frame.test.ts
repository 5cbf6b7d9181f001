import { constants, inflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createFrameReader } from './message-reader.ts'
import { FLUSH_TAIL, OPCODE, serverFrame, shareFrame } from './frame.ts'

/** The header of a server frame, which is not masked. */
const headOf = (frame: Buffer) => {
  const short = (frame[1] ?? 0) & 0x7f
  const size = short < 126 ? short : short === 126 ? frame.readUInt16BE(2) : Number(frame.readBigUInt64BE(2))
  return { first: frame[0], size, payload: frame.subarray(short < 126 ? 2 : short === 126 ? 4 : 10) }
}

test.each([0, 1, 125, 126, 65_535, 65_536, 200_000])(
  'a frame of %i bytes has the right length field',
  (length) => {
    const { first, size, payload } = headOf(serverFrame(OPCODE.text, Buffer.alloc(length, 'x')))
    expect({ first, size }).toEqual({ first: 0x81, size: length })
    expect(payload).toHaveLength(length)
  },
)

test('a shared frame is encoded once in each form', () => {
  const text = JSON.stringify(Array(200).fill({ price: '1.08495' }))
  const frame = shareFrame(text)
  expect(frame.plain()).toBe(frame.plain())
  expect(frame.compressed()).toBe(frame.compressed())
  expect(frame.plain()).toEqual(serverFrame(OPCODE.text, Buffer.from(text)))
  const { first, payload } = headOf(frame.compressed())
  expect(first).toBe(0xc1)
  expect(payload.length).toBeLessThan(text.length / 5)
  const unpacked = inflateRawSync(Buffer.concat([payload, FLUSH_TAIL]), {
    windowBits: 12,
    finishFlush: constants.Z_SYNC_FLUSH,
  })
  expect(String(unpacked)).toBe(text)
})

test('a short message is not compressed', () => {
  const frame = shareFrame('{"type":"pong"}')
  expect(frame.compressed()).toBe(frame.plain())
})

test('a server frame is not accepted from a client', () => {
  const reader = createFrameReader({ mayCompress: true, bytesMax: 100 })
  expect([...reader.read(serverFrame(OPCODE.text, Buffer.from('x')))]).toEqual([
    { type: 'broken', code: 1002 },
  ])
})
