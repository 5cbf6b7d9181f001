import { expect, it } from 'vitest'
import { onEveryDatabase } from '../../testing/on-every-database.ts'
import { countLosing, shareOf, shownShareOf } from './losing-share.ts'

const DAY_MS = 86_400_000
const NOW = Date.UTC(2026, 10, 23)

onEveryDatabase('the share of losing accounts', (databases) => {
  it('counts accounts with a loss, without those that are even or have closed no position', async () => {
    const { queries } = await databases.open()
    const day = (account: number, closed: number, result: number, at = NOW - DAY_MS) => ({
      account_id: BigInt(account),
      day: BigInt(at),
      orders: 1n,
      closed: BigInt(closed),
      result: BigInt(result),
    })
    const account = (id: number, ledger = 'real') => ({
      id: BigInt(id),
      owner_id: BigInt(id),
      ledger,
      opened_at: 0n,
      status: 'active',
      status_reason: '',
    })
    await queries
      .insertInto('account')
      .values([1, 2, 3, 4, 5].map((id) => account(id)).concat(account(6, 'demo')))
      .execute()
    await queries
      .insertInto('account_day')
      .values([
        day(1, 1, -1),
        // Even: the loss of one day is the profit of another.
        day(2, 1, -5),
        day(2, 1, 5, NOW - 2 * DAY_MS),
        day(3, 1, 1),
        // A fee alone, with the position still open.
        day(4, 0, -1),
        // A year and a day ago.
        day(5, 1, -1, Date.UTC(2025, 10, 22)),
        day(6, 1, -1),
      ])
      .execute()
    const found = await countLosing(queries, NOW)
    expect(found).toMatchObject({ accounts: 3, losing: 1, from: Date.UTC(2025, 10, 23) })
    expect(shareOf(found)).toBe(33.33)
  })

  it('is shown from ten accounts on', () => {
    const of = (accounts: number, losing: number) => shownShareOf({ at: NOW, from: 0, accounts, losing })
    expect([of(9, 9), of(10, 9), of(200, 1)]).toEqual([null, 90, 1])
  })
})
