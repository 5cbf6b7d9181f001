import {
  requestWithdrawal,
  getBalanceHistory,
  getDeposit,
  getStatement,
  listLedgerRecords,
  valueOf,
  type LedgerGroup,
} from '@fairlot/contract'
import {
  approveWithdrawal,
  finishDeposit,
  payWithdrawal,
  USER_STATEMENT_PATH,
  takeCase,
} from '@fairlot/contract/desk'
import { beforeAll, describe, expect, test } from 'vitest'
import { readCsv } from '../../../../../testing/read-csv.ts'
import { newTrader } from '../../../../../testing/traders.ts'
import { atDesk, type AtDesk } from '../../testing/desk.ts'
import {
  newPayer,
  oldMethod,
  openedDeposit,
  setUpPayments,
  sentUnits,
  units,
  type Payer,
  NO_QUOTE,
} from '../../testing/payments.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'

const REASON = 'as it should be'
const DAY_MS = 86_400_000

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

describe.each(DATABASES)('a statement, %s', (kind) => {
  const server = serverOn(kind)
  const today = () => dayOf(server().deployment.market.now())
  let finance: AtDesk
  let payer: Payer
  let depositId = 0
  let caseId = 0

  const fetchFile = async (token: string | null, path: string, given: object, lang = 'en') => {
    const query = new URLSearchParams({ from: today(), to: today(), format: 'csv', ...given })
    const headers = { lang, ...(token !== null && { authorization: token }) }
    const answer = await fetch(`${server().url}${path}?${String(query)}`, { headers })
    return {
      type: answer.headers.get('content-type'),
      headers: answer.headers,
      bytes: Buffer.from(await answer.arrayBuffer()),
    }
  }
  const ownFile = (given: object, token: string | null = payer.token, lang = 'en') =>
    fetchFile(token, getStatement.path, given, lang)
  const reasonOf = ({ bytes }: { bytes: Buffer }): unknown =>
    (JSON.parse(String(bytes)) as { data: { reason?: string } | null }).data?.reason

  beforeAll(async () => {
    await setUpPayments(server())
    finance = await atDesk(server(), 'finance')
    payer = await newPayer(server())
    depositId = await openedDeposit(server(), payer.user.id, units(500))
    await finance.request(finishDeposit, {
      id: depositId,
      amount: sentUnits(500),
      arrivedAt: null,
      reason: REASON,
    })
    const { id: methodId } = await oldMethod(server(), payer)
    const form = {
      currencyId: 1,
      amount: units(100),
      memo: '=SUM(A1)',
      methodId,
      authCode: null,
      ...NO_QUOTE,
    }
    caseId = valueOf(await payer.client.call(requestWithdrawal, form)).id
    await finance.request(takeCase, { caseKey: `withdrawal:${caseId}`, from: null })
    await finance.request(approveWithdrawal, { id: caseId, reason: REASON })
    const cashier = await atDesk(server(), 'finance')
    await cashier.request(takeCase, { caseKey: `withdrawal:${caseId}`, from: finance.id })
    await cashier.request(payWithdrawal, { id: caseId, reference: 'TX 1', reason: REASON })
  })

  test('as CSV contains opening, movements and closing, and no formula', async () => {
    const { type, headers, bytes } = await ownFile({})
    expect(type).toBe('text/csv; charset=utf-8')
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="statement-${100_000 + payer.user.id}-${today()}-${today()}.csv"`,
    )
    expect(readCsv(String(bytes)).rows.length).toBeGreaterThan(1)
    const rows = String(bytes)
      .slice(1)
      .trim()
      .split('\r\n')
      .map((line) => line.split(','))
    const [names = [], ...lines] = rows
    const cell = (line: readonly string[], name: string) => line[names.indexOf(name)]
    expect(
      lines.map((line) => [
        cell(line, 'Row'),
        cell(line, 'Kind'),
        cell(line, 'Available'),
        cell(line, 'Frozen'),
      ]),
    ).toEqual([
      ['statement', 'real', '', ''],
      ['opening', '', '0', '0'],
      ['movement', 'deposit', '500', '0'],
      ['movement', 'withdrawalHeld', '400', '100'],
      ['movement', 'withdrawalPaid', '400', '12'],
      ['movement', 'withdrawalFee', '400', '0'],
      ['closing', '', '400', '0'],
    ])
    expect(lines.map((line) => cell(line, 'Case')).filter(Boolean)).toEqual(
      [depositId, caseId, caseId, caseId].map(String),
    )
    expect(String(bytes)).toContain(`No. ${caseId} · =SUM(A1)`)
  })

  test('as CSV has its heads in the language of the reader', async () => {
    const headsIn = async (lang: string) =>
      readCsv(String((await ownFile({}, payer.token, lang)).bytes)).header
    expect(await headsIn('en')).toEqual(expect.arrayContaining(['Time (UTC)', 'Open price', 'Available']))
    const inChinese = await headsIn('hk')
    expect(inChinese).toEqual(expect.arrayContaining(['方向', '開倉價', '可用金額變動']))
    expect(inChinese.filter((head) => /^[a-z]/iu.test(head))).toEqual([])
  })

  test.each(['hk', 'ar'])('is printed as PDF in %s', async (lang) => {
    const { type, bytes } = await ownFile({ format: 'pdf' }, payer.token, lang)
    expect(type).toBe('application/pdf')
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
    expect(bytes.subarray(-6).toString()).toContain('EOF')
  })

  test('is for its owner only, for a valid period, and for demo accounts too', async () => {
    expect(reasonOf(await ownFile({}, null))).toBe('sessionGone')
    const demo = await newTrader(server())
    const { bytes } = await ownFile({}, demo.token)
    expect(String(bytes)).toContain('movement,')
    expect(String(bytes)).toContain('demoIssue')
    expect(String(bytes)).not.toContain('withdrawal')
    const now = server().deployment.market.now()
    for (const [given, reason] of [
      [{ from: dayOf(now - 366 * DAY_MS) }, 'statementPeriodInvalid'],
      [{ from: dayOf(now + 2 * DAY_MS), to: dayOf(now + 3 * DAY_MS) }, 'statementPeriodInvalid'],
      [{ to: dayOf(now - DAY_MS) }, 'statementPeriodInvalid'],
      [{ from: '2026-02-30' }, 'dayInvalid'],
      [{ from: '1e309' }, 'dayInvalid'],
      [{ format: 'exe' }, 'notUnderstood'],
    ] as const)
      expect([given, reasonOf(await ownFile(given))]).toEqual([given, reason])
  })

  test('is exported by operators who may, with an audit entry each time', async () => {
    const given = { id: String(payer.user.id) }
    const { bytes } = await fetchFile(finance.token, USER_STATEMENT_PATH, given)
    expect(String(bytes)).toContain('closing')
    const entries = await server()
      .deployment.database.queries.selectFrom('desk_act')
      .select(['operator_name', 'account_id', 'outcome'])
      .where('act', '=', 'exportStatement')
      .execute()
    expect(entries).toEqual([
      { operator_name: finance.name, account_id: BigInt(payer.user.id), outcome: 'done' },
    ])
    const support = await atDesk(server(), 'support')
    expect(reasonOf(await fetchFile(support.token, USER_STATEMENT_PATH, given))).toBe('roleRefused')
    expect(reasonOf(await fetchFile(payer.token, USER_STATEMENT_PATH, given))).toBe('sessionGone')
  })

  test('matches the records, which are filtered by group, name their case, and show frozen money apart', async () => {
    const listed = async (group: LedgerGroup | null) => {
      const { records, total } = valueOf(
        await payer.client.call(listLedgerRecords, { before: null, page: 1, group }),
      )
      expect(records).toHaveLength(total)
      return records.map(({ kind: of, caseId: id, isFrozen, balance }) => [of, id, isFrozen, balance])
    }
    const money = [
      ['withdrawalFee', caseId, true, units(0)],
      ['withdrawalPaid', caseId, true, units(12)],
      ['withdrawalHeld', caseId, false, units(400)],
      ['deposit', depositId, false, units(500)],
    ]
    expect(await listed(null)).toEqual(money)
    expect(await listed('money')).toEqual(money)
    expect(await listed('nights')).toEqual([])
    const other = await newPayer(server())
    expect((await other.client.call(getDeposit, { id: depositId })).ok).toBe(false)
  })

  test('comes with a balance history of at most 201 times in order, which ends with the current balance', async () => {
    const now = server().deployment.market.now()
    const { points } = valueOf(await payer.client.call(getBalanceHistory, { from: now - 30 * DAY_MS }))
    const times = points.map(({ at }) => at)
    expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b))
    expect(times.length).toBeGreaterThan(1)
    expect(times.length).toBeLessThanOrEqual(201)
    expect([points[0]?.balance, points.at(-1)?.balance]).toEqual([units(0), units(400)])
    const early = await payer.client.call(getBalanceHistory, { from: 0 })
    expect(early).toMatchObject({ ok: false, reason: 'statementPeriodInvalid' })
  })
})
