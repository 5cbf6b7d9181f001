import type * as SvgCaptcha from 'svg-captcha'

/** Larger than it is shown, for screens of twice the pixels. */
const DENSITY = 144
const SHAPE = { width: 160, height: 60, fontSize: 56, noise: 3 }
const PAPER = '#fff'

/** The module itself draws a given text; its types tell only of texts that it makes up. */
type Draw = (text: string, options: typeof SvgCaptcha.options) => string

/**
 * A PNG of digits, dark on white paper in every theme, bent and crossed out: pixels, so that no text or path can be read out of
 * it. What draws it is loaded with the first picture: a server that shows none does without it.
 */
export async function drawDigits(digits: string): Promise<Buffer> {
  const [captcha, { default: sharp }] = await Promise.all([import('svg-captcha'), import('sharp')])
  const draw = captcha.default as unknown as Draw
  const svg = Buffer.from(draw(digits, SHAPE))
  return sharp(svg, { density: DENSITY }).flatten({ background: PAPER }).greyscale().png().toBuffer()
}
