import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listChat, PICTURE_PATH, sendChatMessage, valueOf, type Client } from '@fairlot/contract'
import {
  answerChat,
  CHAT_PICTURE_PATH,
  DESK_FILE_PATH,
  getWaitingCase,
  listAuditEntries,
  listUserChat,
  ROLES,
  uploadChatPicture,
  type DeskPermission,
} from '@fairlot/contract/desk'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientOf } from '../../../../../testing/client.ts'
import { newTrader, type Trader } from '../../../../../testing/traders.ts'
import { openFiles } from '../../platform/files/testing/open-files.ts'
import {
  rendered,
  fromPhone,
  GIF_SCRIPT,
  animated,
  PDF,
  pngBomb,
  SVG,
} from '../../platform/files/testing/pictures.ts'
import { bodyOf, fetchAs, MULTIPART, upload } from '../../platform/files/testing/sending.ts'
import { movablePace, newUser, post, reasonOf, type TestUser } from '../../testing/accounts.ts'
import { call, dataOf } from '../../testing/calls.ts'
import { atDesk, type AtDesk } from '../../testing/desk.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'
import { openSocket } from '../../testing/sockets.ts'
const DAY_MS = 86_400_000

describe.each(DATABASES)('pictures in the support chat, %s', (kind) => {
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
  const openUser = async () => {
    const made = await newUser(server())
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
    dataOf<{ key: string }>(await send(await rendered(60, 30).png().toBuffer(), operator)).key
  const actsOf = async (act: DeskPermission, accountId: number) =>
    (
      await support.request(listAuditEntries, {
        operatorId: null,
        act,
        subject: null,
        accountId,
        outcome: null,
        since: null,
        until: null,
        search: null,
        page: 1,
      })
    ).acts
  const answerWith = (id: number, picture: string, text = '') => ({ id, text, picture, seen: 0 })

  test('are visible to their owner and support staff only, and each view is audited', async () => {
    const [owner, other] = [await openUser(), await openUser()]
    const url = await upload(server(), owner.token, await rendered(60, 30).png().toBuffer())
    const refusalOf = async (by: Pick<TestUser, 'token'>, image: string) =>
      reasonOf(await post(server(), sendChatMessage.path, { text: 'see', image }, by.token))
    expect(await refusalOf(other, url)).toBe('chatPictureUnknown')
    expect(await refusalOf(demo, url)).toBe('chatPictureUnknown')
    expect(await refusalOf(owner, 'https://elsewhere.example/x.png')).toBe('chatPictureUnknown')
    expect(await say(owner.client, '', url)).toMatchObject({ text: '', picture: url })
    expect(await refusalOf(owner, url)).toBe('chatPictureUnknown')
    const key = url.slice(url.lastIndexOf('/') + 1)
    expect((await support.request(listUserChat, { id: owner.id, before: null })).messages).toMatchObject([
      { picture: key, operator: null },
    ])
    for (const role of ROLES) {
      const { token } = role === 'support' ? support : await atDesk(server(), role)
      const seen = await fetchAs(server(), token, `${CHAT_PICTURE_PATH}${key}`)
      expect([role, seen.status]).toEqual([role, role === 'support' ? 200 : 403])
      // Nor through the endpoint for proofs of deposits.
      const asProof = await fetchAs(server(), token, `${DESK_FILE_PATH}${key}`)
      expect([role, asProof.status]).toEqual([role, role === 'support' || role === 'dealing' ? 403 : 404])
    }
    expect(await actsOf('viewChat', owner.id)).toMatchObject([
      { subject: `chat:${owner.id}`, operator: support.name, outcome: 'done' },
    ])
    expect((await fetchAs(server(), other.token, url)).status).toBe(404)
    expect((await fetchAs(server(), owner.token, url)).status).toBe(200)
    // The user does not see a view as an activity of the account.
    const activity = await call(server(), '/api/user/activity', { headers: { authorization: owner.token } })
    expect(activity.text).not.toContain('Account changed')
  })

  test('sent by support staff reach the user at once, open for that user only, and are audited', async () => {
    const [owner, other] = [await openUser(), await openUser()]
    const socket = await openSocket(server(), {}, '?lang=en')
    socket.send({ type: 'login', params: owner.token })
    socket.send({ type: 'sub', params: ['NOTICE', 'CHAT'] })
    await socket.settled()
    const question = await say(owner.client, 'How do I do that?')
    expect(await socket.next('CHAT')).toMatchObject({ unread: 0 })
    const key = await put()
    const sent = await support.request(answerChat, { ...answerWith(owner.id, key), seen: question.id })
    expect(sent).toMatchObject({ text: '', picture: key, operator: support.name })
    expect((await socket.next('NOTICE'))['notice']).toMatchObject({
      kind: 'supportAnswered',
      title: 'Support has replied',
      text: 'A picture',
    })
    expect(await socket.next('CHAT')).toMatchObject({ unread: 1 })
    const url = `${PICTURE_PATH}${key}`
    const { messages } = valueOf(await owner.client.call(listChat, { before: null }))
    expect(messages[0]).toMatchObject({ from: 'support', text: '', picture: url })
    // A picture alone is an answer, which ends the case.
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
    // The user may view it, but not send it as a picture of their own.
    expect(reasonOf(await post(server(), sendChatMessage.path, { text: 'x', image: url }, owner.token))).toBe(
      'chatPictureUnknown',
    )
    socket.socket.close()
  })

  test('can be sent to a demo account, which cannot send any', async () => {
    await say(clientOf(server().url, demo.token), 'a demo asks as well')
    const key = await put()
    await support.request(answerChat, answerWith(demo.user.id, key, 'Look:'))
    expect((await fetchAs(server(), demo.token, `${PICTURE_PATH}${key}`)).status).toBe(200)
  })

  test('can be sent once, by the operator who uploaded them', async () => {
    const [one, two] = [await openUser(), await openUser()]
    const key = await put()
    const colleague = await atDesk(server(), 'support')
    const expectUnknown = async (operator: AtDesk, picture: string) => {
      const { id } = one
      expect(await operator.refusalOf(answerChat, answerWith(id, picture, 'x'))).toBe('chatPictureUnknown')
    }
    await expectUnknown(colleague, key)
    await expectUnknown(support, `${PICTURE_PATH}${key}`)
    await expectUnknown(support, 'A'.repeat(32))
    // A picture that a user has uploaded cannot be sent by an operator.
    const own = await upload(server(), two.token, await rendered(20, 20).png().toBuffer())
    await expectUnknown(support, own.slice(PICTURE_PATH.length))
    expect((await support.request(listUserChat, { id: one.id, before: null })).messages).toEqual([])
    await support.request(answerChat, answerWith(two.id, key))
    await expectUnknown(support, key)
    expect((await fetchAs(server(), one.token, `${PICTURE_PATH}${key}`)).status).toBe(404)
    expect(await support.refusalOf(answerChat, { id: one.id, text: ' ', picture: null, seen: 0 })).toBe(
      'messageBlank',
    )
  })

  test('uploaded by operators are re-encoded, and other files are rejected with a message', async () => {
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
      [await animated(), 'pictureTypeRefused'],
      [(await rendered(400, 400).jpeg().toBuffer()).subarray(0, 900), 'pictureBroken'],
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
      const answer = await send(await rendered(9, 9).png().toBuffer(), await atDesk(server(), role))
      expect([role, reasonOf(answer)]).toEqual([role, 'roleRefused'])
    }
  })

  test('that were never sent are removed after a day, those in a chat stay', async () => {
    const { id, token } = await openUser()
    const [unsent, sent] = [await put(), await put()]
    await support.request(answerChat, answerWith(id, sent))
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
