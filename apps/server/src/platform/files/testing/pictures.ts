import { crc32 } from 'node:zlib'
import sharp from 'sharp'

/** A picture of one colour with a darker left half, so that a test can recognize its sides. */
export const rendered = (width: number, height: number, colour = '#c33') =>
  sharp({ create: { width, height, channels: 3, background: colour } }).composite([
    {
      input: { create: { width: Math.max(1, width >> 1), height, channels: 3, background: '#111' } },
      gravity: 'west',
    },
  ])

/** A picture that cannot be compressed. */
export async function noise(bytes: number): Promise<Buffer> {
  const side = Math.round(Math.sqrt(bytes / 3))
  const pixels = Buffer.from(Array.from({ length: side * side * 3 }, (_, at) => (at * 2_654_435_761) >>> 13))
  return sharp(pixels, { raw: { width: side, height: side, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer()
}

/** A picture like a phone's: rotated, with the location in its metadata. */
export const fromPhone = (): Promise<Buffer> =>
  rendered(80, 40)
    .withExif({
      IFD0: { Make: 'Kestrel phones' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '47/1 22/1 0/1' },
    })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()

/** A JPEG with a comment after its first marker. */
export function withComment(jpeg: Buffer, comment: string): Buffer {
  const text = Buffer.from(comment)
  const head = Buffer.from([0xff, 0xfe, 0, 0])
  head.writeUInt16BE(text.length + 2, 2)
  return Buffer.concat([jpeg.subarray(0, 2), head, text, jpeg.subarray(2)])
}

/** A PNG whose header declares a false height. */
export async function pngBomb(width: number, height: number): Promise<Buffer> {
  const png = await rendered(width, 1).png().toBuffer()
  // After the signature: length, name, width and height of the header, and its checksum at the end.
  png.writeUInt32BE(height, 20)
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29)
  return png
}

/** An animated WebP of two frames. */
export const animated = async (): Promise<Buffer> => {
  const frames = [await rendered(16, 16).png().toBuffer(), await rendered(16, 16, '#3c3').png().toBuffer()]
  return sharp(frames, { join: { animated: true } })
    .webp()
    .toBuffer()
}

export const GIF_SCRIPT = Buffer.from('GIF89a/*\x00\x00\x00*/=1;alert(1)//')
export const SVG = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>',
)
export const PDF = Buffer.from('%PDF-1.7\n1 0 obj\n<</Type/Catalog>>\nendobj\n')
