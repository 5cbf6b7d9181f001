import { describe, expect, test } from 'vitest'
import sharp from 'sharp'
import { type Challenge, pbkdf2, type Solution, solveChallenge } from 'altcha/lib'
import { workText } from '@fairlot/contract'
import { createCaptchas, createWork, drawDigits } from './captcha.ts'

const MINUTE_MS = 60_000

/** Captchas whose digits are known, in the order they were created, instead of drawn. */
function shownCaptchas(now: () => number = () => 0) {
  const shown: string[] = []
  const captchas = createCaptchas(now, (digits) => {
    shown.push(digits)
    return Promise.resolve(Buffer.alloc(0))
  })
  return { captchas, shown }
}

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
  const { captchas, shown } = shownCaptchas()
  const { id } = await captchas.create()
  const digits = shown[0] ?? ''
  const wrong = digits.replace(/^./, (first) => String((Number(first) + 1) % 10))
  expect([await captchas.isRight(id, wrong), await captchas.isRight(id, digits)]).toEqual([false, false])
})

test('is read as people type it, and what cannot be the digits is no answer', async () => {
  const { captchas, shown } = shownCaptchas()
  const inDigitsFrom = (zero: number, digits: string) =>
    digits.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)))
  for (const write of [
    (digits: string) => ` ${digits.slice(0, 2)} ${digits.slice(2)} `,
    (digits: string) => inDigitsFrom(0xff10, digits),
    (digits: string) => inDigitsFrom(0x0660, digits),
  ]) {
    const { id } = await captchas.create()
    for (const slip of ['', '1234', 'x']) expect(await captchas.isRight(id, slip)).toBe(false)
    expect(await captchas.isRight(id, write(shown.at(-1) ?? ''))).toBe(true)
  }
})

test('the right answer is accepted once, within five minutes, for its own picture', async () => {
  let now = 0
  const { captchas, shown } = shownCaptchas(() => now)
  const [one, other] = [await captchas.create(), await captchas.create()]
  expect(await captchas.isRight(one.id, ` ${shown[0]} `)).toBe(true)
  expect(await captchas.isRight(one.id, shown[0] ?? '')).toBe(false)
  now = 5 * MINUTE_MS
  expect(await captchas.isRight(other.id, shown[1] ?? '')).toBe(false)
})

test('beyond the most open captchas the oldest is dropped', async () => {
  const shown: string[] = []
  const captchas = createCaptchas(
    () => 0,
    (digits) => {
      shown.push(digits)
      return Promise.resolve(Buffer.alloc(0))
    },
    () => Promise.resolve({} as Challenge),
  )
  const pictures = await Promise.all(Array.from({ length: 10_001 }, () => captchas.create()))
  expect(await captchas.isRight(pictures[0]?.id ?? '', shown[0] ?? '')).toBe(false)
  expect(await captchas.isRight(pictures[1]?.id ?? '', shown[1] ?? '')).toBe(true)
})

describe('the calculation in place of the picture', () => {
  const noPicture = () => Promise.resolve(Buffer.alloc(0))
  const few = (secrets: Parameters<typeof createWork>[0]) => createWork(secrets, 3)
  const { deriveKey } = pbkdf2

  async function opened(now: () => number = () => 0) {
    const captchas = createCaptchas(now, noPicture, few)
    const { id, challenge: text } = await captchas.create()
    const challenge = JSON.parse(text) as Challenge
    const solution = await solveChallenge({ challenge, deriveKey })
    return { captchas, id, challenge, solution: solution ?? { counter: 0, derivedKey: '' } }
  }

  test('is accepted once, and then the digits are not', async () => {
    const { captchas, id, solution } = await opened()
    expect(await captchas.isRight(id, workText(solution))).toBe(true)
    expect(await captchas.isRight(id, workText(solution))).toBe(false)
  })

  test('takes at least a thousand rounds of five thousand hashes', async () => {
    const { parameters } = await createWork({ hmacSignatureSecret: 'a', hmacKeySignatureSecret: 'b' })
    expect(parameters).toMatchObject({ algorithm: 'PBKDF2/SHA-256', cost: 5_000 })
    let rounds = 0
    const counted: typeof deriveKey = (...given) => {
      rounds += 1
      return rounds < 1_000 ? deriveKey(...given) : Promise.reject(new Error('long enough'))
    }
    const solving = solveChallenge({ challenge: { parameters }, deriveKey: counted })
    await expect(solving).rejects.toThrow('long enough')
  })

  test('is not accepted later than the digits', async () => {
    let now = 0
    const { captchas, id, solution } = await opened(() => now)
    now = 5 * MINUTE_MS
    expect(await captchas.isRight(id, workText(solution))).toBe(false)
  })

  test('of another captcha is not accepted', async () => {
    const [one, other] = [await opened(), await opened()]
    expect(await one.captchas.isRight(one.id, workText(other.solution))).toBe(false)
  })

  test('is not skipped by the key of any other round', async () => {
    const { captchas, id, challenge } = await opened()
    const parameters = { ...challenge.parameters, keyPrefix: '' }
    const first = await solveChallenge({ challenge: { parameters }, deriveKey })
    expect(first?.counter).toBe(0)
    expect(await captchas.isRight(id, workText(first as Solution))).toBe(false)
  })

  test.each([
    '',
    '   ',
    'altcha',
    'altcha 3',
    `altcha 3 ${'0'.repeat(64)}`,
    `altcha -3 ${'0'.repeat(64)}`,
    `altcha 9999999999 ${'0'.repeat(64)}`,
    `altcha ٣ ${'0'.repeat(64)}`,
    `altcha 3 ${'0'.repeat(63)}\0`,
    '\u202e12345\u200f',
    '١٢٣٤٥',
    '۱۲۳۴۵',
    '१२३४५',
    '๑๒๓๔๕',
    '১২৩৪৫',
    '１２３４５',
    'a'.repeat(10_000),
    `altcha ${'1'.repeat(10_000)} 0`,
  ])('is no other text: %.40j', async (answer) => {
    const { captchas, id } = await opened()
    expect(await captchas.isRight(id, answer)).toBe(false)
  })
})
