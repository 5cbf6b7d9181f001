import { expect, test } from 'vitest'
import { inflateSync } from 'node:zlib'
import { createCaptchas } from './captcha.ts'
import { drawDigits } from './captcha-picture.ts'

const MINUTE_MS = 60_000
const PNG_SIGNATURE = '89504e470d0a1a0a'

/** The grey values of a picture, without the filter byte before each row. */
function pixelsOf(picture: Buffer): Buffer {
  const start = picture.indexOf('IDAT')
  const length = picture.readUInt32BE(start - 4)
  const rows = inflateSync(picture.subarray(start + 4, start + 4 + length))
  return Buffer.concat(Array.from({ length: 60 }, (_, row) => rows.subarray(row * 161 + 1, (row + 1) * 161)))
}

test('is a PNG of pixels, with ink on paper, never twice the same', () => {
  const [one, other] = [drawDigits('01234'), drawDigits('01234')]
  expect(one.subarray(0, 8).toString('hex')).toBe(PNG_SIGNATURE)
  expect(one.equals(other)).toBe(false)
  const dark = pixelsOf(one).filter((grey) => grey < 120).length
  expect(dark).toBeGreaterThan(400)
  expect(dark).toBeLessThan(4_000)
  expect(one.includes('01234')).toBe(false)
})

test('a wrong answer uses it up', () => {
  const shown: string[] = []
  const captchas = createCaptchas(
    () => 0,
    (digits) => {
      shown.push(digits)
      return drawDigits(digits)
    },
  )
  const { id } = captchas.create()
  expect([captchas.isRight(id, 'x'), captchas.isRight(id, shown[0] ?? '')]).toEqual([false, false])
})

test('the right answer opens, within five minutes, and only its own picture', () => {
  let now = 0
  const shown: string[] = []
  const captchas = createCaptchas(
    () => now,
    (digits) => {
      shown.push(digits)
      return drawDigits(digits)
    },
  )
  const [one, other] = [captchas.create(), captchas.create()]
  expect(captchas.isRight(one.id, ` ${shown[0]} `)).toBe(true)
  expect(captchas.isRight(one.id, shown[0] ?? '')).toBe(false)
  now = 5 * MINUTE_MS
  expect(captchas.isRight(other.id, shown[1] ?? '')).toBe(false)
})

test('of many open pictures the oldest go', () => {
  const shown: string[] = []
  const captchas = createCaptchas(
    () => 0,
    (digits) => {
      shown.push(digits)
      return Buffer.alloc(0)
    },
  )
  const pictures = Array.from({ length: 10_001 }, () => captchas.create())
  expect(captchas.isRight(pictures[0]?.id ?? '', shown[0] ?? '')).toBe(false)
  expect(captchas.isRight(pictures[1]?.id ?? '', shown[1] ?? '')).toBe(true)
})
