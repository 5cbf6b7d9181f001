import { createHash } from 'node:crypto'
import type { Metadata, Sharp, SharpOptions } from 'sharp'
import { type Refusal, refuse } from '../refusal.ts'
import { textPiecesOf, type TextPiece } from './picture-text.ts'

/** The first bytes of the accepted formats, as hex; `..` stands for any byte. */
const SIGNATURES = {
  jpeg: 'ffd8ff',
  png: '89504e470d0a1a0a0000000d49484452',
  webp: '52494646........57454250',
} as const

export type PictureFormat = keyof typeof SIGNATURES

/** The format of the first bytes, whatever the file is called; null for any other format. */
function pictureFormatOf(bytes: Buffer): PictureFormat | null {
  const head = bytes.subarray(0, 16).toString('hex')
  const formats = Object.keys(SIGNATURES) as PictureFormat[]
  return formats.find((format) => new RegExp(`^${SIGNATURES[format]}`).test(head)) ?? null
}

/** A picture as it is stored: re-encoded, upright, without metadata. */
export type Picture = {
  readonly bytes: Buffer
  readonly type: 'image/jpeg' | 'image/webp'
  readonly width: number
  readonly height: number
  readonly sha256: string
  /** The hash of the uploaded bytes. */
  readonly originalSha256: string
  /** The perceptual (difference) hash, 64 bits in hex: equal for pictures that look the same. */
  readonly look: string
  /** The pieces of its text, for pictures that are compared with others. */
  readonly text: readonly TextPiece[]
}

/** `proof`: for its owner and operators; `public`: for everybody. */
export type PictureUse = 'proof' | 'public'

/**
 * The longer side of a stored picture, in pixels: the small print of a receipt stays readable. Public pictures are smaller
 * and keep their transparency, because logos are shown on light and dark backgrounds.
 */
const SIDE_MAX = { proof: 2_400, public: 1_600 } as const satisfies Record<PictureUse, number>
/** The shorter side of a long proof is not scaled below this: half a phone's screen, on which text can still be read. */
const SHORT_SIDE_MIN = 540
/** A picture that would have to stay longer is refused. */
const LONG_SIDE_MAX = 16_000
/** Phones take photographs of up to 200 megapixels, as JPEG, which is decoded at a fraction of its size. */
const PIXELS_MAX = { jpeg: 210_000_000, png: 80_000_000, webp: 80_000_000 } as const
/** What decoding may hold of a picture at once, in bytes. */
const DECODED_BYTES_MAX = 320_000_000
const QUALITY = 85
const PAPER = '#fff'
const DECODED_WITHIN_S = 15
const MEGA = 1_000_000

const OPTIONS: SharpOptions = {
  limitInputPixels: Math.max(...Object.values(PIXELS_MAX)),
  failOn: 'error',
  // Row by row, so that a large picture is not decoded into memory as a whole if its format allows.
  sequentialRead: true,
}

/** Re-encodes an uploaded picture. Rejects anything but a complete JPEG, PNG or WebP of one frame within the limits. */
export async function readPicture(original: Buffer, use: PictureUse = 'proof'): Promise<Picture | Refusal> {
  const format = pictureFormatOf(original)
  if (format === null) return refuse('pictureTypeRefused')
  const sharp = await loadSharp()
  try {
    const header = await sharp(original, { ...OPTIONS, limitInputPixels: false }).metadata()
    return refusalOf(header, format) ?? (await reencode(sharp, original, { use, side: sideOf(header, use) }))
  } catch {
    return refuse('pictureBroken')
  }
}

type OpenSharp = (bytes: Buffer, options?: SharpOptions) => Sharp

/** Loaded with the first picture, because many servers never get one. */
async function loadSharp(): Promise<OpenSharp> {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  return sharp
}

/** Checks the header only, before anything is decoded. */
function refusalOf(header: Metadata, expected: PictureFormat): Refusal | null {
  const { format, width, height, pages = 1 } = header
  if (format !== expected || pages > 1) return refuse('pictureTypeRefused')
  const most = Math.min(PIXELS_MAX[expected], DECODED_BYTES_MAX / bytesHeldPerPixel(header))
  if (width * height > most) return refuse('pictureTooLarge', { most: Math.floor(most / MEGA) })
  return sideOf(header, 'proof') > LONG_SIDE_MAX ? refuse('pictureTooLong') : null
}

/**
 * Bytes that decoding holds of each pixel; 0 for pictures that are read row by row: an ordinary JPEG, which libjpeg
 * shrinks while it reads (shrink-on-load), and a PNG whose rows are not interlaced.
 */
function bytesHeldPerPixel({ format, isProgressive, channels, depth, chromaSubsampling }: Metadata): number {
  if (!isProgressive && format !== 'webp') return 0
  // Every coefficient of every scan, 16 bits each; colours of a subsampled picture have a quarter or a half of them.
  if (format === 'jpeg') return 2 * (COEFFICIENTS[chromaSubsampling ?? ''] ?? channels)
  return channels * (depth === 'ushort' ? 2 : 1)
}

const COEFFICIENTS: Readonly<Record<string, number>> = { '4:2:0': 1.5, '4:2:2': 2 }

/** The longer side to store. Longer than usual for a long proof, such as a screenshot of a whole page. */
function sideOf({ width, height }: Metadata, use: PictureUse): number {
  const [short, long] = [Math.min(width, height), Math.max(width, height)]
  const readable = use === 'proof' ? Math.ceil((long * Math.min(short, SHORT_SIDE_MIN)) / short) : 0
  return Math.min(long, Math.max(SIDE_MAX[use], readable))
}

type Stored = { readonly use: PictureUse; readonly side: number }

async function reencode(sharp: OpenSharp, original: Buffer, { use, side }: Stored): Promise<Picture> {
  const inside = { width: side, height: side, fit: 'inside', withoutEnlargement: true } as const
  const resized = sharp(original, OPTIONS)
    .timeout({ seconds: DECODED_WITHIN_S })
    .autoOrient()
    .resize(inside)
    .toColourspace('srgb')
  // Metadata, such as location and camera, is not copied.
  const encoded =
    use === 'proof'
      ? resized.flatten({ background: PAPER }).jpeg({ quality: QUALITY, chromaSubsampling: '4:4:4' })
      : resized.webp({ quality: QUALITY })
  const { data, info } = await encoded.toBuffer({ resolveWithObject: true })
  const { width, height } = info
  return {
    bytes: data,
    type: use === 'proof' ? 'image/jpeg' : 'image/webp',
    width,
    height,
    sha256: sha256Of(data),
    originalSha256: sha256Of(original),
    look: await perceptualHashOf(sharp, data),
    text: use === 'proof' ? await textOf(sharp, data) : [],
  }
}

async function textOf(sharp: OpenSharp, bytes: Buffer): Promise<readonly TextPiece[]> {
  const { data, info } = await sharp(bytes).greyscale().raw().toBuffer({ resolveWithObject: true })
  return textPiecesOf({ pixels: data, width: info.width, height: info.height })
}

/** The difference hash: for each pixel of nine columns and eight rows of grey, whether it is brighter than its right neighbour. */
async function perceptualHashOf(sharp: OpenSharp, bytes: Buffer): Promise<string> {
  const grey = await sharp(bytes)
    .flatten({ background: PAPER })
    .greyscale()
    .resize(9, 8, { fit: 'fill' })
    .raw()
    .toBuffer()
  let bits = 0n
  for (let row = 0; row < 8; row += 1)
    for (let column = 0; column < 8; column += 1) {
      const at = row * 9 + column
      bits = (bits << 1n) | ((grey[at] ?? 0) > (grey[at + 1] ?? 0) ? 1n : 0n)
    }
  return bits.toString(16).padStart(16, '0')
}

const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
