import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getIdentityCheck, getUser, sendIdentity, valueOf } from '@fairlot/contract'
import {
  approveIdentity,
  DESK_FILE_PATH,
  getIdentity,
  getWaitingCase,
  listActs,
  listWaiting,
  refuseIdentity,
  revealIdentityNumber,
  verifyPerson,
  type FoundFault,
} from '@fairlot/contract/desk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientOf } from '../../../../../testing/client.ts'
import { newTrader } from '../../../../../testing/traders.ts'
import { drawn } from '../../files/testing/pictures.ts'
import { fetchAs, upload } from '../../files/testing/sending.ts'
import { newMember, post, reasonOf, sentTo, type Member } from '../../testing/accounts.ts'
import { call, dataOf } from '../../testing/calls.ts'
import { atDesk, type AtDesk } from '../../testing/desk.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'
import { openSocket } from '../../testing/socket-reader.ts'

const SEND = '/api/user_real/real_name'
const CENTER = '/api/user_real/center'
const NUMBER = 'A123456(7)'
const BLURRED = { field: 'reverse', fault: 'unreadable', words: '' } as const satisfies FoundFault

describe.each(DATABASES)('the check of who somebody is, %s', (kind) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'fairlot-identity-'))
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
  const server = serverOn(kind, {
    env: { FEED: 'ws://127.0.0.1:9', DATA_DIR: dataDir, SETTING_IDENTITY_CHECKS_PER_DAY: '3' },
  })
  let [compliance, finance]: [AtDesk, AtDesk] = [] as never
  let [person, count] = [null as unknown as Member, 0]
  beforeAll(async () => {
    ;[compliance, finance] = [await atDesk(server(), 'compliance'), await atDesk(server(), 'finance')]
    person = await newMember(server())
  })
  const picture = async ({ token }: Member) => {
    const bytes = await drawn(40 + (count += 1), 30)
      .png()
      .toBuffer()
    return upload(server(), token, bytes)
  }
  const send = (body: object, { token }: Member = person) => post(server(), SEND, body, token)
  const form = async (of: Member, given: object = {}) => ({
    ...{ name: '陳 大文', card_id: NUMBER, front_pic: await picture(of), reverse_pic: await picture(of) },
    ...given,
  })
  const center = async ({ token }: Member = person) =>
    dataOf<Record<string, unknown>>(
      await call(server(), CENTER, { headers: { authorization: token, lang: 'en' } }),
    )
  const statusOf = async ({ token }: Member = person) =>
    valueOf(await clientOf(server().url, token).call(getUser, null)).identityCheck
  const sentAt = async ({ user }: Member = person) =>
    (await compliance.ask(getIdentity, { accountId: user.id })).sentAt
  const refuseBack = async (faults: readonly FoundFault[] = [BLURRED], of = person) =>
    compliance.ask(refuseIdentity, { accountId: of.user.id, sentAt: await sentAt(of), faults })
  const approve = async (of: Member) =>
    compliance.ask(approveIdentity, {
      ...{ accountId: of.user.id, sentAt: await sentAt(of), reason: 'name and number as on it' },
    })

  test('is for real accounts', async () => {
    const demo = await newTrader(server())
    for (const [token, reason] of [
      [undefined, 'sessionGone'],
      [demo.token, 'realOnly'],
    ] as const) {
      expect(reasonOf(await post(server(), SEND, {}, token))).toBe(reason)
      const headers = { ...(token !== undefined && { authorization: token }) }
      expect(reasonOf(await call(server(), CENTER, { headers }))).toBe(reason)
    }
    expect(await center()).toEqual({
      ...{ review_status: 0, name: '', reason: '', card_id: '', faults: [], sent_time: null },
    })
  })

  test('refuses what is missing, malformed, somebody else’s or the same twice, at its field', async () => {
    const stranger = await newMember(server())
    const good = await form(person)
    for (const [given, reason, field] of [
      [{ name: ' ' }, 'identityFieldMissing', 'name'],
      [{ card_id: undefined }, 'identityFieldMissing', 'card_id'],
      [{ front_pic: '' }, 'identityFieldMissing', 'front_pic'],
      [{ name: '<img src=x onerror=alert(1)>' }, 'identityNameInvalid', 'name'],
      [{ card_id: 'A1"; drop table' }, 'identityNumberInvalid', 'card_id'],
      [{ card_id: '12' }, 'identityNumberInvalid', 'card_id'],
      [{ name: 'a'.repeat(101) }, 'textTooLong', undefined],
      [{ name: { a: 1 } }, 'notUnderstood', undefined],
      [{ reverse_pic: await picture(stranger) }, 'identityPictureUnknown', 'reverse_pic'],
      [{ front_pic: 'https://elsewhere.example/a.png' }, 'identityPictureUnknown', 'front_pic'],
      [{ reverse_pic: good.front_pic }, 'identityPictureUsed', 'reverse_pic'],
    ] as const) {
      const answer = await send({ ...good, ...given })
      expect([answer.status, reasonOf(answer)]).toEqual([200, reason])
      if (field !== undefined) expect(dataOf<{ field: string }>(answer).field).toBe(field)
    }
    expect(await statusOf()).toBe('form')
  })

  test('waits once sent, is masked, and the number is in no column as it is', async () => {
    const good = await form(person)
    expect((await send(good)).body?.code).toBe(1)
    expect((await send(good)).body?.code).toBe(1)
    expect(reasonOf(await send({ ...good, name: 'Another' }))).toBe('identityWaiting')
    expect(await statusOf()).toBe('waiting')
    expect(await center()).toMatchObject({ review_status: 1, name: '陳 大文', card_id: '••••••6(7)' })
    const row = await server()
      .deployment.database.queries.selectFrom('identity_check')
      .selectAll()
      .where('user_id', '=', BigInt(person.user.id))
      .executeTakeFirstOrThrow()
    expect(row.number).toMatch(/^v1\./)
    expect(Object.values(row).join(' ')).not.toContain('123456')
  })

  test('is on the list of what waits for everybody, and told to compliance alone', async () => {
    const caseKey = `identity:${person.user.id}`
    const { cases } = await finance.ask(listWaiting, { kind: 'identity', held: null, search: null, page: 1 })
    expect(cases.map((each) => each.caseKey)).toEqual([caseKey])
    const shown = await finance.ask(getWaitingCase, { caseKey })
    expect(shown).toMatchObject({ decision: 'identity', barrier: 'roleRefused' })
    expect(JSON.stringify([cases, shown])).not.toMatch(/陳|123456/)
    const accountId = person.user.id
    const detail = await compliance.ask(getIdentity, { accountId })
    expect(detail).toMatchObject({ name: '陳 大文', isWaiting: true, timesSent: 1, sameNumber: [] })
    expect(JSON.stringify(detail)).not.toContain('123456')
    expect(await compliance.ask(revealIdentityNumber, { accountId })).toEqual({ number: NUMBER })
    expect(await finance.refusalOf(revealIdentityNumber, { accountId })).toBe('roleRefused')
    const statuses = await Promise.all(
      [compliance, finance, await atDesk(server(), 'administrator')].map(
        async ({ token }) => (await fetchAs(server(), token, `${DESK_FILE_PATH}${detail.front}`)).status,
      ),
    )
    expect(statuses).toEqual([200, 403, 403])
    const { acts } = await compliance.ask(listActs, {
      ...{
        operatorId: null,
        act: 'viewIdentity',
        accountId,
        since: null,
        until: null,
        outcome: null,
        subject: null,
      },
      ...{ search: null, page: 1 },
    })
    const told = acts.map(({ operator, outcome }) => `${operator.replace(/ \d+$/, '')} ${outcome}`)
    expect(told.toSorted((one, other) => one.localeCompare(other))).toEqual([
      'administrator roleRefused',
      'compliance done',
      'compliance done',
      'finance roleRefused',
    ])
    expect(JSON.stringify(acts)).not.toContain('123456')
  })

  test('says by field what was wrong, at once, and takes only that again', async () => {
    const frames = await openSocket(server(), {}, '?lang=en')
    frames.send({ type: 'login', params: person.token })
    frames.send({ type: 'sub', params: ['NOTICE'] })
    await frames.settled()
    const accountId = person.user.id
    for (const faults of [
      [],
      [BLURRED, BLURRED],
      [{ ...BLURRED, fault: 'other' as const }],
      [{ ...BLURRED, field: 'name' as const }],
    ])
      expect(await compliance.refusalOf(refuseIdentity, { accountId, sentAt: await sentAt(), faults })).toBe(
        'identityFaultInvalid',
      )
    const words = 'only half <b>of it</b>'
    await refuseBack([BLURRED, { field: 'name', fault: 'other', words }])
    const { notice } = (await frames.next('NOTICE')) as unknown as { notice: Record<string, string> }
    expect(notice).toMatchObject({
      kind: 'identityRejected',
      text: expect.stringContaining('cannot be read'),
    })
    expect(await center()).toMatchObject({
      review_status: 3,
      faults: [
        { field: 'reverse_pic', reason: expect.stringContaining('cannot be read') },
        { field: 'name', reason: words },
      ],
    })
    await expect
      .poll(async () => (await sentTo(server(), person.email))[0]?.body)
      .toContain('Back of the document: It cannot be read')
    expect(reasonOf(await send({ name: '陳大文' }))).toBe('identityFieldMissing')
    const again = { name: '陳大文', reverse_pic: await picture(person) }
    expect((await send(again)).body?.code).toBe(1)
    expect(await compliance.ask(getIdentity, { accountId })).toMatchObject({ name: '陳大文', timesSent: 2 })
  })

  test('is decided once, on what was looked at', async () => {
    const accountId = person.user.id
    const decision = { accountId, sentAt: await sentAt(), reason: 'as on the document' }
    const older = { ...decision, sentAt: decision.sentAt - 1 }
    expect(await compliance.refusalOf(approveIdentity, older)).toBe('caseEnded')
    expect(await compliance.refusalOf(approveIdentity, { ...decision, reason: ' ' })).toBe('reasonMissing')
    expect(await compliance.refusalOf(approveIdentity, { ...decision, accountId: 9_999_999 })).toBe(
      'caseEnded',
    )
    await compliance.ask(approveIdentity, decision)
    expect(await compliance.refusalOf(approveIdentity, decision)).toBe('caseEnded')
    expect(await statusOf()).toBe('verified')
    expect(await center()).toMatchObject({ review_status: 2, name: '陳大文', reason: '', faults: [] })
    expect(reasonOf(await send(await form(person)))).toBe('identityVerified')
    await expect
      .poll(async () => (await sentTo(server(), person.email))[0]?.subject)
      .toBe('Your identity is verified')
  })

  test('is one state with the mark on the person: taken back, all of it is sent anew', async () => {
    const mark = { accountId: person.user.id, reason: 'the document was reported as stolen' }
    await compliance.ask(verifyPerson, { ...mark, outcome: 'unverified' })
    expect(await statusOf()).toBe('form')
    await expect
      .poll(async () => (await sentTo(server(), person.email))[0]?.subject)
      .toBe('Your identity is no longer verified')
    expect(await center()).toMatchObject({ review_status: 0, name: '', card_id: '' })
    expect(reasonOf(await send({ reverse_pic: await picture(person) }))).toBe('identityFieldMissing')
    const other = await newMember(server())
    await send(await form(other, { card_id: 'B 7654321' }), other)
    await compliance.ask(verifyPerson, { ...mark, accountId: other.user.id, outcome: 'verified' })
    expect(await statusOf(other)).toBe('verified')
    const { total } = await finance.ask(listWaiting, { kind: 'identity', held: null, search: null, page: 1 })
    expect(total).toBe(0)
  })

  test('points out the same number at somebody else, however it is written', async () => {
    const [one, other] = [await newMember(server()), await newMember(server())]
    await send(await form(one, { card_id: 'k-998 877 (1)' }), one)
    await send(await form(other, { card_id: 'K9988771' }), other)
    const ids = [one.user.id, other.user.id]
    const { cases } = await compliance.ask(listWaiting, {
      ...{ kind: 'identity', held: null, search: null, page: 1 },
    })
    const found = cases.find(({ accountId }) => accountId === other.user.id)
    expect(found).toMatchObject({ risk: 'high', riskReasons: [`the same document as account ${ids[0]}`] })
    expect(await compliance.ask(getIdentity, { accountId: one.user.id })).toMatchObject({
      sameNumber: [other.user.id],
    })
    await approve(one)
  })

  test('is in no answer to anybody else, and can be sent so often a day', async () => {
    const [owner, stranger] = [await newMember(server()), await newMember(server())]
    const sent = await form(owner, { name: 'Canary Quill', card_id: 'CANARY-77' })
    await send(sent, owner)
    expect(JSON.stringify(await center(stranger))).not.toMatch(/canary|y-77/i)
    const stolen = await send(await form(stranger, { front_pic: sent.front_pic }), stranger)
    expect(reasonOf(stolen)).toBe('identityPictureUnknown')
    const { bytes } = await fetchAs(server(), stranger.token, sent.front_pic)
    expect(JSON.parse(String(bytes))).toMatchObject({ data: { reason: 'fileUnknown' } })
    for (const _ of [1, 2]) {
      await refuseBack([BLURRED], owner)
      await send({ reverse_pic: await picture(owner) }, owner)
    }
    await refuseBack([BLURRED], owner)
    expect(reasonOf(await send({ reverse_pic: await picture(owner) }, owner))).toBe('identityTooOften')
  })

  test('two at once make one case', async () => {
    const twice = await newMember(server())
    const client = clientOf(server().url, twice.token)
    const forms = [await form(twice), await form(twice)].map(({ name, card_id, front_pic, reverse_pic }) => ({
      ...{ name, number: card_id, front: front_pic, reverse: reverse_pic },
    }))
    const outcomes = await Promise.all(forms.map((each) => client.call(sendIdentity, each)))
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1)
    expect(valueOf(await client.call(getIdentityCheck, null)).status).toBe('waiting')
  })
})
