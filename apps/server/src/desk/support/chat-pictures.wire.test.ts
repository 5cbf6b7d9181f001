import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listChat, PICTURE_PATH, sendChatMessage, valueOf, type Client } from '@fairlot/contract'
import {
  answerChat,
  CHAT_PICTURE_PATH,
  DESK_FILE_PATH,
  getWaitingCase,
  listActs,
  listPersonChat,
  ROLES,
  uploadChatPicture,
  type DeskAct,
} from '@fairlot/contract/desk'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientOf } from '../../../../../testing/client.ts'
import { newTrader, type Trader } from '../../../../../testing/traders.ts'
import { openFiles } from '../../files/testing/open-files.ts'
import { drawn, fromPhone, GIF_SCRIPT, moving, PDF, pngBomb, SVG } from '../../files/testing/pictures.ts'
import { bodyOf, fetchAs, MULTIPART, upload } from '../../files/testing/sending.ts'
import { movablePace, newMember, post, reasonOf, type Member } from '../../testing/accounts.ts'
import { call, dataOf } from '../../testing/calls.ts'
import { atDesk, type AtDesk } from '../../testing/desk.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'
import { openSocket } from '../../testing/socket-reader.ts'

const DAY_MS = 86_400_000

describe.each(DATABASES)('pictures in the chat with the support, %s', (kind) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'fairlot-chat-pictures-'))
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
  const { pace, pass } = movablePace()
  const server = serverOn(kind, { pace, env: { FEED: 'ws://127.0.0.1:9', DATA_DIR: dataDir } })
  let support: AtDesk
  let demo: Trader
  beforeAll(async () => {
    support = await atDesk(server(), 'support')
    demo = await newTrader(server())
  })
  const member = async () => {
    const made = await newMember(server())
    return { ...made, id: made.user.id, client: clientOf(server().url, made.token) }
  }
  const say = async (client: Client<AbortSignal>, text: string, picture: string | null = null) =>
    valueOf(await client.call(sendChatMessage, { text, picture }))
  const send = (bytes: Buffer, { token }: Pick<AtDesk, 'token'> = support) =>
    call(server(), uploadChatPicture.path, {
      body: bodyOf({ bytes }),
      headers: { lang: 'en', 'content-type': MULTIPART, authorization: token },
    })
  const put = async (operator = support) =>
    dataOf<{ key: string }>(await send(await drawn(60, 30).png().toBuffer(), operator)).key
  const actsOf = async (act: DeskAct, accountId: number) =>
    (
      await support.ask(listActs, {
        ...{ operatorId: null, act, subject: null, accountId, outcome: null },
        ...{ since: null, until: null, search: null, page: 1 },
      })
    ).acts
  const answerWith = (id: number, picture: string, text = '') => ({ id, text, picture, seen: 0 })

  test('keeps a picture for its owner and the support, and writes each view down', async () => {
    const [owner, other] = [await member(), await member()]
    const url = await upload(server(), owner.token, await drawn(60, 30).png().toBuffer())
    const refusalOf = async (by: Pick<Member, 'token'>, image: string) =>
      reasonOf(await post(server(), sendChatMessage.path, { text: 'see', image }, by.token))
    expect(await refusalOf(other, url)).toBe('chatPictureUnknown')
    expect(await refusalOf(demo, url)).toBe('chatPictureUnknown')
    expect(await refusalOf(owner, 'https://elsewhere.example/x.png')).toBe('chatPictureUnknown')
    expect(await say(owner.client, '', url)).toMatchObject({ text: '', picture: url })
    expect(await refusalOf(owner, url)).toBe('chatPictureUnknown')
    const key = url.slice(url.lastIndexOf('/') + 1)
    expect((await support.ask(listPersonChat, { id: owner.id, before: null })).messages).toMatchObject([
      { picture: key, operator: null },
    ])
    for (const role of ROLES) {
      const { token } = role === 'support' ? support : await atDesk(server(), role)
      const seen = await fetchAs(server(), token, `${CHAT_PICTURE_PATH}${key}`)
      expect([role, seen.status]).toEqual([role, role === 'support' ? 200 : 403])
      // Nor by the way to the proofs of deposits.
      const asProof = await fetchAs(server(), token, `${DESK_FILE_PATH}${key}`)
      expect([role, asProof.status]).toEqual([role, role === 'support' || role === 'dealing' ? 403 : 404])
    }
    expect(await actsOf('viewChat', owner.id)).toMatchObject([
      { subject: `chat:${owner.id}`, operator: support.name, outcome: 'done' },
    ])
    expect((await fetchAs(server(), other.token, url)).status).toBe(404)
    expect((await fetchAs(server(), owner.token, url)).status).toBe(200)
    // Nothing of it is told to the person as a change of the account.
    const activity = await call(server(), '/api/user/activity', { headers: { authorization: owner.token } })
    expect(activity.text).not.toContain('Something else')
  })

  test('go from the desk to the person at once, who alone can open them, and stand among the acts', async () => {
    const [owner, other] = [await member(), await member()]
    const socket = await openSocket(server(), {}, '?lang=en')
    socket.send({ type: 'login', params: owner.token })
    socket.send({ type: 'sub', params: ['NOTICE', 'CHAT'] })
    await socket.settled()
    const asked = await say(owner.client, 'How do I do that?')
    expect(await socket.next('CHAT')).toMatchObject({ unread: 0 })
    const key = await put()
    const sent = await support.ask(answerChat, { ...answerWith(owner.id, key), seen: asked.id })
    expect(sent).toMatchObject({ text: '', picture: key, operator: support.name })
    expect((await socket.next('NOTICE'))['notice']).toMatchObject({
      ...{ kind: 'supportAnswered', title: 'Support has answered', text: 'A picture' },
    })
    expect(await socket.next('CHAT')).toMatchObject({ unread: 1 })
    const url = `${PICTURE_PATH}${key}`
    const { messages } = valueOf(await owner.client.call(listChat, { before: null }))
    expect(messages[0]).toMatchObject({ from: 'support', text: '', picture: url })
    // A picture alone is an answer: nothing waits any more.
    expect(await support.refusalOf(getWaitingCase, { caseKey: `chat:${owner.id}` })).toBe('caseEnded')

    const opened = await fetchAs(server(), owner.token, url)
    expect([opened.status, opened.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    for (const token of [other.token, demo.token, null])
      expect((await fetchAs(server(), token, url)).bytes.includes(opened.bytes)).toBe(false)
    for (const role of ROLES) {
      const { token } = role === 'support' ? support : await atDesk(server(), role)
      const seen = await fetchAs(server(), token, `${CHAT_PICTURE_PATH}${key}`)
      expect([role, seen.status]).toEqual([role, role === 'support' ? 200 : 403])
      expect([role, (await fetchAs(server(), token, `${DESK_FILE_PATH}${key}`)).status]).not.toContain(200)
    }
    const answered = await server()
      .deployment.database.queries.selectFrom('desk_act')
      .selectAll()
      .where('act', '=', 'answerChat')
      .where('account_id', '=', BigInt(owner.id))
      .executeTakeFirstOrThrow()
    expect(answered).toMatchObject({
      operator_name: support.name,
      subject: `chat:${owner.id}`,
      outcome: 'done',
    })
    expect(answered.after).toContain(key)
    expect(await actsOf('viewChat', owner.id)).toMatchObject([{ operator: support.name, outcome: 'done' }])
    // It is theirs to look at, not to send on as something of their own.
    expect(reasonOf(await post(server(), sendChatMessage.path, { text: 'x', image: url }, owner.token))).toBe(
      'chatPictureUnknown',
    )
    socket.socket.close()
  })

  test('reach a demo account too, which may not send any', async () => {
    await say(clientOf(server().url, demo.token), 'a demo asks as well')
    const key = await put()
    await support.ask(answerChat, answerWith(demo.user.id, key, 'Look:'))
    expect((await fetchAs(server(), demo.token, `${PICTURE_PATH}${key}`)).status).toBe(200)
  })

  test('are sent once, by whoever has uploaded them, and by nobody else', async () => {
    const [one, two] = [await member(), await member()]
    const key = await put()
    const colleague = await atDesk(server(), 'support')
    const unknown = async (operator: AtDesk, picture: string) => {
      const { id } = one
      expect(await operator.refusalOf(answerChat, answerWith(id, picture, 'x'))).toBe('chatPictureUnknown')
    }
    await unknown(colleague, key)
    await unknown(support, `${PICTURE_PATH}${key}`)
    await unknown(support, 'A'.repeat(32))
    // What a person has sent, a proof or a picture of a chat, is not the operator's to hand on.
    const own = await upload(server(), two.token, await drawn(20, 20).png().toBuffer())
    await unknown(support, own.slice(PICTURE_PATH.length))
    expect((await support.ask(listPersonChat, { id: one.id, before: null })).messages).toEqual([])
    await support.ask(answerChat, answerWith(two.id, key))
    await unknown(support, key)
    expect((await fetchAs(server(), one.token, `${PICTURE_PATH}${key}`)).status).toBe(404)
    expect(await support.refusalOf(answerChat, { id: one.id, text: ' ', picture: null, seen: 0 })).toBe(
      'messageBlank',
    )
  })

  test('of operators are drawn anew, and refused with a sentence where they are none', async () => {
    const { key } = dataOf<{ key: string }>(await send(await fromPhone()))
    const { pictures } = openFiles(server().deployment)
    const kept = await pictures.find(key)
    const bytes = kept && (await pictures.bytesOf(kept))
    expect(kept).toMatchObject({ userId: null, usedBy: null, type: 'image/jpeg' })
    expect([bytes?.includes('Kestrel'), (await sharp(bytes ?? Buffer.alloc(0)).metadata()).exif]).toEqual([
      false,
      undefined,
    ])
    const refused = [
      [Buffer.from('only words'), 'pictureTypeRefused'],
      [SVG, 'pictureTypeRefused'],
      [GIF_SCRIPT, 'pictureTypeRefused'],
      [PDF, 'pictureTypeRefused'],
      [await moving(), 'pictureTypeRefused'],
      [(await drawn(400, 400).jpeg().toBuffer()).subarray(0, 900), 'pictureBroken'],
      [await pngBomb(20_000, 20_000), 'pictureTooLarge'],
      [Buffer.alloc(10 * 1024 * 1024 + 9_000), 'payloadTooLarge'],
      [Buffer.alloc(0), 'fileMissing'],
    ] as const
    for (const [sent, reason] of refused) {
      const answer = await send(sent)
      expect([reasonOf(answer), answer.status < 500]).toEqual([reason, true])
      expect(answer.body?.msg).toMatch(/\w+ \w+.*\.$/)
    }
    for (const role of ROLES.filter((each) => each !== 'support')) {
      const answer = await send(await drawn(9, 9).png().toBuffer(), await atDesk(server(), role))
      expect([role, reasonOf(answer)]).toEqual([role, 'roleRefused'])
    }
  })

  test('that were never sent go after a day, those of a conversation stay', async () => {
    const { id, token } = await member()
    const [unsent, sent] = [await put(), await put()]
    await support.ask(answerChat, answerWith(id, sent))
    pass(DAY_MS + 1)
    const { pictures } = openFiles(server().deployment)
    await pictures.removeUnused()
    expect(await pictures.find(unsent)).toBeNull()
    support = await atDesk(server(), 'support')
    expect(await support.refusalOf(answerChat, answerWith(id, unsent))).toBe('chatPictureUnknown')
    const { bytes } = await fetchAs(server(), token, `${PICTURE_PATH}${sent}`)
    expect((await sharp(bytes).metadata()).width).toBe(60)
  })
})
