import { lots, money, type LedgerKind } from '@fairlot/core'
import { describe, expect, it } from 'vitest'
import {
  accountIdOf,
  entryOf,
  marketOrder,
  orderIdOf,
  TEST_OPERATOR,
} from '../../../../testing/test-world.ts'
import { everyDatabase, type Databases } from '../testing/on-every-database.ts'
import { createHarness } from '../testing/engine-harness.ts'
import { findLinkedAccounts, LINKED_DAYS } from './linked-accounts.ts'

const BID = 100_000
const DAY_MS = 86_400_000
const DEPOSIT = money(1_000_000_000n)

/** A test harness whose users can share a browser, a network address or a payout account. */
async function openSharingHarness(databases: Databases) {
  const database = await databases.open()
  const { queries } = database
  const harness = await createHarness(database)
  const { engine, clock } = harness
  await harness.tick(BID)
  const open = async (ledger: LedgerKind = 'real') => {
    const accountId = accountIdOf(await engine.execute({ type: 'openAccount', ledger }))
    if (ledger === 'demo') return accountId
    const opened = entryOf(await engine.execute({ type: 'openDeposit', accountId, amount: DEPOSIT }))
    const [event] = opened.events
    const caseId = event?.type === 'depositOpened' ? event.caseId : 0
    const end = { type: 'endDeposit', outcome: 'finished', amount: DEPOSIT, by: TEST_OPERATOR } as const
    entryOf(await engine.execute({ ...end, caseId }))
    return accountId
  }
  const trade = async (accountId: number, side: 'buy' | 'sell', size = 100) =>
    orderIdOf(await engine.execute(marketOrder(accountId, { side, lots: lots(size), leverage: 100 })))
  let count = 0
  return {
    harness,
    engine,
    clock,
    open,
    trade,
    shareBrowser: (...ids: number[]) =>
      queries
        .insertInto('known_login')
        .values(ids.map((id) => ({ user_id: BigInt(id), fingerprint: 'one browser', at: 0n })))
        .execute(),
    shareNetwork: (address: string, at: number, ...ids: number[]) =>
      queries
        .insertInto('user_activity')
        .values(
          ids.map((id) => ({
            id: `${address} ${id} ${(count += 1)}`,
            user_id: BigInt(id),
            at: BigInt(at),
            kind: 'loggedIn',
            device: 'a phone',
            address,
            times: 1n,
          })),
        )
        .execute(),
    sharePayout: (...ids: number[]) =>
      queries
        .insertInto('receiving_method')
        .values(
          ids.map((id) => ({
            id: BigInt((count += 1)),
            user_id: BigInt(id),
            currency_id: 1n,
            kind: 'coin',
            details: '{}',
            account_key: 'one address',
            bound_at: 0n,
            removed_at: null,
          })),
        )
        .execute(),
    found: async (ledger: LedgerKind = 'real') => {
      await engine.caughtUp()
      const found = await findLinkedAccounts({ queries, engine }, { ledger, at: clock.at })
      if ('unavailable' in found) throw new Error('the engine is unavailable')
      return found.pairs
    },
  }
}

describe.each(everyDatabase)('linked accounts with opposite positions, $kind', (databases) => {
  it('are found by a shared browser, network or payout account', async () => {
    const { open, trade, found, ...sharing } = await openSharingHarness(databases)
    const [one, other, stranger] = [await open(), await open(), await open()]
    await trade(one, 'buy', 200)
    await trade(other, 'sell')
    await trade(stranger, 'sell')
    expect(await found()).toEqual([])
    await sharing.shareBrowser(one, other)
    await sharing.shareNetwork('192.0.2.7', sharing.clock.at, one, other)
    await sharing.sharePayout(one, other)
    expect(await found()).toMatchObject([
      {
        code: 'EURUSD',
        links: ['device', 'network', 'payout'],
        isOpen: true,
        first: { accountId: one, side: 'buy', lots: 0.02, protection: 0n },
        second: { accountId: other, side: 'sell', lots: 0.01, protection: 0n },
      },
    ])
  })

  it('exclude positions on the same side, at different times, or in another ledger', async () => {
    const { open, trade, found, engine, clock, ...sharing } = await openSharingHarness(databases)
    const [buyer, alike, late, demo] = [await open(), await open(), await open(), await open('demo')]
    await sharing.shareBrowser(buyer, alike, late, demo)
    const orderId = await trade(buyer, 'buy')
    await trade(alike, 'buy')
    await trade(demo, 'sell')
    entryOf(await engine.execute({ type: 'closePosition', accountId: buyer, orderId }))
    entryOf(await engine.execute({ type: 'closePosition', accountId: alike, orderId: orderId + 1 }))
    clock.at += 1_000
    await trade(late, 'sell')
    const [one, other] = [await open(), await open()]
    await sharing.shareNetwork('192.0.2.9', clock.at, one, other)
    await trade(one, 'buy')
    await trade(other, 'buy')
    expect(await found()).toEqual([])
    expect(await found('demo')).toEqual([])
  })

  it('are listed for thirty days after both have closed, with the protection paid', async () => {
    const { open, trade, found, harness, engine, clock, ...sharing } = await openSharingHarness(databases)
    const [loser, winner, calm, opposite] = [await open(), await open(), await open(), await open()]
    await sharing.shareNetwork('192.0.2.7', clock.at, loser, winner)
    await sharing.sharePayout(calm, opposite)
    await trade(loser, 'buy', 9_000)
    const won = await trade(winner, 'sell', 9_000)
    await trade(calm, 'buy')
    await trade(opposite, 'sell')
    await harness.tick(BID - 5_000)
    entryOf(await engine.execute({ type: 'closePosition', accountId: winner, orderId: won }))
    const [first, second] = await found()
    expect(first).toMatchObject({
      links: ['network'],
      isOpen: false,
      first: { accountId: loser, side: 'buy' },
      second: { accountId: winner, side: 'sell', protection: 0n },
    })
    expect(first?.first.protection).toBeGreaterThan(0n)
    expect(first?.second.result).toBeGreaterThan(0n)
    expect(second).toMatchObject({ links: ['payout'], first: { accountId: calm } })
    clock.at += (LINKED_DAYS + 1) * DAY_MS
    await harness.tick(BID)
    expect(await found()).toMatchObject([{ links: ['payout'] }])
  })

  it('exclude accounts behind an address that many users share', async () => {
    const { open, trade, found, ...sharing } = await openSharingHarness(databases)
    const [one, other] = [await open(), await open()]
    await trade(one, 'buy')
    await trade(other, 'sell')
    const crowd: number[] = []
    while (crowd.length < 19) crowd.push(await open())
    await sharing.shareNetwork('198.51.100.1', sharing.clock.at, one, other, ...crowd)
    expect(await found()).toEqual([])
  })

  it('are not hidden by demo accounts and accounts without a deposit, which anybody can open', async () => {
    const { open, trade, found, engine, ...sharing } = await openSharingHarness(databases)
    const [one, other] = [await open(), await open()]
    await trade(one, 'buy')
    await trade(other, 'sell')
    const crowd: number[] = []
    while (crowd.length < 15) crowd.push(await open('demo'))
    while (crowd.length < 30)
      crowd.push(accountIdOf(await engine.execute({ type: 'openAccount', ledger: 'real' })))
    await sharing.shareNetwork('198.51.100.1', sharing.clock.at, one, other, ...crowd)
    await sharing.shareBrowser(one, other, ...crowd)
    expect(await found()).toMatchObject([{ links: ['device', 'network'], first: { accountId: one } }])
  })

  it('may withdraw: nothing is withheld without a decision', async () => {
    const { open, trade, found, engine, ...sharing } = await openSharingHarness(databases)
    const [one, other] = [await open(), await open()]
    await trade(one, 'buy')
    await trade(other, 'sell')
    await sharing.sharePayout(one, other)
    expect(await found()).toHaveLength(1)
    const [amount, fee] = [money(1_000_000n), money(0n)]
    for (const accountId of [one, other]) {
      const held = await engine.execute({ type: 'requestWithdrawal', accountId, amount, fee })
      expect(entryOf(held).events).toMatchObject([{ type: 'withdrawalHeld' }])
    }
  })
})
