import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getNews, valueOf } from '@fairlot/contract'
import {
  changeTerms,
  listDeskInstruments,
  publishContent,
  saveContent,
  uploadPublicPicture,
  type InstrumentTerms,
} from '@fairlot/contract/desk'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientOf } from '../../../../../testing/client.ts'
import { rendered, fromPhone, animated, PDF, pngBomb, SVG } from '../../platform/files/testing/pictures.ts'
import { bodyOf, fetchAs, MULTIPART, upload } from '../../platform/files/testing/sending.ts'
import { movablePace, newUser, reasonOf } from '../../testing/accounts.ts'
import { call, dataOf } from '../../testing/calls.ts'
import { atDesk, type AtDesk } from '../../testing/desk.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'
import { openFiles } from '../../platform/files/testing/open-files.ts'

const DAY_MS = 86_400_000

describe.each(DATABASES)('a public picture, %s', (kind) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'fairlot-public-'))
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
  const { pace, pass } = movablePace()
  const server = serverOn(kind, { pace, env: { FEED: 'ws://127.0.0.1:9', DATA_DIR: dataDir } })
  let writer: AtDesk
  beforeAll(async () => {
    writer = await atDesk(server(), 'administrator')
  })
  const send = (bytes: Buffer, { token }: Pick<AtDesk, 'token'> = writer) =>
    call(server(), uploadPublicPicture.path, {
      body: bodyOf({ bytes }),
      headers: { lang: 'en', 'content-type': MULTIPART, authorization: token },
    })
  const put = async (bytes: Buffer) => dataOf<{ url: string }>(await send(bytes)).url
  const get = (url: string) => fetchAs(server(), null, url)

  test('is served without a log-in, cacheable for ever, and cannot run scripts', async () => {
    const transparent = await sharp({ create: { width: 60, height: 30, channels: 4, background: '#0000' } })
      .png()
      .toBuffer()
    const url = await put(transparent)
    expect(url).toMatch(/^\/files\/[\w-]{32}\.webp$/)
    const { status, headers, bytes } = await get(url)
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
    })
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 60, hasAlpha: true })
    const entry = await server()
      .deployment.database.queries.selectFrom('desk_act')
      .selectAll()
      .where('act', '=', 'uploadPicture')
      .executeTakeFirstOrThrow()
    expect(entry).toMatchObject({ operator_name: writer.name, subject: `picture:${url}`, outcome: 'done' })
  })

  test('follows the rules for uploads of users: type, size, no metadata', async () => {
    const { bytes } = await get(await put(await fromPhone()))
    const seen = await sharp(bytes).metadata()
    expect([seen.width, seen.height, seen.exif, bytes.includes('Kestrel')]).toEqual([
      40,
      80,
      undefined,
      false,
    ])
    const wide = await get(await put(await rendered(4_000, 500).jpeg().toBuffer()))
    expect(await sharp(wide.bytes).metadata()).toMatchObject({ width: 1_600, height: 200 })
    expect(reasonOf(await send(SVG))).toBe('pictureTypeRefused')
    expect(reasonOf(await send(PDF))).toBe('pictureTypeRefused')
    expect(reasonOf(await send(await animated()))).toBe('pictureTypeRefused')
    expect(reasonOf(await send(await pngBomb(20, 60_000_000)))).toBe('pictureTooLarge')
    expect(reasonOf(await send(Buffer.alloc(10 * 1024 * 1024 + 9_000)))).toBe('payloadTooLarge')
    expect(
      reasonOf(await send(await rendered(9, 9).png().toBuffer(), await atDesk(server(), 'finance'))),
    ).toBe('roleRefused')
  })

  test('is never a picture of a user, under any name', async () => {
    const { token } = await newUser(server())
    const own = await upload(server(), token, await rendered(30, 30).png().toBuffer())
    const key = own.slice(own.lastIndexOf('/') + 1)
    const names = [key, `${key}.webp`, `${key}.jpg`, `${key}.webp.webp`, `..%2F${key}`, `${key}%00.webp`]
    for (const name of names) {
      for (const requester of [null, token, writer.token]) {
        const { status, headers, bytes } = await fetchAs(server(), requester, `/files/${name}`)
        expect([status, headers.get('cache-control')]).toEqual([404, 'no-store'])
        expect(JSON.parse(String(bytes))).toMatchObject({ code: 0, data: { reason: 'fileUnknown' } })
      }
    }
    // Nor is a public picture served as a picture of a user.
    const url = await put(await rendered(30, 30).png().toBuffer())
    const asProof = url.replace('/files/', '/api/common/image/').replace('.webp', '')
    expect((await fetchAs(server(), token, asProof)).status).toBe(404)
    const { pictures } = openFiles(server().deployment)
    const proof = await pictures.find(key)
    expect(proof && (await pictures.like([proof.key])).get(proof.key)).toEqual([])
  })

  test('is kept while unused, as an older version of a text may use it', async () => {
    const url = await put(await rendered(20, 20).png().toBuffer())
    pass(2 * DAY_MS)
    await openFiles(server().deployment).pictures.removeUnused()
    expect((await get(url)).status).toBe(200)
    // The session of the operator has ended by now.
    writer = await atDesk(server(), 'administrator')
  })

  test('is shown in news, unlike pictures from other servers', async () => {
    const url = await put(await rendered(50, 20).png().toBuffer())
    const body = `<p>Look:</p><img src="${url}" alt="A chart"><img src="https://elsewhere.example/a.png">`
    const saved = await writer.request(saveContent, {
      id: null,
      version: 0,
      kind: 'news',
      category: 'market',
      isPinned: false,
      picture: url.replace('/files/', ''),
      texts: [{ language: 'en', title: 'Rates', summary: '', body }],
    })
    await writer.request(publishContent, { ...saved, publishAt: null, reason: 'ready' })
    const read = valueOf(await clientOf(server().url, null).call(getNews, { id: saved.id }))
    expect(read.picture).toBe(url)
    expect(read.content).toBe(`<p>Look:</p><img src="${url}" alt="A chart" />`)
  })

  test('can be the logo of an instrument, unlike an address on another server', async () => {
    const dealing = await atDesk(server(), 'dealing')
    const url = dataOf<{ url: string }>(await send(await rendered(64, 64).png().toBuffer(), dealing)).url
    const change = async (terms: Partial<InstrumentTerms>) => {
      const [row] = (await dealing.request(listDeskInstruments, { search: '' })).instruments
      if (!row) throw new Error('no instruments')
      const draft = { kind: 'instrument', instrumentId: row.id, formKey: row.formKey } as const
      return dealing.refusalOf(changeTerms, {
        ...draft,
        effect: 'earliest',
        effectiveAt: null,
        session: null,
        settings: null,
        instrument: { ...row.terms, ...terms },
        reason: 'a picture',
      })
    }
    expect(await change({ logo: 'https://elsewhere.example/eur.png' })).toBe('termsInvalid')
    expect(await change({ logo: url })).toBeNull()
    const listed = await call(server(), '/v1/api/forex/trade_list?searchCurrency=')
    expect(dataOf<{ Logo: string }[]>(listed).map(({ Logo }) => Logo)).toContain(url)
  })
})
