import { createState, money } from '@fairlot/core'
import { expect, test } from 'vitest'
import type { Queries } from '../../platform/database/open.ts'
import { onEveryDatabase } from '../../testing/on-every-database.ts'
import { createAuditLog } from '../../desk/audit-log/audit-log.ts'
import { createApprovals } from '../../desk/approvals/approvals.ts'
import { createDeskHub } from '../../desk/desk-socket.ts'
import { addOperator } from '../../desk/operators/operators.ts'
import { createReceivingAccounts } from './receiving-accounts.ts'

const [REQUESTER, SECOND] = [
  { id: 1, name: 'Ada', role: 'finance' },
  { id: 2, name: 'Bo', role: 'compliance' },
] as const
const ADDRESS = 'TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC'
const OTHER = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
const FORM = {
  currencyCode: 'USDT',
  protocolCode: 'TRC20',
  address: ADDRESS,
  tag: '',
  dayLimit: money(5_000_000_000n),
  personDayLimit: null,
  fixedRate: null,
}
/** A state without prices, with accounts in US dollars. */
const DOLLARS = { ...createState(), settings: { ...createState().settings, accountCurrency: 'USD' } }
const NEW = { kind: 'channel', id: null, version: 0, form: FORM, reason: 'a wallet' } as const

async function open(queries: Queries) {
  await queries.transaction().execute(async (within) => {
    for (const { name, role } of [REQUESTER, SECOND])
      await addOperator(within, { name, role, password_hash: 'none' }, 0)
  })
  const now = () => 1_000
  const auditLog = createAuditLog(queries, now, () => undefined)
  const approvals = createApprovals({
    queries,
    auditLog,
    now,
    settle: () => Promise.resolve(0),
    isSingleOperator: () => false,
  })
  const receiving = createReceivingAccounts({
    queries,
    auditLog,
    approvals,
    now,
    hub: createDeskHub(),
    announced: () => undefined,
    market: () => DOLLARS,
  })
  const request = async (change: Parameters<typeof receiving.request>[1]) => {
    const answer = await receiving.request(REQUESTER, change)
    return 'approvalId' in answer ? (answer.approvalId ?? 0) : 0
  }
  const agree = (id: number) => approvals.decide(SECOND, id, true, 'compared by phone')
  const rows = () => queries.selectFrom('deposit_channel').selectAll().execute()
  return { approvals, receiving, request, agree, rows }
}

onEveryDatabase('a deposit address', (databases) => {
  test('is in force once a second operator approves it, with both names in the audit log', async () => {
    const { queries } = await databases.open()
    const { approvals, request, agree, rows } = await open(queries)
    const id = await request(NEW)
    expect(await approvals.decide(REQUESTER, id, true, 'mine')).toMatchObject({ rejected: 'sameOperator' })
    expect(await rows()).toEqual([])
    expect(await agree(id)).toBeNull()
    expect(await rows()).toMatchObject([
      { address: ADDRESS, day_limit: 5_000_000_000n, is_on: 1n, version: 1n },
    ])
    const entry = queries.selectFrom('desk_act').selectAll().where('second_name', '=', 'Bo')
    expect(await entry.executeTakeFirst()).toMatchObject({
      act: 'editPaymentSetup',
      operator_name: 'Ada',
      case_key: `approval:${id}`,
      outcome: 'done',
    })
  })

  test('is changed by two operators, unless another change came first', async () => {
    const { queries } = await databases.open()
    const { request, agree, rows } = await open(queries)
    await agree(await request(NEW))
    const change = { ...NEW, id: 1, version: 1, form: { ...FORM, address: OTHER } }
    const [first, second] = [
      await request(change),
      await request({ ...change, form: { ...FORM, dayLimit: null } }),
    ]
    const { before, after } = await queries
      .selectFrom('approval')
      .selectAll()
      .where('id', '=', BigInt(first))
      .executeTakeFirstOrThrow()
    expect([before, after].map((json) => (JSON.parse(json ?? '') as typeof FORM).address)).toEqual([
      ADDRESS,
      OTHER,
    ])
    expect(await agree(first)).toBeNull()
    expect(await agree(second)).toMatchObject({ rejected: 'formOutdated' })
    expect(await rows()).toMatchObject([{ address: OTHER, day_limit: 5_000_000_000n, version: 2n }])
  })

  test('is set up once, although two requests for it waited at the same time', async () => {
    const { queries } = await databases.open()
    const { request, agree, rows } = await open(queries)
    const [first, second] = [
      await request(NEW),
      await request({ ...NEW, form: { ...FORM, protocolCode: 'TRC-20' } }),
    ]
    expect(await agree(first)).toBeNull()
    expect(await agree(second)).toMatchObject({ rejected: 'receivingAddressTaken' })
    expect(await rows()).toHaveLength(1)
  })

  test('is switched off by one operator at once, and on again by two', async () => {
    const { queries } = await databases.open()
    const { receiving, request, agree, rows } = await open(queries)
    await agree(await request(NEW))
    const off = { kind: 'channel', id: 1, version: 1, reason: 'the key leaked' } as const
    expect(await receiving.switchOff(REQUESTER, off)).toBeNull()
    expect(await rows()).toMatchObject([{ is_on: 0n }])
    expect(await receiving.switchOff(REQUESTER, off)).toMatchObject({ rejected: 'formOutdated' })
    await agree(await request({ ...NEW, id: 1, version: 2 }))
    expect(await rows()).toMatchObject([{ is_on: 1n, version: 3n }])
  })
})
