import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  askWithdrawal,
  getStatement,
  listActivity,
  listChat,
  listWithdrawals,
  sendChatMessage,
  takeData,
  valueOf,
} from '@fairlot/contract'
import { addPersonNote, finishDeposit, listPersonNotes, setCreditScore } from '@fairlot/contract/desk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD } from '../testing/accounts.ts'
import { filesIn } from '../testing/archive.ts'
import { atDesk } from '../testing/desk.ts'
import { newPayer, oldMethod, openedDeposit, setUpPayments, units, type Payer } from '../testing/payments.ts'
import { DATABASES, serverOn } from '../testing/running-server.ts'

/** For a page, a spreadsheet, the program that sets statements, templates, and the database. */
const TEXTS = [
  '<script>alert(1)</script><img src=x onerror=alert(1)>',
  '=HYPERLINK("https://evil.example","here")',
  '#panic("set") #read("/etc/passwd") $x$ *bold*',
  '{{7*7}} ${7*7} <%= 7*7 %> {count, plural, other {#}}',
  "'; drop table app_user; --",
] as const
const DAY_MS = 86_400_000

describe.each(DATABASES)('a text that somebody would rather have run, %s', (kind) => {
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
    await finance.ask(finishDeposit, { id: deposit, amount: units(2_000), reason: 'arrived' })
    const { id: methodId } = await oldMethod(server(), payer)
    for (const [index, text] of TEXTS.entries()) {
      valueOf(await payer.client.call(sendChatMessage, { text, picture: null }))
      const wanted = { currencyId: 1, amount: units(50), memo: text, methodId, authCode: null }
      valueOf(await payer.client.call(askWithdrawal, wanted))
      const score = { id: payer.user.id, before: 100 - index, score: 99 - index, reason: text }
      await compliance.ask(setCreditScore, score)
      await compliance.ask(addPersonNote, { id: payer.user.id, text })
    }
    const kept = await compliance.ask(listPersonNotes, { id: payer.user.id, page: 1 })
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

  test('is the same text on screens and at the desk, and nothing takes its answer for a page', async () => {
    const [chat, paid, done] = [
      valueOf(await payer.client.call(listChat, { before: null })).messages.map(({ text }) => text),
      valueOf(await payer.client.call(listWithdrawals, { kind: 'coin', page: 1 })).withdrawals,
      JSON.stringify(valueOf(await payer.client.call(listActivity, { page: 1 })).activities),
    ]
    const sent = TEXTS.toReversed()
    expect([chat, paid.map(({ memo }) => memo), notes]).toEqual([sent, sent, sent])
    for (const text of TEXTS) expect(done).toContain(JSON.stringify(text).slice(1, -1))
    const answer = await raw(listChat.path)
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('is text in a statement, and no formula', async () => {
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

  test('is text in the copy of one’s data, and no formula', async () => {
    const answer = await raw(takeData.path, { password: PASSWORD })
    const files = filesIn(Buffer.from(await answer.arrayBuffer()))
    const chat = JSON.parse(String(files.get('supportChat.json'))) as { text: string }[]
    expect(chat.map(({ text }) => text)).toEqual(TEXTS)
    expect(String(files.get('supportChat.csv'))).toContain(`"'=HYPERLINK(`)
    for (const [name, bytes] of files)
      if (name.endsWith('.csv')) expect([name, /(^|,"?)[=@]/m.test(String(bytes))]).toEqual([name, false])
  })
})
