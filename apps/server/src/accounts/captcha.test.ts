import { expect, test } from 'vitest'
import sharp from 'sharp'
import { createCaptchas, drawDigits } from './captcha.ts'

const MINUTE_MS = 60_000

/** Each grey value of a picture. */
const pixelsOf = (picture: Buffer): Promise<Buffer> => sharp(picture).extractChannel(0).raw().toBuffer()

test('is a PNG of dark pixels on white, different each time', async () => {
  const [one, other] = await Promise.all([drawDigits('01234'), drawDigits('01234')])
  expect(await sharp(one).metadata()).toMatchObject({
    format: 'png',
    width: 320,
    height: 120,
    hasAlpha: false,
  })
  expect(one.equals(other)).toBe(false)
  const pixels = await pixelsOf(one)
  const inked = pixels.filter((grey) => grey < 90).length
  const paper = pixels.filter((grey) => grey === 255).length
  expect([inked > 1_500, inked < 12_000, paper > pixels.length / 2]).toEqual([true, true, true])
  expect(one.includes('01234')).toBe(false)
})

test('each digit is drawn', async () => {
  // The noise lines differ from picture to picture, so the median of nine is compared.
  const inkOf = async (digits: string) => {
    const pictures = await Promise.all(Array.from({ length: 9 }, () => drawDigits(digits).then(pixelsOf)))
    return (
      pictures.map((pixels) => pixels.filter((grey) => grey < 90).length).toSorted((a, b) => a - b)[4] ?? 0
    )
  }
  const blank = await inkOf(' ')
  for (const digit of '0123456789') expect(await inkOf(digit.repeat(5))).toBeGreaterThan(blank + 200)
})

test('a wrong answer invalidates it', async () => {
  const shown: string[] = []
  const captchas = createCaptchas(
    () => 0,
    (digits) => {
      shown.push(digits)
      return Promise.resolve(Buffer.alloc(0))
    },
  )
  const { id } = await captchas.create()
  expect([captchas.isRight(id, 'x'), captchas.isRight(id, shown[0] ?? '')]).toEqual([false, false])
})

test('the right answer is accepted once, within five minutes, for its own picture', async () => {
  let now = 0
  const shown: string[] = []
  const captchas = createCaptchas(
    () => now,
    (digits) => {
      shown.push(digits)
      return Promise.resolve(Buffer.alloc(0))
    },
  )
  const [one, other] = [await captchas.create(), await captchas.create()]
  expect(captchas.isRight(one.id, ` ${shown[0]} `)).toBe(true)
  expect(captchas.isRight(one.id, shown[0] ?? '')).toBe(false)
  now = 5 * MINUTE_MS
  expect(captchas.isRight(other.id, shown[1] ?? '')).toBe(false)
})

test('beyond the most open captchas the oldest is dropped', async () => {
  const shown: string[] = []
  const captchas = createCaptchas(
    () => 0,
    (digits) => {
      shown.push(digits)
      return Promise.resolve(Buffer.alloc(0))
    },
  )
  const pictures = await Promise.all(Array.from({ length: 10_001 }, () => captchas.create()))
  expect(captchas.isRight(pictures[0]?.id ?? '', shown[0] ?? '')).toBe(false)
  expect(captchas.isRight(pictures[1]?.id ?? '', shown[1] ?? '')).toBe(true)
})
