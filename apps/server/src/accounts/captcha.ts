import { randomInt } from 'node:crypto'
import type * as SvgCaptcha from 'svg-captcha'
import { newSecret } from '../platform/security/secrets.ts'

const DIGITS = 5
const VALID_FOR_MS = 300_000
/** Captchas without an answer; beyond this the oldest is dropped. */
const OPEN_MAX = 10_000

/** Pictures of digits. Each accepts one answer, right or wrong, within five minutes. */
export type Captchas = {
  /** `image` is a PNG as a data URL. */
  create(): Promise<{ readonly id: string; readonly image: string }>
  isRight(id: string, answer: string): boolean
}

export function createCaptchas(now: () => number, draw = drawDigits): Captchas {
  const open = new Map<string, { readonly digits: string; readonly until: number }>()
  return {
    create: async () => {
      const digits = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0')
      const id = newSecret()
      const picture = await draw(digits)
      open.set(id, { digits, until: now() + VALID_FOR_MS })
      const oldest = open.keys().next()
      if (open.size > OPEN_MAX && !oldest.done) open.delete(oldest.value)
      return { id, image: `data:image/png;base64,${picture.toString('base64')}` }
    },
    isRight: (id, answer) => {
      const captcha = open.get(id)
      open.delete(id)
      return captcha !== undefined && now() < captcha.until && captcha.digits === answer.trim()
    },
  }
}

/** Twice the size on the page, for high-density screens. */
const DENSITY = 144
const SHAPE = { width: 160, height: 60, fontSize: 56, noise: 3 }
const BACKGROUND = '#fff'

/** The module can draw a given text; its type definitions only cover texts that it generates. */
type Draw = (text: string, options: typeof SvgCaptcha.options) => string

/**
 * A PNG of distorted, crossed-out digits, dark on white in every theme; being pixels, it contains no text or path to read.
 * The drawing libraries are loaded with the first picture.
 */
export async function drawDigits(digits: string): Promise<Buffer> {
  const [captcha, { default: sharp }] = await Promise.all([import('svg-captcha'), import('sharp')])
  const draw = captcha.default as unknown as Draw
  const svg = Buffer.from(draw(digits, SHAPE))
  return sharp(svg, { density: DENSITY }).flatten({ background: BACKGROUND }).greyscale().png().toBuffer()
}
