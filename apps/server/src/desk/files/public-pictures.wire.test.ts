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
import { drawn, fromPhone, moving, PDF, pngBomb, SVG } from '../../files/testing/pictures.ts'
import { bodyOf, fetchAs, MULTIPART, upload } from '../../files/testing/sending.ts'
import { movablePace, newMember, reasonOf } from '../../testing/accounts.ts'
import { call, dataOf } from '../../testing/calls.ts'
import { atDesk, type AtDesk } from '../../testing/desk.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'
import { openFiles } from '../../files/testing/open-files.ts'

const DAY_MS = 86_400_000

describe.each(DATABASES)('a picture for everybody, %s', (kind) => {
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

  test('is seen without a log-in, kept by caches for good, and does nothing when it is opened', async () => {
    const seeThrough = await sharp({ create: { width: 60, height: 30, channels: 4, background: '#0000' } })
      .png()
      .toBuffer()
    const url = await put(seeThrough)
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
    const act = await server()
      .deployment.database.queries.selectFrom('desk_act')
      .selectAll()
      .where('act', '=', 'uploadPicture')
      .executeTakeFirstOrThrow()
    expect(act).toMatchObject({ operator_name: writer.name, subject: `picture:${url}`, outcome: 'done' })
  })

  test('goes by the rules of what users send: its header, its size, nothing but what is seen', async () => {
    const { bytes } = await get(await put(await fromPhone()))
    const seen = await sharp(bytes).metadata()
    expect([seen.width, seen.height, seen.exif, bytes.includes('Kestrel')]).toEqual([
      40,
      80,
      undefined,
      false,
    ])
    const wide = await get(await put(await drawn(4_000, 500).jpeg().toBuffer()))
    expect(await sharp(wide.bytes).metadata()).toMatchObject({ width: 1_600, height: 200 })
    expect(reasonOf(await send(SVG))).toBe('pictureTypeRefused')
    expect(reasonOf(await send(PDF))).toBe('pictureTypeRefused')
    expect(reasonOf(await send(await moving()))).toBe('pictureTypeRefused')
    expect(reasonOf(await send(await pngBomb(20, 60_000_000)))).toBe('pictureTooLarge')
    expect(reasonOf(await send(Buffer.alloc(10 * 1024 * 1024 + 9_000)))).toBe('payloadTooLarge')
    expect(reasonOf(await send(await drawn(9, 9).png().toBuffer(), await atDesk(server(), 'finance')))).toBe(
      'roleRefused',
    )
  })

  test('is never one that a user has sent, under whatever name', async () => {
    const { token } = await newMember(server())
    const own = await upload(server(), token, await drawn(30, 30).png().toBuffer())
    const key = own.slice(own.lastIndexOf('/') + 1)
    const names = [key, `${key}.webp`, `${key}.jpg`, `${key}.webp.webp`, `..%2F${key}`, `${key}%00.webp`]
    for (const name of names) {
      for (const asker of [null, token, writer.token]) {
        const { status, headers, bytes } = await fetchAs(server(), asker, `/files/${name}`)
        expect([status, headers.get('cache-control')]).toEqual([404, 'no-store'])
        expect(JSON.parse(String(bytes))).toMatchObject({ code: 0, data: { reason: 'fileUnknown' } })
      }
    }
    // Nor does the other way round lead anywhere: what is public is nobody's proof.
    const url = await put(await drawn(30, 30).png().toBuffer())
    const asProof = url.replace('/files/', '/api/common/image/').replace('.webp', '')
    expect((await fetchAs(server(), token, asProof)).status).toBe(404)
    const { pictures } = openFiles(server().deployment)
    const proof = await pictures.find(key)
    expect(proof && (await pictures.like([proof.key])).get(proof.key)).toEqual([])
  })

  test('stays, though nobody uses it yet: an older version of a text may', async () => {
    const url = await put(await drawn(20, 20).png().toBuffer())
    pass(2 * DAY_MS)
    await openFiles(server().deployment).pictures.removeUnused()
    expect((await get(url)).status).toBe(200)
    // The session of the desk is over by now.
    writer = await atDesk(server(), 'administrator')
  })

  test('stands in news, beside them and in their text; one from elsewhere does not', async () => {
    const url = await put(await drawn(50, 20).png().toBuffer())
    const body = `<p>Look:</p><img src="${url}" alt="A chart"><img src="https://elsewhere.example/a.png">`
    const saved = await writer.ask(saveContent, {
      ...{ id: null, version: 0, kind: 'news', category: 'market', isPinned: false },
      picture: url.replace('/files/', ''),
      texts: [{ language: 'en', title: 'Rates', summary: '', body }],
    })
    await writer.ask(publishContent, { ...saved, publishAt: null, reason: 'ready' })
    const read = valueOf(await clientOf(server().url, null).call(getNews, { id: saved.id }))
    expect(read.picture).toBe(url)
    expect(read.content).toBe(`<p>Look:</p><img src="${url}" alt="A chart" />`)
  })

  test('is the logo of an instrument, which takes no address of elsewhere', async () => {
    const dealing = await atDesk(server(), 'dealing')
    const url = dataOf<{ url: string }>(await send(await drawn(64, 64).png().toBuffer(), dealing)).url
    const change = async (terms: Partial<InstrumentTerms>) => {
      const [row] = (await dealing.ask(listDeskInstruments, { search: '' })).instruments
      if (!row) throw new Error('no instruments')
      const draft = { kind: 'instrument', instrumentId: row.id, formKey: row.formKey } as const
      return dealing.refusalOf(changeTerms, {
        ...{ ...draft, effect: 'earliest', effectiveAt: null, session: null, settings: null },
        ...{ instrument: { ...row.terms, ...terms }, reason: 'a picture' },
      })
    }
    expect(await change({ logo: 'https://elsewhere.example/eur.png' })).toBe('termsInvalid')
    expect(await change({ logo: url })).toBeNull()
    const listed = await call(server(), '/v1/api/forex/trade_list?searchCurrency=')
    expect(dataOf<{ Logo: string }[]>(listed).map(({ Logo }) => Logo)).toContain(url)
  })
})
