import { expect, test } from 'vitest'
import { bitsBetween, haveSameText, textPiecesOf } from './picture-text.ts'
import { readPicture } from './picture.ts'
import { isRefusal } from '../refusal.ts'
import { rendered } from './testing/pictures.ts'
import { KINDS, receipt, REPEATS, type ReceiptKind } from './testing/receipts.ts'

async function textOf(bytes: Buffer) {
  const picture = await readPicture(bytes)
  if (isRefusal(picture)) throw new Error(picture.rejected)
  return picture.text
}

const LIST: ReceiptKind = { layout: 'list', theme: 'light' }

test.each(KINDS)('four receipts of $layout in $theme raise no alarm among each other', async (kind) => {
  const texts = await Promise.all(
    [31, 32, 33, 34].map(async (seed) => textOf(await receipt(kind, { seed }).png().toBuffer())),
  )
  const alarms = texts.flatMap((one, at) => texts.slice(at + 1).filter((other) => haveSameText(one, other)))
  expect(alarms).toEqual([])
})

test.each(Object.keys(REPEATS))('a receipt is the same when it is %s', async (what) => {
  const repeated = await REPEATS[what]?.(LIST, { seed: 41 })
  const own = await textOf(await receipt(LIST, { seed: 41 }).png().toBuffer())
  expect(haveSameText(own, await textOf(repeated ?? Buffer.alloc(0)))).toBe(true)
})

test('half of a receipt is the same', async () => {
  const own = await textOf(await receipt(LIST, { seed: 51 }).png().toBuffer())
  const part = receipt(LIST, { seed: 51 }).extract({ left: 0, top: 480, width: 1_080, height: 1_100 })
  expect(haveSameText(await textOf(await part.png().toBuffer()), own)).toBe(true)
})

test('a picture without words has no text, and equals none', async () => {
  const plain = await textOf(await rendered(400, 300).png().toBuffer())
  expect(plain).toEqual([])
  expect(haveSameText(plain, plain)).toBe(false)
})

test('tiny pictures have no text', () => {
  for (const [width, height] of [
    [1, 1],
    [1, 40],
    [40, 1],
  ] as const)
    expect(textPiecesOf({ pixels: new Uint8Array(width * height), width, height })).toEqual([])
})

test('bits that differ are counted', () => {
  expect(['ff', '0f', '00'].map((other) => bitsBetween('0f', other))).toEqual([4, 0, 4])
})
