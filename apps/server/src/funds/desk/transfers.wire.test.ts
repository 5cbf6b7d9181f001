import {
  requestAdjustment,
  decideAdjustment,
  finishDeposit,
  listAuditEntries,
  listTransfers,
} from '@fairlot/contract/desk'
import { beforeAll, describe, expect, test } from 'vitest'
import { newTrader } from '../../../../../testing/traders.ts'
import { atDesk, type AtDesk } from '../../testing/desk.ts'
import { newPayer, openedDeposit, sentUnits, units, type Payer } from '../../testing/payments.ts'
import { endSingleOperatorMode } from '../../testing/engine-setup.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'

const ANY = {
  ledger: 'real',
  accountId: null,
  kind: null,
  reference: null,
  since: null,
  until: null,
  page: 1,
} as const

describe.each(DATABASES)('the transfers of the ledger, %s', (kind) => {
  const server = serverOn(kind)
  let finance: AtDesk
  let [one, other]: [Payer, Payer] = [] as never
  let caseId = 0
  beforeAll(async () => {
    await endSingleOperatorMode(server())
    finance = await atDesk(server(), 'finance')
    one = await newPayer(server())
    other = await newPayer(server())
    caseId = await openedDeposit(server(), one.user.id, units(500))
    await finance.request(finishDeposit, {
      id: caseId,
      amount: sentUnits(500),
      arrivedAt: null,
      reason: 'arrived',
    })
    await finance.request(requestAdjustment, { id: other.user.id, amount: units(20), reason: 'a promise' })
    const second = await atDesk(server(), 'administrator')
    await second.request(decideAdjustment, { id: caseId + 1, isApproved: true, reason: 'kept' })
    await newTrader(server())
    await server()
      .deployment.database.queries.insertInto('deposit')
      .values({
        case_id: BigInt(caseId),
        user_id: BigInt(one.user.id),
        reference: '0xAbC',
        reference_key: 'abc',
        ...OTHER_COLUMNS,
      })
      .execute()
  })
  const found = async (filter: object) =>
    (await finance.request(listTransfers, { ...ANY, ...filter })).transfers

  test('are listed newest first, real and demo apart', async () => {
    expect(await found({})).toMatchObject([
      { kind: 'adjustment', accountId: other.user.id, amount: units(20), caseId: caseId + 1 },
      {
        kind: 'deposit',
        accountId: one.user.id,
        amount: units(500),
        caseId,
        debit: 'house:real:deposits',
        credit: `available:${one.user.id}`,
      },
    ])
    const demo = await found({ ledger: 'demo' })
    expect(demo.map((row) => row.kind)).toEqual(['demoIssue'])
    expect(await found({ page: 2 })).toEqual([])
  })

  test('are found by user, kind, time, id and transaction number', async () => {
    const kinds = async (filter: object) => (await found(filter)).map((row) => row.kind)
    expect(await kinds({ accountId: one.user.id })).toEqual(['deposit'])
    expect(await kinds({ kind: 'adjustment' })).toEqual(['adjustment'])
    expect(await kinds({ kind: 'swap' })).toEqual([])
    const arabic = String(caseId).replaceAll(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)))
    for (const reference of [String(caseId), arabic]) expect(await kinds({ reference })).toContain('deposit')
    for (const reference of [' 0xabc ', 'ABC', 'TxID: 0xabc', 'https://etherscan.io/tx/0xABC', '0x a b c'])
      expect([reference, await kinds({ reference })]).toEqual([reference, ['deposit']])
    expect(await kinds({ reference: ' - ' })).toEqual([])
    expect(await kinds({ reference: "0x' or 1=1" })).toEqual([])
    const [last, first] = await found({})
    expect(await kinds({ until: first?.at })).toEqual([])
    expect(await kinds({ since: (last?.at ?? 0) + 1 })).toEqual([])
  })

  test('need the permission to see payments, and their export has an audit entry', async () => {
    const support = await atDesk(server(), 'support')
    expect(await support.refusalOf(listTransfers, ANY)).toBe('roleRefused')
    const answer = await fetch(`${server().url}/desk/api/payments/transfers.csv?kind=deposit`, {
      headers: { authorization: finance.token },
    })
    const [head, row] = (await answer.text()).split('\r\n')
    expect(head).toBe('id,at,kind,accountId,debit,credit,amount,orderId,caseId')
    expect(row).toContain(`,deposit,${one.user.id},house:real:deposits,available:${one.user.id},500.000000,,`)
    const { acts } = await finance.request(listAuditEntries, {
      operatorId: finance.id,
      act: 'exportPerson',
      subject: null,
      accountId: null,
      outcome: null,
      since: null,
      until: null,
      search: null,
      page: 1,
    })
    expect(acts.map(({ subject }) => subject)).toEqual(['transfers:all'])
  })
})

const OTHER_COLUMNS = {
  kind: 'coin',
  currency_code: 'USDT',
  protocol_code: 'TRC20',
  address: '',
  tag: '',
  shown_address: '',
  proof: '',
  channel_id: 1n,
  proof_hash: '',
  told_at: 0n,
}
