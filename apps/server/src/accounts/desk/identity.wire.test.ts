import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getIdentityCheck, getUser, sendIdentity, valueOf } from '@fairlot/contract'
import {
  approveIdentity,
  decideApproval,
  DESK_FILE_PATH,
  getIdentity,
  getWaitingCase,
  listAuditEntries,
  listWaiting,
  refuseIdentity,
  revealIdentityNumber,
  verifyPerson,
  type FoundFault,
} from '@fairlot/contract/desk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientOf } from '../../../../../testing/client.ts'
import { newTrader } from '../../../../../testing/traders.ts'
import { rendered } from '../../platform/files/testing/pictures.ts'
import { fetchAs, upload } from '../../platform/files/testing/sending.ts'
import { newUser, post, reasonOf, sentTo, type TestUser } from '../../testing/accounts.ts'
import { call, dataOf } from '../../testing/calls.ts'
import { atDesk, type AtDesk } from '../../testing/desk.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'
import { openSocket } from '../../testing/sockets.ts'
const SEND = '/api/user_real/real_name'
const CENTER = '/api/user_real/center'
const NUMBER = 'A123456(7)'
const BLURRED = { field: 'reverse', fault: 'unreadable', words: '' } as const satisfies FoundFault

describe.each(DATABASES)('the identity check, %s', (kind) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'fairlot-identity-'))
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
  const server = serverOn(kind, {
    env: { FEED: 'ws://127.0.0.1:9', DATA_DIR: dataDir, SETTING_IDENTITY_CHECKS_PER_DAY: '3' },
  })
  let [compliance, finance]: [AtDesk, AtDesk] = [] as never
  let [applicant, count] = [null as unknown as TestUser, 0]
  beforeAll(async () => {
    ;[compliance, finance] = [await atDesk(server(), 'compliance'), await atDesk(server(), 'finance')]
    applicant = await newUser(server())
  })
  const picture = async ({ token }: TestUser) => {
    const bytes = await rendered(40 + (count += 1), 30)
      .png()
      .toBuffer()
    return upload(server(), token, bytes)
  }
  const send = (body: object, { token }: TestUser = applicant) => post(server(), SEND, body, token)
  const form = async (of: TestUser, given: object = {}) => ({
    name: '陳 大文',
    card_id: NUMBER,
    front_pic: await picture(of),
    reverse_pic: await picture(of),
    ...given,
  })
  const center = async ({ token }: TestUser = applicant) =>
    dataOf<Record<string, unknown>>(
      await call(server(), CENTER, { headers: { authorization: token, lang: 'en' } }),
    )
  const statusOf = async ({ token }: TestUser = applicant) =>
    valueOf(await clientOf(server().url, token).call(getUser, null)).identityCheck
  const sentAt = async ({ user }: TestUser = applicant) =>
    (await compliance.request(getIdentity, { accountId: user.id })).sentAt
  const refuseBack = async (faults: readonly FoundFault[] = [BLURRED], of = applicant) =>
    compliance.request(refuseIdentity, { accountId: of.user.id, sentAt: await sentAt(of), faults })
  /** Has an operator open pictures of the current document. */
  const open = async (
    by: AtDesk,
    sides: readonly ('front' | 'reverse')[],
    { user }: TestUser = applicant,
  ) => {
    const detail = await compliance.request(getIdentity, { accountId: user.id })
    for (const side of sides) await fetchAs(server(), by.token, `${DESK_FILE_PATH}${detail[side]}`)
  }
  const approve = async (of: TestUser) => {
    await open(compliance, ['front', 'reverse'], of)
    return sendApproval(of)
  }
  const sendApproval = async (of: TestUser) =>
    compliance.request(approveIdentity, {
      accountId: of.user.id,
      sentAt: await sentAt(of),
      reason: 'name and number as on it',
    })

  test('is for real accounts only', async () => {
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
      review_status: 0,
      name: '',
      reason: '',
      card_id: '',
      faults: [],
      sent_time: null,
    })
  })

  test('refuses missing, malformed and duplicate fields and foreign pictures, naming the field', async () => {
    const stranger = await newUser(server())
    const good = await form(applicant)
    for (const [given, reason, field] of [
      [{ name: ' ' }, 'identityFieldMissing', 'name'],
      [{ card_id: undefined }, 'identityFieldMissing', 'card_id'],
      [{ front_pic: '' }, 'identityFieldMissing', 'front_pic'],
      [{ name: '<img src=x onerror=alert(1)>' }, 'identityNameInvalid', 'name'],
      [{ card_id: 'A1"; drop table' }, 'identityNumberInvalid', 'card_id'],
      [{ card_id: '12' }, 'identityNumberInvalid', 'card_id'],
      [{ name: 'a'.repeat(101) }, 'textTooLong', 'name'],
      [{ name: 'a'.repeat(10_000) }, 'textTooLong', 'name'],
      [{ name: '12 34' }, 'identityNameInvalid', 'name'],
      [{ name: '١٢٣ १२३ ๑๒๓ ১২৩ １２３' }, 'identityNameInvalid', 'name'],
      [{ name: '\u3000\u00a0' }, 'identityFieldMissing', 'name'],
      [{ name: 'Ann\u0000' }, 'nameInvalid', 'name'],
      [{ name: 'Ann \u202enoreH' }, 'nameInvalid', 'name'],
      [{ name: 'Ann\u200e' }, 'nameInvalid', 'name'],
      [{ name: 'Ann 🙂' }, 'nameInvalid', 'name'],
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

  test.each([
    'Raj A/L Kumar',
    'Siti @ Aminah binti Ali',
    '山田\u3000太郎',
    'Ann\u00a0Heron',
    'ジョン・スミス',
    'Maria (Mia) Rossi',
    'O´Brien',
    'O',
    "'t Hooft",
    'Ann Иванова',
  ])('takes names as documents carry them: %s', async (name) => {
    const answer = await send({ name, card_id: NUMBER, front_pic: '/files/none', reverse_pic: '/files/none' })
    // The pictures are looked at once the name is right.
    expect(reasonOf(answer)).toBe('identityPictureUnknown')
  })

  test('takes numbers with the spaces and hyphens of phones, and keeps names with single spaces', async () => {
    const another = await newUser(server())
    const given = { name: ' 山田\u3000 太郎\u00a0', card_id: 'A\u00a012\u201134' }
    expect((await send(await form(another, given), another)).body?.code).toBe(1)
    expect(await center(another)).toMatchObject({ review_status: 1, name: '山田 太郎' })
    await refuseBack([BLURRED], another)
  })

  test('waits once sent, with the number masked in answers and encrypted in the table', async () => {
    const good = await form(applicant)
    expect((await send(good)).body?.code).toBe(1)
    expect((await send(good)).body?.code).toBe(1)
    expect(reasonOf(await send({ ...good, name: 'Another' }))).toBe('identityWaiting')
    expect(await statusOf()).toBe('waiting')
    expect(await center()).toMatchObject({ review_status: 1, name: '陳 大文', card_id: '••••••6(7)' })
    const row = await server()
      .deployment.database.queries.selectFrom('identity_check')
      .selectAll()
      .where('user_id', '=', BigInt(applicant.user.id))
      .executeTakeFirstOrThrow()
    expect(row.number).toMatch(/^v1\./)
    expect(Object.values(row).join(' ')).not.toContain('123456')
  })

  test('is on the waiting list for every role, with its contents for compliance only', async () => {
    const caseKey = `identity:${applicant.user.id}`
    const { cases } = await finance.request(listWaiting, {
      kind: 'identity',
      held: null,
      search: null,
      before: null,
      page: 1,
    })
    expect(cases.map((each) => each.caseKey)).toEqual([caseKey])
    const shown = await finance.request(getWaitingCase, { caseKey })
    expect(shown).toMatchObject({ decision: 'identity', barrier: 'roleRefused' })
    expect(JSON.stringify([cases, shown])).not.toMatch(/陳|123456/)
    const accountId = applicant.user.id
    const detail = await compliance.request(getIdentity, { accountId })
    expect(detail).toMatchObject({ name: '陳 大文', isWaiting: true, timesSent: 1, sameNumber: [] })
    expect(JSON.stringify(detail)).not.toContain('123456')
    expect(await compliance.request(revealIdentityNumber, { accountId })).toEqual({ number: NUMBER })
    expect(await finance.refusalOf(revealIdentityNumber, { accountId })).toBe('roleRefused')
    expect(detail.opened).toEqual([])
    const statuses = await Promise.all(
      [compliance, finance, await atDesk(server(), 'administrator')].map(
        async ({ token }) => (await fetchAs(server(), token, `${DESK_FILE_PATH}${detail.front}`)).status,
      ),
    )
    expect(statuses).toEqual([200, 403, 403])
    const { acts } = await compliance.request(listAuditEntries, {
      operatorId: null,
      act: 'viewIdentity',
      accountId,
      since: null,
      until: null,
      outcome: null,
      subject: null,
      search: null,
      page: 1,
    })
    const views = acts.map(({ operator, outcome }) => `${operator.replace(/ \d+$/, '')} ${outcome}`)
    expect(views.toSorted((one, other) => one.localeCompare(other))).toEqual([
      'administrator roleRefused',
      'compliance done',
      'compliance done',
      'finance roleRefused',
    ])
    expect(JSON.stringify(acts)).not.toContain('123456')
  })

  test('notifies the user of the faults by field, and needs only those fields again', async () => {
    const frames = await openSocket(server(), {}, '?lang=en')
    frames.send({ type: 'login', params: applicant.token })
    frames.send({ type: 'sub', params: ['NOTICE'] })
    await frames.settled()
    const accountId = applicant.user.id
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
      .poll(async () => (await sentTo(server(), applicant.email))[0]?.body)
      .toContain('Back of the document: It cannot be read')
    expect(reasonOf(await send({ name: '陳大文' }))).toBe('identityFieldMissing')
    const again = { name: '陳大文', reverse_pic: await picture(applicant) }
    expect((await send(again)).body?.code).toBe(1)
    expect(await compliance.request(getIdentity, { accountId })).toMatchObject({
      name: '陳大文',
      timesSent: 2,
    })
  })

  test('is decided once, on the submission that was seen', async () => {
    const accountId = applicant.user.id
    const decision = { accountId, sentAt: await sentAt(), reason: 'as on the document' }
    await open(compliance, ['front', 'reverse'])
    const older = { ...decision, sentAt: decision.sentAt - 1 }
    expect(await compliance.refusalOf(approveIdentity, older)).toBe('caseEnded')
    expect(await compliance.refusalOf(approveIdentity, { ...decision, reason: ' ' })).toBe('reasonMissing')
    expect(await compliance.refusalOf(approveIdentity, { ...decision, accountId: 9_999_999 })).toBe(
      'caseEnded',
    )
    await compliance.request(approveIdentity, decision)
    expect(await compliance.refusalOf(approveIdentity, decision)).toBe('caseEnded')
    expect(await statusOf()).toBe('verified')
    expect(await center()).toMatchObject({ review_status: 2, name: '陳大文', reason: '', faults: [] })
    expect(reasonOf(await send(await form(applicant)))).toBe('identityVerified')
    await expect
      .poll(async () => (await sentTo(server(), applicant.email))[0]?.subject)
      .toBe('Your identity is verified')
  })

  test('is the same state as the verification of the user: once withdrawn, everything is sent again', async () => {
    const mark = { accountId: applicant.user.id, reason: 'the document was reported as stolen' }
    await compliance.request(verifyPerson, { ...mark, outcome: 'unverified' })
    expect(await statusOf()).toBe('form')
    await expect
      .poll(async () => (await sentTo(server(), applicant.email))[0]?.subject)
      .toBe('Your identity is no longer verified')
    expect(await center()).toMatchObject({ review_status: 0, name: '', card_id: '' })
    expect(reasonOf(await send({ reverse_pic: await picture(applicant) }))).toBe('identityFieldMissing')
    const other = await newUser(server())
    await send(await form(other, { card_id: 'B 7654321' }), other)
    const { approvalId } = await compliance.request(verifyPerson, {
      ...mark,
      accountId: other.user.id,
      outcome: 'verified',
    })
    const second = await atDesk(server(), 'administrator')
    await second.request(decideApproval, { id: approvalId ?? 0, isApproved: true, reason: 'known in person' })
    expect(await statusOf(other)).toBe('verified')
    const { total } = await finance.request(listWaiting, {
      kind: 'identity',
      held: null,
      search: null,
      before: null,
      page: 1,
    })
    expect(total).toBe(0)
  })

  test('is approved only by an operator who has opened both current pictures', async () => {
    const another = await newUser(server())
    const accountId = another.user.id
    const colleague = await atDesk(server(), 'compliance')
    await send(await form(another, { card_id: 'D 555' }), another)
    const decision = { accountId, sentAt: await sentAt(another), reason: 'as on the document' }
    const refusal = () => compliance.refusalOf(approveIdentity, decision)
    expect(await refusal()).toBe('documentsNotOpened')
    await compliance.request(revealIdentityNumber, { accountId })
    await open(colleague, ['front', 'reverse'], another)
    await open(compliance, ['front'], another)
    expect(await refusal()).toBe('documentsNotOpened')
    expect((await compliance.request(getIdentity, { accountId })).opened).toEqual(['front'])
    expect(await statusOf(another)).toBe('waiting')
    await open(compliance, ['reverse'], another)
    // The back is sent again, so the picture that was opened is not the current one.
    await refuseBack([BLURRED], another)
    await send({ reverse_pic: await picture(another) }, another)
    decision.sentAt = await sentAt(another)
    expect(await refusal()).toBe('documentsNotOpened')
    await open(compliance, ['reverse'], another)
    expect((await compliance.request(getIdentity, { accountId })).opened).toEqual(['front', 'reverse'])
    await compliance.request(approveIdentity, decision)
    expect(await statusOf(another)).toBe('verified')
    const { acts } = await compliance.request(listAuditEntries, {
      operatorId: null,
      act: 'verifyPerson',
      accountId,
      since: null,
      until: null,
      outcome: 'refused',
      subject: null,
      search: null,
      page: 1,
    })
    expect(acts.map(({ outcome }) => outcome)).toEqual([
      'documentsNotOpened',
      'documentsNotOpened',
      'documentsNotOpened',
    ])
  })

  test('without documents needs two operators', async () => {
    const another = await newUser(server())
    const accountId = another.user.id
    const change = { accountId, outcome: 'verified', reason: 'known since school' } as const
    const { approvalId } = await compliance.request(verifyPerson, change)
    expect(await statusOf(another)).toBe('form')
    expect(await compliance.refusalOf(verifyPerson, change)).toBe('verificationWaiting')
    const id = approvalId ?? 0
    const yes = { id, isApproved: true, reason: 'passport seen at the office' }
    expect(await compliance.refusalOf(decideApproval, yes)).toBe('sameOperator')
    expect(await finance.refusalOf(decideApproval, yes)).toBe('roleRefused')
    expect(await statusOf(another)).toBe('form')
    const shown = await finance.request(getWaitingCase, { caseKey: `approval:${id}` })
    expect(shown.words.map(({ text }) => text).join(' ')).toContain('are now open to you')
    const second = await atDesk(server(), 'compliance')
    await second.request(decideApproval, yes)
    expect(await statusOf(another)).toBe('verified')
    expect(await second.refusalOf(decideApproval, yes)).toBe('caseEnded')
    expect(await second.refusalOf(verifyPerson, change)).toBe('formOutdated')
    const { acts } = await compliance.request(listAuditEntries, {
      operatorId: null,
      act: 'verifyPerson',
      accountId,
      since: null,
      until: null,
      outcome: 'done',
      subject: null,
      search: null,
      page: 1,
    })
    expect(acts[0]).toMatchObject({ operator: compliance.name, second: second.name, reason: change.reason })
  })

  test('warns of the same document number at another user, however it is written', async () => {
    const [one, other] = [await newUser(server()), await newUser(server())]
    await send(await form(one, { card_id: 'k-998 877 (1)' }), one)
    await send(await form(other, { card_id: 'K9988771' }), other)
    const ids = [one.user.id, other.user.id]
    const { cases } = await compliance.request(listWaiting, {
      kind: 'identity',
      held: null,
      search: null,
      before: null,
      page: 1,
    })
    const found = cases.find(({ accountId }) => accountId === other.user.id)
    expect(found).toMatchObject({
      risk: 'high',
      riskReasons: [`same document as user ${100_000 + (ids[0] ?? 0)}`],
    })
    expect(await compliance.request(getIdentity, { accountId: one.user.id })).toMatchObject({
      sameNumber: [other.user.id],
    })
    await approve(one)
  })

  test('is in no answer to other users, and limited per day', async () => {
    const [owner, stranger] = [await newUser(server()), await newUser(server())]
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

  test('accepts one of two concurrent submissions', async () => {
    const twice = await newUser(server())
    const client = clientOf(server().url, twice.token)
    const forms = [await form(twice), await form(twice)].map(({ name, card_id, front_pic, reverse_pic }) => ({
      name,
      number: card_id,
      front: front_pic,
      reverse: reverse_pic,
    }))
    const outcomes = await Promise.all(forms.map((each) => client.call(sendIdentity, each)))
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1)
    expect(valueOf(await client.call(getIdentityCheck, null)).status).toBe('waiting')
  })
})
