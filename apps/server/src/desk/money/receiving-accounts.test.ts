import { money } from '@fairlot/core'
import { expect, test } from 'vitest'
import type { Queries } from '../../database/open.ts'
import { onEveryDatabase } from '../../testing/on-every-database.ts'
import { createActLog } from '../acts/act-log.ts'
import { createApprovals } from '../approvals/approvals.ts'
import { createDeskHub } from '../desk-hub.ts'
import { createReceivingAccounts } from './receiving-accounts.ts'

const [ASKER, SECOND] = [
  { id: 1, name: 'Ada', role: 'finance' },
  { id: 2, name: 'Bo', role: 'compliance' },
] as const
const ADDRESS = 'TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC'
const OTHER = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
const FORM = {
  ...{ currencyCode: 'USDT', protocolCode: 'TRC20', address: ADDRESS },
  dayLimit: money(5_000_000_000n),
  personDayLimit: null,
}
const NEW = { kind: 'channel', id: null, version: 0, form: FORM, reason: 'a wallet' } as const

function open(queries: Queries) {
  const now = () => 1_000
  const acts = createActLog(queries, now, () => undefined)
  const approvals = createApprovals({ queries, acts, now, journaled: () => Promise.resolve(null) })
  const receiving = createReceivingAccounts({ queries, acts, approvals, now, hub: createDeskHub() })
  const ask = async (asked: Parameters<typeof receiving.ask>[1]) => {
    const answer = await receiving.ask(ASKER, asked)
    return 'approvalId' in answer ? (answer.approvalId ?? 0) : 0
  }
  const agree = (id: number) => approvals.decide(SECOND, id, true, 'compared by phone')
  const rows = () => queries.selectFrom('deposit_channel').selectAll().execute()
  return { approvals, receiving, ask, agree, rows }
}

onEveryDatabase('an address that deposits go to', (databases) => {
  test('is there once another person has agreed, with both names under it', async () => {
    const { queries } = await databases.open()
    const { approvals, ask, agree, rows } = open(queries)
    const id = await ask(NEW)
    expect(await approvals.decide(ASKER, id, true, 'mine')).toMatchObject({ rejected: 'sameOperator' })
    expect(await rows()).toEqual([])
    expect(await agree(id)).toBeNull()
    expect(await rows()).toMatchObject([
      { address: ADDRESS, day_limit: 5_000_000_000n, is_on: 1n, version: 1n },
    ])
    const act = queries.selectFrom('desk_act').selectAll().where('second_name', '=', 'Bo')
    expect(await act.executeTakeFirst()).toMatchObject({
      ...{ act: 'editPaymentSetup', operator_name: 'Ada', case_key: `approval:${id}`, outcome: 'done' },
    })
  })

  test('is changed the same way, and not over a change that came between', async () => {
    const { queries } = await databases.open()
    const { ask, agree, rows } = open(queries)
    await agree(await ask(NEW))
    const change = { ...NEW, id: 1, version: 1, form: { ...FORM, address: OTHER } }
    const [first, second] = [await ask(change), await ask({ ...change, form: { ...FORM, dayLimit: null } })]
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

  test('is switched off by one person at once, and on again by two', async () => {
    const { queries } = await databases.open()
    const { receiving, ask, agree, rows } = open(queries)
    await agree(await ask(NEW))
    const off = { kind: 'channel', id: 1, version: 1, reason: 'the key leaked' } as const
    expect(await receiving.switchOff(ASKER, off)).toBeNull()
    expect(await rows()).toMatchObject([{ is_on: 0n }])
    expect(await receiving.switchOff(ASKER, off)).toMatchObject({ rejected: 'formOutdated' })
    await agree(await ask({ ...NEW, id: 1, version: 2 }))
    expect(await rows()).toMatchObject([{ is_on: 1n, version: 3n }])
  })
})
