import { money } from '@fairlot/core'
import { expect, test } from 'vitest'
import type { Queries } from '../database/open.ts'
import { onEveryDatabase } from '../testing/on-every-database.ts'
import { leftByChannel, leftInCurrency } from './day-limits.ts'

/** Midnight UTC: a day begins. */
const MIDNIGHT = Date.UTC(2026, 10, 23)
const CHANNEL = { kind: 'coin', id: 1, dayLimit: 1_000n, personDayLimit: 300n } as const
const CURRENCY = { id: 1n, person_day_limit: 500n }

type Given = { userId: number; amount: bigint; at: number; status?: string }
let last = 0n

async function told(queries: Queries, kind: 'deposit' | 'withdrawal', given: Given): Promise<void> {
  const { userId, amount, at, status = 'open' } = given
  last += 1n
  const [id, user] = [last, BigInt(userId)]
  await queries
    .insertInto('money_case')
    .values({
      ...{ id, kind, account_id: user, amount, fee: 0n, status, credited: 0n, opened_at: BigInt(at) },
      ...{ asked_by: null, asked_reason: '', ended_at: null, ended_by: null, ended_reason: '' },
    })
    .execute()
  if (kind === 'deposit')
    await queries
      .insertInto('deposit')
      .values({
        ...{ case_id: id, user_id: user, kind: 'coin', channel_id: 1n, currency_code: 'USDT' },
        ...{ protocol_code: 'TRC20', address: '', shown_address: '', proof: '', proof_hash: '' },
        ...{ reference: '', told_at: BigInt(at) },
      })
      .execute()
  else
    await queries
      .insertInto('withdrawal')
      .values({
        ...{ case_id: id, user_id: user, currency_id: 1n, code: 'USDT', protocol: 'TRC20', kind: 'coin' },
        ...{ price: '1', received: '1', method_id: 1n, method: '{}', memo: '', asked_at: BigInt(at) },
        ...{ taken_back_at: null, approved_at: null, approved_by: null, approved_name: null },
        ...{ approved_role: null, reference: '' },
      })
      .execute()
}

onEveryDatabase('what is left of a day', (databases) => {
  test('by a channel is counted for everybody and for one person, without what was refused, anew at midnight UTC', async () => {
    const { queries } = await databases.open()
    const left = (now: number) => leftByChannel({ queries, userId: 7, now }, CHANNEL)
    await told(queries, 'deposit', { userId: 7, amount: 100n, at: MIDNIGHT - 1 })
    await told(queries, 'deposit', { userId: 7, amount: 150n, at: MIDNIGHT - 86_400_000, status: 'finished' })
    await told(queries, 'deposit', { userId: 8, amount: 700n, at: MIDNIGHT - 5 })
    await told(queries, 'deposit', { userId: 8, amount: 700n, at: MIDNIGHT - 5, status: 'rejected' })
    expect(await left(MIDNIGHT - 1)).toEqual({ all: money(50n), own: money(50n) })
    expect(await left(MIDNIGHT)).toEqual({ all: money(1_000n), own: money(300n) })
    await told(queries, 'deposit', { userId: 7, amount: 400n, at: MIDNIGHT })
    expect(await left(MIDNIGHT + 1)).toEqual({ all: money(600n), own: money(0n) })
    const unlimited = { ...CHANNEL, dayLimit: null, personDayLimit: null }
    const none = { all: null, own: null }
    expect(await leftByChannel({ queries, userId: 7, now: MIDNIGHT }, unlimited)).toEqual(none)
  })

  test('in a currency is counted for one person, without what was taken back, anew at midnight UTC', async () => {
    const { queries } = await databases.open()
    const left = (userId: number, now: number) => leftInCurrency({ queries, userId, now }, CURRENCY)
    await told(queries, 'withdrawal', { userId: 7, amount: 200n, at: MIDNIGHT - 1 })
    await told(queries, 'withdrawal', { userId: 7, amount: 250n, at: MIDNIGHT - 9, status: 'paid' })
    await told(queries, 'withdrawal', { userId: 7, amount: 250n, at: MIDNIGHT - 9, status: 'cancelled' })
    expect(await left(7, MIDNIGHT - 1)).toBe(50n)
    expect(await left(7, MIDNIGHT)).toBe(500n)
    expect(await left(8, MIDNIGHT - 1)).toBe(500n)
    const unlimited = { id: 1n, person_day_limit: null }
    expect(await leftInCurrency({ queries, userId: 7, now: MIDNIGHT }, unlimited)).toBeNull()
  })
})
