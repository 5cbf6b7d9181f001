import { createHash } from 'node:crypto'
import { UPLOAD } from '@fairlot/contract'
import type { Sharp, SharpOptions } from 'sharp'
import { refuse, type Refusal } from '../http/refusal.ts'
import { pictureFormatOf } from './picture-format.ts'

/** A picture as it is kept: drawn anew, upright, with nothing in it but what is seen. */
export type Picture = {
  readonly bytes: Buffer
  readonly type: 'image/jpeg' | 'image/webp'
  readonly width: number
  readonly height: number
  readonly sha256: string
  /** Of what was sent. */
  readonly originalSha256: string
  /** The difference hash, 64 bits in hex: the same for pictures that look the same at a glance. */
  readonly look: string
}

/** Whom a picture is for. */
export type PictureUse = 'proof' | 'public'

/**
 * The longer side of what is kept, in pixels: the small print of a receipt can still be read. What everybody loads is smaller, and keeps
 * what can be seen through, since a logo stands on light and on dark ground.
 */
const SIDE_MAX = { proof: 2_400, public: 1_600 } as const satisfies Record<PictureUse, number>
const QUALITY = 85
const PAPER = '#fff'
const DECODED_WITHIN_S = 15
const MEGA = 1_000_000

const OPTIONS: SharpOptions = {
  limitInputPixels: UPLOAD.pixelsMax,
  failOn: 'error',
  // Row by row: a large picture is never whole in memory where its format allows.
  sequentialRead: true,
}

/** Draws an uploaded picture anew. Refused: whatever is no whole JPEG, PNG or WebP of one frame within the limits. */
export async function readPicture(original: Buffer, use: PictureUse = 'proof'): Promise<Picture | Refusal> {
  const format = pictureFormatOf(original)
  if (format === null) return refuse('pictureTypeRefused')
  const draw = await loadSharp()
  try {
    const refusal = await refusalOf(draw(original, { ...OPTIONS, limitInputPixels: false }), format)
    return refusal ?? (await drawAnew(draw, original, use))
  } catch {
    return refuse('pictureBroken')
  }
}

type Draw = (bytes: Buffer, options?: SharpOptions) => Sharp

/** Loaded with the first picture: a server that is sent none does without it. */
async function loadSharp(): Promise<Draw> {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  return sharp
}

/** By its header alone, nothing decoded yet. */
async function refusalOf(picture: Sharp, expected: string): Promise<Refusal | null> {
  const { format, width, height, pages = 1 } = await picture.metadata()
  if (format !== expected || pages > 1) return refuse('pictureTypeRefused')
  return width * height > UPLOAD.pixelsMax
    ? refuse('pictureTooLarge', { most: UPLOAD.pixelsMax / MEGA })
    : null
}

async function drawAnew(draw: Draw, original: Buffer, use: PictureUse): Promise<Picture> {
  const side = SIDE_MAX[use]
  const inside = { width: side, height: side, fit: 'inside', withoutEnlargement: true } as const
  const drawn = draw(original, OPTIONS)
    .timeout({ seconds: DECODED_WITHIN_S })
    .autoOrient()
    .resize(inside)
    .toColourspace('srgb')
  // Whatever else the file held, its place and its makers among it, is not taken along.
  const encoded =
    use === 'proof'
      ? drawn.flatten({ background: PAPER }).jpeg({ quality: QUALITY, chromaSubsampling: '4:4:4' })
      : drawn.webp({ quality: QUALITY })
  const small = await encoded.toBuffer({ resolveWithObject: true })
  const { width, height } = small.info
  return {
    ...{ bytes: small.data, type: use === 'proof' ? 'image/jpeg' : 'image/webp', width, height },
    ...{
      sha256: sha256Of(small.data),
      originalSha256: sha256Of(original),
      look: await lookOf(draw, small.data),
    },
  }
}

/** Of nine columns and eight rows of grey, whether each is brighter than the one to its right. */
async function lookOf(draw: Draw, bytes: Buffer): Promise<string> {
  const grey = await draw(bytes)
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
