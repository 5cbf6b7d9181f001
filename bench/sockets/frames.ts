/**
 * Counts complete frames of a server in a stream of bytes by their sizes alone, which is cheap for thousands of
 * readers.
 */
export type FrameCounter = (bytes: Buffer) => readonly number[]

const LONG = 126
const LONGEST = 127

/** Returns the sizes in bytes, headers included, of the frames that each piece of the stream completes. */
export function createFrameCounter(): FrameCounter {
  let rest: Buffer = Buffer.alloc(0)
  return (bytes) => {
    let left = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
    const sizes: number[] = []
    for (;;) {
      const size = sizeOf(left)
      if (size === null || size > left.length) break
      sizes.push(size)
      left = left.subarray(size)
    }
    rest = left
    return sizes
  }
}

function sizeOf(frame: Buffer): number | null {
  const length = (frame[1] ?? 0) & 0x7f
  if (frame.length < 2) return null
  if (length < LONG) return 2 + length
  if (length === LONGEST) return frame.length < 10 ? null : 10 + Number(frame.readBigUInt64BE(2))
  return frame.length < 4 ? null : 4 + frame.readUInt16BE(2)
}
