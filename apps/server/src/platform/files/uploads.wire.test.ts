import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { uploadPicture } from '@fairlot/contract'
import fc from 'fast-check'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { movablePace, newUser, reasonOf, type TestUser } from '../../testing/accounts.ts'
import { call } from '../../testing/calls.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'
import { isWholeCheck } from '../../../../../testing/tiers.ts'
import { newTrader } from '../../../../../testing/traders.ts'
import { openFiles } from './testing/open-files.ts'
import {
  rendered,
  fromPhone,
  GIF_SCRIPT,
  animated,
  noise,
  PDF,
  pngBomb,
  SVG,
  withComment,
} from './testing/pictures.ts'
import { bodyOf, fetchAs, sendBody, upload, type Part } from './testing/sending.ts'

const DAY_MS = 86_400_000
const UNKNOWN_KEY = 'A'.repeat(32)

type Size = readonly [widthPx: number, heightPx: number]
type Large = readonly [what: string, size: Size, stored: Size]

const PHOTOGRAPH: Large = ['a photograph of 48 megapixels', [6_000, 8_000], [1_800, 2_400]]
/** They take seconds of work each. */
const LARGER: readonly Large[] = [
  ['a photograph of 50 megapixels', [8_160, 6_144], [2_400, 1_807]],
  ['a photograph of 200 megapixels', [16_320, 12_240], [2_400, 1_800]],
  ['a panorama', [16_382, 3_900], [2_400, 571]],
]

describe.each(DATABASES)('an uploaded picture, %s', (kind) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'fairlot-files-'))
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
  const { pace, pass } = movablePace()
  const server = serverOn(kind, { pace, env: { DATA_DIR: dataDir } })
  const kept = () =>
    readdirSync(dataDir, { recursive: true }).filter((name) => /files\/[\w-]{32}/.test(String(name)))
  let owner: TestUser
  beforeAll(async () => {
    owner = await newUser(server())
  })
  const refusalOf = async (...parts: readonly Part[]) =>
    reasonOf(await sendBody(server(), owner.token, bodyOf(...parts)))

  test('is visible to its owner only, and cannot run scripts when it is opened', async () => {
    const url = await upload(server(), owner.token, await rendered(60, 30).png().toBuffer())
    expect(url).toMatch(/^\/api\/common\/image\/[\w-]{32}$/)
    const { status, headers, bytes } = await fetchAs(server(), owner.token, url)
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-disposition': 'attachment; filename="picture.jpg"',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; sandbox",
    })
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 60, height: 30 })
    const stranger = await newUser(server())
    for (const [token, there] of [
      [stranger.token, 404],
      [null, 200],
    ] as const) {
      const answer = await fetchAs(server(), token, url)
      expect(answer.status).toBe(there)
      expect(JSON.parse(String(answer.bytes))).toMatchObject(
        token === null ? { code: 999 } : { code: 0, data: { reason: 'fileUnknown' } },
      )
    }
  })

  test.each([
    UNKNOWN_KEY,
    'x',
    '..%2F..%2Fdatabase.sqlite',
    '..%2f..%2f..%2fetc%2fpasswd',
    '%00',
    `${UNKNOWN_KEY}.part`,
  ])('is not found by an unknown key: %s', async (key) => {
    const { status, bytes } = await fetchAs(server(), owner.token, `/api/common/image/${key}`)
    expect(status).toBe(404)
    expect(JSON.parse(String(bytes))).toMatchObject({ code: 0 })
  })

  test('is stored upright and without its location', async () => {
    const original = await fromPhone()
    expect(original.includes('Kestrel')).toBe(true)
    const { bytes } = await fetchAs(server(), owner.token, await upload(server(), owner.token, original))
    const seen = await sharp(bytes).metadata()
    expect([seen.width, seen.height]).toEqual([40, 80])
    expect([seen.exif, seen.xmp, seen.iptc, seen.orientation]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    expect(bytes.includes('Kestrel')).toBe(false)
    // The left side is now on top: rotated clockwise.
    const { data } = await sharp(bytes)
      .greyscale()
      .resize(1, 2, { fit: 'fill' })
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect(data[0]).toBeLessThan(data[1] ?? 0)
  })

  test('is stored without other data of its file', async () => {
    const jpeg = await rendered(20, 20).jpeg().toBuffer()
    const page = '<html><script>alert(1)</script></html>'
    const withPage = Buffer.concat([withComment(jpeg, page), Buffer.from(page)])
    const { bytes } = await fetchAs(server(), owner.token, await upload(server(), owner.token, withPage))
    expect(bytes.includes('script')).toBe(false)
  })

  test('is scaled down to the maximum size, a long one to a short side that can be read', async () => {
    const url = await upload(server(), owner.token, await rendered(5_000, 1_000).webp().toBuffer())
    const { bytes } = await fetchAs(server(), owner.token, url)
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 2_700, height: 540 })
  })

  test.each(isWholeCheck() ? [PHOTOGRAPH, ...LARGER] : [PHOTOGRAPH])(
    'is accepted when it is %s',
    async (_what, [width, height], stored) => {
      const original = await rendered(width, height).jpeg({ quality: 40 }).toBuffer()
      expect(original.length).toBeLessThan(10 * 1024 * 1024)
      const { bytes } = await fetchAs(server(), owner.token, await upload(server(), owner.token, original))
      const seen = await sharp(bytes).metadata()
      expect([seen.width, seen.height]).toEqual(stored)
    },
  )

  test.each([
    [1_080, 30_000, 540, 15_000],
    [30_000, 1_080, 15_000, 540],
    [300, 9_000, 300, 9_000],
  ])('stays readable when it is long: %i x %i', async (width, height, storedWidth, storedHeight) => {
    const original = await rendered(width, height).png().toBuffer()
    const { bytes } = await fetchAs(server(), owner.token, await upload(server(), owner.token, original))
    expect(await sharp(bytes).metadata()).toMatchObject({ width: storedWidth, height: storedHeight })
  })

  test.each([
    ['a text named .png', () => Buffer.from('only words'), 'pictureTypeRefused'],
    ['an SVG', () => SVG, 'pictureTypeRefused'],
    ['a GIF that is a script too', () => GIF_SCRIPT, 'pictureTypeRefused'],
    ['a PDF', () => PDF, 'pictureTypeRefused'],
    ['an animated WebP', () => animated(), 'pictureTypeRefused'],
    ['an AVIF', () => rendered(16, 16).avif().toBuffer(), 'pictureTypeRefused'],
    ['only the header of a PNG', () => PNG_HEADER, 'pictureBroken'],
    ['half a JPEG', async () => halfOf(await rendered(400, 400).jpeg().toBuffer()), 'pictureBroken'],
    ['half a PNG', async () => halfOf(await noise(30_000)), 'pictureBroken'],
    ['too long to stay readable', () => rendered(1_080, 36_000).png().toBuffer(), 'pictureTooLong'],
    ['a PNG of 90 megapixels', () => pngBomb(9_000, 10_000), 'pictureTooLarge'],
    ['20,000 x 20,000 pixels', () => pngBomb(20_000, 20_000), 'pictureTooLarge'],
    ['50 MB', () => Buffer.alloc(50 * 1024 * 1024, 0xff), 'payloadTooLarge'],
    ['no bytes', () => Buffer.alloc(0), 'fileMissing'],
  ])('is refused when it is %s, and nothing is stored', async (_what, make, reason) => {
    const before = kept().length
    expect(await refusalOf({ bytes: await make() })).toBe(reason)
    expect(kept().length).toBe(before)
  })

  test('is refused in a body with no file, two files, or another field', async () => {
    const bytes = await rendered(9, 9).png().toBuffer()
    expect(await refusalOf()).toBe('fileMissing')
    expect(await refusalOf({ bytes }, { bytes })).toBe('fileNotOne')
    expect(await refusalOf({ bytes, field: 'picture' })).toBe('fileMissing')
    const asJson = await call(server(), uploadPicture.path, {
      body: {},
      headers: { authorization: owner.token },
    })
    expect(reasonOf(asJson)).toBe('fileMissing')
  })

  test('is refused from visitors and demo accounts, who cannot see those of others either', async () => {
    const body = bodyOf({ bytes: await rendered(9, 9).png().toBuffer() })
    const demo = await newTrader(server())
    expect(reasonOf(await sendBody(server(), null, body))).toBe('sessionGone')
    expect(reasonOf(await sendBody(server(), demo.token, body))).toBe('realOnly')
    const url = await upload(server(), owner.token, await rendered(9, 9).png().toBuffer())
    expect(JSON.parse(String((await fetchAs(server(), demo.token, url)).bytes))).toMatchObject({
      data: { reason: 'fileUnknown' },
    })
  })

  test('in a damaged body never causes an internal error, and the next one is accepted', async () => {
    const body = bodyOf({ bytes: await rendered(40, 40).png().toBuffer() })
    await fc.assert(
      fc.asyncProperty(fc.nat(body.length - 1), fc.nat(60), async (at, left) => {
        const damaged = Buffer.concat([
          body.subarray(0, at),
          body.subarray(Math.min(body.length, at + 1 + left)),
        ])
        const answer = await sendBody(server(), owner.token, damaged)
        expect(answer.status, answer.text).toBeLessThan(500)
        expect(answer.body, answer.text).not.toBeNull()
      }),
      { numRuns: 60 },
    )
    await upload(server(), owner.token, await rendered(9, 9).png().toBuffer())
  })

  test('is found by its url for its owner only, and belongs to the first case that uses it', async () => {
    const { pictures, queries } = openFiles(server().deployment)
    const [mine, copy] = [
      await rendered(50, 50, '#3c3').png().toBuffer(),
      await rendered(50, 50, '#3c3').png().toBuffer(),
    ]
    const url = await upload(server(), owner.token, mine)
    const stranger = await newUser(server())
    const own = await pictures.ownPictureOf(url, owner.user.id)
    if (!own) throw new Error('the picture is not there')
    expect(own).toMatchObject({ userId: owner.user.id, width: 50, usedBy: null })
    expect(own.originalSha256).toBe(createHash('sha256').update(mine).digest('hex'))
    expect(readFileSync(join(dataDir, 'files', own.key))).toHaveLength(own.bytes)
    for (const other of [`http://x${url}`, `${url}/`, `${url}?`, url.toUpperCase(), UNKNOWN_KEY, ''])
      expect(await pictures.ownPictureOf(other, owner.user.id)).toBeNull()
    expect(await pictures.ownPictureOf(url, stranger.user.id)).toBeNull()
    const tie = (caseKey: string) =>
      queries.transaction().execute((within) => pictures.tie(within, own.key, caseKey))
    expect([await tie('deposit:1'), await tie('deposit:1'), await tie('deposit:2')]).toEqual([
      true,
      true,
      false,
    ])
    const again = await pictures.ownPictureOf(await upload(server(), stranger.token, copy), stranger.user.id)
    if (!again) throw new Error('the copy is not there')
    const like = await pictures.like([again.key])
    expect(like.get(again.key)).toEqual([{ caseKey: 'deposit:1', userId: owner.user.id, isSame: true }])
  })

  test('is removed after a day when no case uses it', async () => {
    const { pictures, queries } = openFiles(server().deployment)
    const bytes = await rendered(30, 30).png().toBuffer()
    const [used, unused] = [
      await upload(server(), owner.token, bytes),
      await upload(server(), owner.token, bytes),
    ]
    const key = used.slice(used.lastIndexOf('/') + 1)
    await queries.transaction().execute((within) => pictures.tie(within, key, 'deposit:9'))
    await pictures.removeUnused()
    expect(await pictures.ownPictureOf(unused, owner.user.id)).not.toBeNull()
    pass(DAY_MS + 1)
    await pictures.removeUnused()
    expect(await pictures.ownPictureOf(unused, owner.user.id)).toBeNull()
    expect(await pictures.ownPictureOf(used, owner.user.id)).not.toBeNull()
    expect(
      kept()
        .map(String)
        .filter((name) => name.includes(unused.slice(-32))),
    ).toEqual([])
    expect(
      kept()
        .map(String)
        .filter((name) => name.includes(key)),
    ).toHaveLength(1)
  })
})

const halfOf = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.length >> 1)
const PNG_HEADER = Buffer.from(
  '89504e470d0a1a0a0000000d49484452000000100000001008020000009091683600000000',
  'hex',
)
