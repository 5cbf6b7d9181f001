import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bindReceivingMethod, downloadOwnData, sendChatMessage, valueOf } from '@fairlot/contract'
import { setCreditScore } from '@fairlot/contract/desk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readCsv } from '../../../../../testing/read-csv.ts'
import { newTrader, type Trader } from '../../../../../testing/traders.ts'
import { fetchAs, upload } from '../../platform/files/testing/sending.ts'
import { rendered } from '../../platform/files/testing/pictures.ts'
import { logInAs, newUser, PASSWORD, post, reasonOf, type TestUser } from '../../testing/accounts.ts'
import { filesIn } from '../../testing/archive.ts'
import { atDesk, type AtDesk } from '../../testing/desk.ts'
import {
  methodForm,
  newPayer,
  openedDeposit,
  setUpPayments,
  units,
  type Payer,
} from '../../testing/payments.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'

/** Its second line would be a formula in a program that splits lines first. */
const REASON = 'a reason\n=1+1 to read'

describe.each(DATABASES)('the download of own data, %s', (kind) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'fairlot-own-data-'))
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
  const server = serverOn(kind, { env: { DATA_DIR: dataDir, SETTING_DATA_DOWNLOADS_PER_DAY: '3' } })
  const download = (token: string | null, proof: object = {}) =>
    fetch(`${server().url}${downloadOwnData.path}`, {
      method: 'POST',
      headers: {
        lang: 'en',
        'content-type': 'application/json',
        ...(token !== null && { authorization: token }),
      },
      body: JSON.stringify(proof),
    })
  const archiveOf = async (token: string, proof: object = {}) => {
    const answer = await download(token, proof)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip'])
    return filesIn(Buffer.from(await answer.arrayBuffer()))
  }
  const listIn = (files: Map<string, Buffer>, name: string) =>
    JSON.parse(String(files.get(`${name}.json`))) as Record<string, string>[]

  let [owner, other]: [Payer, Payer] = [] as never
  let compliance: AtDesk
  let trader: Trader
  let picture: string
  let files: Map<string, Buffer>

  beforeAll(async () => {
    await server().price('EURUSD', [1.1, 1.10006])
    await setUpPayments(server())
    compliance = await atDesk(server(), 'compliance', 'Operator Canary')
    trader = await newTrader(server())
    owner = await newPayer(server())
    other = await newPayer(server())
    for (const [who, name] of [
      [owner, 'Ada Own'],
      [other, 'Bob Canary'],
    ] as const) {
      await openedDeposit(server(), who.user.id, units(who === owner ? 321 : 777.31))
      await who.client.call(bindReceivingMethod, methodForm({ currencyId: 1 }))
      await server()
        .deployment.database.queries.updateTable('receiving_method')
        .set({ details: JSON.stringify({ payeeName: name }) })
        .where('user_id', '=', BigInt(who.user.id))
        .execute()
    }
    picture = await upload(server(), owner.token, await rendered(40, 30).png().toBuffer())
    await upload(server(), other.token, await rendered(50, 30, '#3c3').png().toBuffer())
    await compliance.request(setCreditScore, {
      id: owner.user.id,
      before: 100,
      score: 90,
      reason: REASON,
    })
    valueOf(await owner.client.call(sendChatMessage, { text: 'one\r\n+2', picture: null }))
    files = await archiveOf(owner.token, { password: PASSWORD })
  })

  test('contains each list as JSON and as CSV, with the same rows', () => {
    const names = [...files.keys()].filter((name) => name.endsWith('.json'))
    for (const name of names) {
      const rows = listIn(files, name.replace('.json', ''))
      const csv = String(files.get(name.replace('.json', '.csv')))
      expect([name, csv.startsWith('\uFEFF')]).toEqual([name, true])
      const read = readCsv(csv)
      if (rows[0]) expect(read.header).toEqual(Object.keys(rows[0]))
      for (const cell of read.rows.flat())
        if (!/^-?\d+(\.\d+)?$/.test(cell))
          expect([name, cell]).toEqual([name, expect.not.stringMatching(/(?:^|[\n\r])"*[=+\-@]/)])
      const bare = (value: unknown) => String(value ?? '').replaceAll("'", '')
      expect([name, read.rows.map((cells) => cells.map(bare))]).toEqual([
        name,
        rows.map((row) => Object.values(row).map(bare)),
      ])
    }
    expect(listIn(files, 'profile')).toMatchObject([
      { email: owner.email, isDemo: 'no', language: 'en', inviteCode: owner.user.invite_code },
    ])
    expect(listIn(files, 'money-cases')).toMatchObject([
      { kind: 'deposit', amount: '321.000000', status: 'open' },
    ])
    expect(listIn(files, 'receiving-methods')[0]?.['details']).toContain('Ada Own')
    expect(listIn(files, 'activity').map(({ text }) => text)).toEqual(
      expect.arrayContaining(['Own data downloaded', 'Receiving method added', 'Registered']),
    )
    expect(listIn(files, 'messages').map(({ recipient }) => recipient)).toContain(owner.email)
    expect(String(files.get('about.txt'))).toContain(String(100_000 + owner.user.id))
  })

  test('contains the uploaded pictures, byte for byte', async () => {
    const key = picture.split('/').at(-1) ?? ''
    const shown = await fetchAs(server(), owner.token, picture)
    expect(files.get(`pictures/${key}.jpg`)).toEqual(shown.bytes)
    expect([...files.keys()].filter((name) => name.startsWith('pictures/'))).toHaveLength(1)
  })

  test('contains nothing of other users, and of operators only the role', async () => {
    const all = [...files].map(([name, bytes]) => name + bytes.toString('latin1')).join('\n')
    const theirs = await archiveOf(other.token, { password: PASSWORD })
    const canaries = [other.email, 'Bob Canary', '777.31', other.user.invite_code, 'Operator Canary']
    expect(canaries.filter((canary) => all.includes(canary))).toEqual([])
    // The same search finds them in the archive of their owner.
    const own = [...theirs.values()].map(String).join('\n')
    expect(canaries.slice(0, 4).filter((canary) => !own.includes(canary))).toEqual([])
    expect(listIn(files, 'activity')).toContainEqual(
      expect.objectContaining({ by: 'operator', role: 'compliance', reason: REASON }),
    )
  })

  test('contains receipts whose text matches their hash, for a demo account too', async () => {
    for (let count = 0; count < 3; count += 1) await trader.order()
    const own = await archiveOf(trader.token)
    const receipts = listIn(own, 'receipts')
    expect(receipts).toHaveLength(3)
    for (const { body = '', previousHash = '', hash } of receipts)
      expect(
        createHash('sha256')
          .update(previousHash + body)
          .digest('hex'),
      ).toBe(hash)
    expect(listIn(own, 'orders')[0]).toMatchObject({
      instrument: 'EURUSD',
      lots: '0.1000',
      openPrice: '1.10006',
    })
    expect(listIn(own, 'movements').map(({ kind: each }) => each)).toContain('fee')
  })

  test('needs the password, and is limited per day', async () => {
    const reason = async (token: string | null, proof: object = {}) => {
      const answer = await download(token, proof)
      return ((await answer.json()) as { data: { reason: string } }).data.reason
    }
    expect(await reason(null)).toBe('sessionGone')
    expect(await reason(owner.token)).toBe('passwordWrong')
    expect(await reason(owner.token, { password: 'another otter 72 maps' })).toBe('passwordWrong')
    const eager: TestUser = await newUser(server())
    for (let count = 0; count < 3; count += 1) await archiveOf(eager.token, { password: PASSWORD })
    expect(await reason(eager.token, { password: PASSWORD })).toBe('tooManyRequests')
    // A malformed password does not get around the check.
    expect(reasonOf(await post(server(), downloadOwnData.path, { password: 7 }, eager.token))).toBe(
      'notUnderstood',
    )
    expect((await logInAs(server(), eager.email)).body?.code).toBe(1)
  })

  test('is created for each user one at a time', async () => {
    const busy = await newTrader(server())
    const answers = await Promise.all([download(busy.token), download(busy.token), download(busy.token)])
    const bodies = await Promise.all(answers.map(async (answer) => Buffer.from(await answer.arrayBuffer())))
    const made = bodies.filter((body) => body.subarray(0, 2).toString() === 'PK')
    expect(made.length).toBeGreaterThanOrEqual(1)
    expect(made.every((body) => filesIn(body).has('profile.json'))).toBe(true)
  })
})
