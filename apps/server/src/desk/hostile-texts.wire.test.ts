import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  requestWithdrawal,
  getStatement,
  listActivity,
  listChat,
  listWithdrawals,
  sendChatMessage,
  downloadOwnData,
  valueOf,
} from '@fairlot/contract'
import { addUserNote, finishDeposit, listUserNotes, setCreditScore } from '@fairlot/contract/desk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD } from '../testing/accounts.ts'
import { filesIn } from '../testing/archive.ts'
import { atDesk } from '../testing/desk.ts'
import {
  newPayer,
  oldMethod,
  openedDeposit,
  setUpPayments,
  sentUnits,
  units,
  type Payer,
  NO_QUOTE,
} from '../testing/payments.ts'
import { DATABASES, serverOn } from '../testing/running-server.ts'

/** Injections for pages, spreadsheets, the typesetting of statements, templates and the database. */
const TEXTS = [
  '<script>alert(1)</script><img src=x onerror=alert(1)>',
  '=HYPERLINK("https://evil.example","here")',
  '#panic("set") #read("/etc/passwd") $x$ *bold*',
  '{{7*7}} ${7*7} <%= 7*7 %> {count, plural, other {#}}',
  "'; drop table app_user; --",
] as const
const DAY_MS = 86_400_000

describe.each(DATABASES)('an injection in a text, %s', (kind) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'fairlot-texts-'))
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
  const server = serverOn(kind, { env: { FEED: 'ws://127.0.0.1:9', DATA_DIR: dataDir } })
  let payer: Payer
  const notes: string[] = []

  beforeAll(async () => {
    await setUpPayments(server())
    payer = await newPayer(server())
    const [finance, compliance] = [await atDesk(server(), 'finance'), await atDesk(server(), 'compliance')]
    const deposit = await openedDeposit(server(), payer.user.id, units(2_000))
    await finance.request(finishDeposit, {
      id: deposit,
      amount: sentUnits(2_000),
      arrivedAt: null,
      reason: 'arrived',
    })
    const { id: methodId } = await oldMethod(server(), payer)
    for (const [index, text] of TEXTS.entries()) {
      valueOf(await payer.client.call(sendChatMessage, { text, picture: null }))
      const wanted = { currencyId: 1, amount: units(50), memo: text, methodId, authCode: null, ...NO_QUOTE }
      valueOf(await payer.client.call(requestWithdrawal, wanted))
      const score = { id: payer.user.id, before: 100 - index, score: 99 - index, reason: text }
      await compliance.request(setCreditScore, score)
      await compliance.request(addUserNote, { id: payer.user.id, text })
    }
    const kept = await compliance.request(listUserNotes, { id: payer.user.id, page: 1 })
    notes.push(...kept.notes.map(({ text }) => text))
  })

  const raw = (path: string, body?: object) =>
    fetch(`${server().url}${path}`, {
      headers: { authorization: payer.token, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
  const statement = (format: 'csv' | 'pdf') => {
    const day = (at: number) => new Date(at).toISOString().slice(0, 10)
    const days = { from: day(Date.now() - DAY_MS), to: day(Date.now()) }
    return raw(`${getStatement.path}?${new URLSearchParams({ ...days, format }).toString()}`)
  }

  test('is returned unchanged as JSON, to users and to operators', async () => {
    const [chat, paid, done] = [
      valueOf(await payer.client.call(listChat, { before: null })).messages.map(({ text }) => text),
      valueOf(await payer.client.call(listWithdrawals, { kind: 'coin', before: null, page: 1 })).withdrawals,
      JSON.stringify(valueOf(await payer.client.call(listActivity, { page: 1 })).activities),
    ]
    const sent = TEXTS.toReversed()
    expect([chat, paid.map(({ memo }) => memo), notes]).toEqual([sent, sent, sent])
    for (const text of TEXTS) expect(done).toContain(JSON.stringify(text).slice(1, -1))
    const answer = await raw(listChat.path)
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('is plain text in a statement, and no formula', async () => {
    const csv = await (await statement('csv')).text()
    expect(csv).toContain('<script>alert(1)</script>')
    expect(csv).not.toMatch(/(^|[,"])[=@]/m)
    const pdf = await statement('pdf')
    expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    expect(
      Buffer.from(await pdf.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-')
  })

  test('is plain text in the download of own data, and no formula', async () => {
    const answer = await raw(downloadOwnData.path, { password: PASSWORD })
    const files = filesIn(Buffer.from(await answer.arrayBuffer()))
    const chat = JSON.parse(String(files.get('supportChat.json'))) as { text: string }[]
    expect(chat.map(({ text }) => text)).toEqual(TEXTS)
    expect(String(files.get('supportChat.csv'))).toContain(`"'=HYPERLINK(`)
    for (const [name, bytes] of files)
      if (name.endsWith('.csv')) expect([name, /(^|,"?)[=@]/m.test(String(bytes))]).toEqual([name, false])
  })
})
