import { money } from '@fairlot/core'
import { expect, test } from 'vitest'
import type { Queries } from '../platform/database/open.ts'
import { onEveryDatabase } from '../testing/on-every-database.ts'
import { leftForChannel, leftInCurrency } from './day-limits.ts'

/** When a day begins, in UTC. */
const MIDNIGHT = Date.UTC(2026, 10, 23)
const CHANNEL = { kind: 'coin', id: 1, dayLimit: 1_000n, personDayLimit: 300n } as const
const CURRENCY = { id: 1n, person_day_limit: 500n, user_day_limit_before: null, limits_from: null }

type Given = { userId: number; amount: bigint; at: number; status?: string; credited?: bigint }
let last = 0n

async function addCase(queries: Queries, kind: 'deposit' | 'withdrawal', given: Given): Promise<void> {
  const { userId, amount, at, status = 'open', credited = status === 'finished' ? amount : 0n } = given
  last += 1n
  const [id, user] = [last, BigInt(userId)]
  await queries
    .insertInto('money_case')
    .values({
      id,
      kind,
      account_id: user,
      amount,
      fee: 0n,
      status,
      credited,
      opened_at: BigInt(at),
      asked_by: null,
      asked_reason: '',
      ended_at: null,
      ended_by: null,
      ended_reason: '',
    })
    .execute()
  if (kind === 'deposit')
    await queries
      .insertInto('deposit')
      .values({
        case_id: id,
        user_id: user,
        kind: 'coin',
        channel_id: 1n,
        currency_code: 'USDT',
        protocol_code: 'TRC20',
        address: '',
        tag: '',
        shown_address: '',
        proof: '',
        proof_hash: '',
        reference: '',
        reference_key: '',
        told_at: BigInt(at),
      })
      .execute()
  else
    await queries
      .insertInto('withdrawal')
      .values({
        case_id: id,
        user_id: user,
        currency_id: 1n,
        code: 'USDT',
        protocol: 'TRC20',
        kind: 'coin',
        price: '1',
        received: '1',
        method_id: 1n,
        method: '{}',
        memo: '',
        asked_at: BigInt(at),
        reference: '',
        reference_key: '',
      })
      .execute()
}

onEveryDatabase('daily limits', (databases) => {
  test('count deposits of a channel for all users and each user, except refused ones, from midnight UTC', async () => {
    const { queries } = await databases.open()
    const left = (now: number) => leftForChannel({ queries, userId: 7, now }, CHANNEL)
    await addCase(queries, 'deposit', { userId: 7, amount: 100n, at: MIDNIGHT - 1 })
    await addCase(queries, 'deposit', {
      userId: 7,
      amount: 150n,
      at: MIDNIGHT - 86_400_000,
      status: 'finished',
    })
    await addCase(queries, 'deposit', { userId: 8, amount: 700n, at: MIDNIGHT - 5, status: 'finished' })
    await addCase(queries, 'deposit', { userId: 8, amount: 700n, at: MIDNIGHT - 5, status: 'rejected' })
    expect(await left(MIDNIGHT - 1)).toEqual({ all: money(50n), own: money(50n) })
    expect(await left(MIDNIGHT)).toEqual({ all: money(1_000n), own: money(300n) })
    await addCase(queries, 'deposit', { userId: 7, amount: 400n, at: MIDNIGHT })
    expect(await left(MIDNIGHT + 1)).toEqual({ all: money(600n), own: money(0n) })
    const unlimited = { ...CHANNEL, dayLimit: null, personDayLimit: null }
    const none = { all: null, own: null }
    expect(await leftForChannel({ queries, userId: 7, now: MIDNIGHT }, unlimited)).toEqual(none)
  })

  test('count undecided deposits of other users up to a tenth of the limit each, and up to half together', async () => {
    const { queries } = await databases.open()
    const left = async (userId: number) =>
      (await leftForChannel({ queries, userId, now: MIDNIGHT }, { ...CHANNEL, personDayLimit: null })).all
    await addCase(queries, 'deposit', { userId: 8, amount: 60n, at: MIDNIGHT })
    expect(await left(7)).toBe(940n)
    await addCase(queries, 'deposit', { userId: 8, amount: 940n, at: MIDNIGHT })
    expect(await left(7)).toBe(900n)
    expect(await left(8)).toBe(0n)
    for (let userId = 9; userId < 30; userId += 1)
      await addCase(queries, 'deposit', { userId, amount: 100n, at: MIDNIGHT })
    expect(await left(7)).toBe(500n)
    await addCase(queries, 'deposit', { userId: 8, amount: 400n, at: MIDNIGHT, status: 'finished' })
    expect(await left(7)).toBe(100n)
  })

  test('count of a credited deposit what was credited, not what was claimed', async () => {
    const { queries } = await databases.open()
    const left = (userId: number) => leftForChannel({ queries, userId, now: MIDNIGHT }, CHANNEL)
    const claim = { userId: 8, amount: 1_000n, at: MIDNIGHT, status: 'finished' }
    await addCase(queries, 'deposit', { ...claim, credited: 1n })
    expect(await left(7)).toEqual({ all: money(999n), own: money(300n) })
    expect(await left(8)).toEqual({ all: money(999n), own: money(299n) })
    await addCase(queries, 'deposit', { ...claim, amount: 1n, credited: 600n })
    expect((await left(7)).all).toBe(399n)
  })

  test('count withdrawals in a currency for each user, except cancelled ones, from midnight UTC', async () => {
    const { queries } = await databases.open()
    const left = (userId: number, now: number) => leftInCurrency({ queries, userId, now }, CURRENCY)
    await addCase(queries, 'withdrawal', { userId: 7, amount: 200n, at: MIDNIGHT - 1 })
    await addCase(queries, 'withdrawal', { userId: 7, amount: 250n, at: MIDNIGHT - 9, status: 'paid' })
    await addCase(queries, 'withdrawal', { userId: 7, amount: 250n, at: MIDNIGHT - 9, status: 'cancelled' })
    expect(await left(7, MIDNIGHT - 1)).toBe(50n)
    expect(await left(7, MIDNIGHT)).toBe(500n)
    expect(await left(8, MIDNIGHT - 1)).toBe(500n)
    const unlimited = { ...CURRENCY, person_day_limit: null }
    expect(await leftInCurrency({ queries, userId: 7, now: MIDNIGHT }, unlimited)).toBeNull()
  })
})
