import { lots, money, price, type Command, type OperatorCommand } from '@fairlot/core'
import { describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import type { Database } from '../../platform/database/open.ts'
import type { Tables } from '../../platform/database/schema.ts'
import { openSimulation } from '../../testing/journal-simulation.ts'
import { operatorOf, quoteOf } from '../../testing/random-commands.ts'
import { everyDatabase } from '../../testing/on-every-database.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

/** A running engine with a real account, and the operators 1 and 2. */
async function openProjection(database: Database) {
  const simulation = await openSimulation(database)
  const { clock } = simulation
  const execute = (...commands: readonly Command[]) => simulation.execute(...commands)
  await execute({ type: 'openAccount', at: clock.at, ledger: 'real' })
  const { queries } = database
  const rowsOf = async <Name extends keyof Tables>(table: Name): Promise<Tables[Name][]> => {
    await simulation.caughtUp()
    const { rows } = await sql<Tables[Name]>`select * from ${sql.table(table)} order by 1, 2`.execute(queries)
    return rows
  }
  const deposit = async (amount: bigint) => {
    const at = clock.at
    await execute({ type: 'openDeposit', at, accountId: 1, amount: money(amount) })
    const caseId = simulation.state().lastCaseId
    await execute({ type: 'endDeposit', at, by, caseId, outcome: 'finished', amount: money(amount) })
  }
  return { ...simulation, queries, execute, rowsOf, deposit }
}

const by = operatorOf(1, 2)
const action = <Given extends OperatorCommand>(command: Given): Given => command

const order = (at: number, given: object = {}) => ({
  type: 'placeOrder' as const,
  at,
  accountId: 1,
  instrumentId: 1,
  side: 'buy' as const,
  lots: lots(100),
  leverage: 30,
  targetPrice: null,
  takeProfit: null,
  stopLoss: null,
  expiresAt: null,
  ...given,
})

describe.each(everyDatabase)('the tables, $kind', (databases) => {
  it('follow a deposit from its opening to its end', async () => {
    const { clock, execute, rowsOf } = await openProjection(await databases.open())
    await execute({ type: 'openDeposit', at: clock.at, accountId: 1, amount: money(7_000_000n) })
    expect(await rowsOf('money_case')).toEqual([
      {
        id: 1n,
        kind: 'deposit',
        account_id: 1n,
        amount: 7_000_000n,
        fee: 0n,
        status: 'open',
        credited: 0n,
        opened_at: BigInt(clock.at),
        asked_by: null,
        asked_reason: '',
        ended_at: null,
        ended_by: null,
        ended_reason: '',
        payout: null,
        sent: null,
        arrived: null,
        approved_at: null,
        approved_by: null,
        paying_at: null,
        paying_by: null,
      },
    ])
    clock.at += MINUTE_MS
    const amount = money(6_000_000n)
    await execute({ type: 'endDeposit', at: clock.at, by, caseId: 1, outcome: 'finished', amount })
    expect(await rowsOf('money_case')).toMatchObject([
      { status: 'finished', amount: 7_000_000n, credited: 6_000_000n, ended_by: 1n, ended_reason: by.reason },
    ])
    expect(await rowsOf('transfer')).toMatchObject([{ kind: 'deposit', case_id: 1n, account_id: 1n }])
  })

  it('name the operators who requested and decided an adjustment, and the user who cancelled', async () => {
    const { clock, execute, rowsOf, deposit } = await openProjection(await databases.open())
    const { at } = clock
    await deposit(50_000_000n)
    await execute(
      { type: 'askAdjustment', at, by: operatorOf(2), accountId: 1, amount: money(5n) },
      { type: 'endAdjustment', at, by, caseId: 2, outcome: 'approved' },
      { type: 'requestWithdrawal', at, accountId: 1, amount: money(9n), fee: money(1n) },
      { type: 'cancelWithdrawal', at, accountId: 1, caseId: 3 },
    )
    expect((await rowsOf('money_case')).slice(1)).toMatchObject([
      { kind: 'adjustment', status: 'approved', asked_by: 2n, asked_reason: by.reason, ended_by: 1n },
      { kind: 'withdrawal', status: 'cancelled', fee: 1n, ended_by: null, ended_reason: '' },
    ])
    expect((await rowsOf('transfer')).map(({ kind }) => kind)).toEqual([
      'deposit',
      'adjustment',
      'withdrawalHeld',
      'withdrawalReleased',
    ])
  })

  it('keep every action of an operator, with its reason and both operators', async () => {
    const { clock, execute, rowsOf } = await openProjection(await databases.open())
    const { at } = clock
    await execute(action({ type: 'setAccountStatus', at, by, accountId: 1, status: 'frozen' }))
    await execute(action({ type: 'setTradingMode', at, by: operatorOf(3), mode: 'cancelOnly' }))
    const act = { at: BigInt(at), role: 'administrator', reason: by.reason }
    expect(await rowsOf('operator_act')).toEqual([
      {
        ...act,
        id: 1n,
        journal_seq: 3n,
        operator_id: 1n,
        second_id: 2n,
        second_role: 'finance',
        account_id: 1n,
        event: 'accountStatusSet',
      },
      {
        ...act,
        id: 2n,
        journal_seq: 4n,
        operator_id: 3n,
        second_id: null,
        second_role: null,
        account_id: null,
        event: 'tradingModeSet',
      },
    ])
    expect(await rowsOf('account')).toMatchObject([{ status: 'frozen', status_reason: by.reason }])
    await execute(action({ type: 'setAccountStatus', at, by, accountId: 1, status: 'active' }))
    expect(await rowsOf('account')).toMatchObject([{ status: 'active', status_reason: '' }])
  })

  it('show a change of terms from its announcement to its effect or withdrawal', async () => {
    const { clock, execute, rowsOf, state } = await openProjection(await databases.open())
    const { at } = clock
    const change = { kind: 'settings' as const, settings: { ...state().settings, warningLevel: 120 } }
    const seeded = (await rowsOf('terms_change')).length
    const newest = async () => (await rowsOf('terms_change')).slice(seeded)
    await execute({ type: 'setTerms', at, by, effectiveAt: at + HOUR_MS, change })
    await execute({ type: 'setTerms', at, by, effectiveAt: at + 2 * HOUR_MS, change })
    const announced = { kind: 'settings', subject: '', in_effect_at: null, version: null, withdrawn_at: null }
    expect(await newest()).toMatchObject([announced, announced])
    await execute({ type: 'withdrawTerms', at, by, changeId: seeded + 2 })
    clock.at += HOUR_MS + MINUTE_MS
    await execute({ type: 'clock', at: clock.at })
    expect(await newest()).toMatchObject([
      { in_effect_at: BigInt(clock.at), version: BigInt(seeded + 1), reason: by.reason, withdrawn_at: null },
      { in_effect_at: null, version: null, withdrawn_at: BigInt(at) },
    ])
    expect(state().termsVersion).toBe(seeded + 1)
  })

  it('record the prices of every hour once, and one that a rollover has waited for', async () => {
    const { clock, execute, rowsOf, deposit, state } = await openProjection(await databases.open())
    await deposit(100_000_000n)
    const tick = (id: number, bid: number) =>
      execute({ type: 'tick', at: clock.at, quote: quoteOf(id, bid, clock.at, 5) })
    await tick(1, 108_469)
    await tick(3, 130_120)
    await execute(order(clock.at))
    // 17:10 in New York; one price is missing, as after a start.
    clock.at = Date.UTC(2026, 0, 5, 22, 10)
    state().quotes.delete(1)
    await execute({ type: 'clock', at: clock.at }, { type: 'clock', at: clock.at })
    const moment = BigInt(Date.UTC(2026, 0, 5, 22))
    const later = { moment, instrument_id: 3n, bid: 130_120n, ask: 130_123n, seq: 5n, source: 'test' }
    expect(await rowsOf('price_mark')).toMatchObject([later])
    expect(await rowsOf('night')).toMatchObject([{ rollover: moment, ended_at: null }])
    await tick(1, 108_479)
    expect(await rowsOf('price_mark')).toMatchObject([
      { moment, instrument_id: 1n, bid: 108_479n, received_at: BigInt(clock.at) },
      later,
    ])
    expect(await rowsOf('price_moment')).toEqual([{ moment, told_at: BigInt(clock.at) }])
    await execute({ type: 'clock', at: clock.at })
    expect(await rowsOf('night')).toMatchObject([{ rollover: moment, ended_at: BigInt(clock.at) }])
    // The booking is dated with the rollover.
    expect((await rowsOf('transfer')).at(-1)).toMatchObject({ kind: 'swap', at: moment })
  })

  it('keep the last position of a trailing stop, however often it moved', async () => {
    const { clock, execute, queries, caughtUp, deposit } = await openProjection(await databases.open())
    await deposit(100_000_000n)
    const at = clock.at
    const tick = (bid: number): Command => ({ type: 'tick', at, quote: quoteOf(1, bid, at, bid) })
    const trail = { type: 'setTrailing' as const, at, accountId: 1, orderId: 1, distance: price(20) }
    const stop = async () => {
      await caughtUp()
      const row = await queries.selectFrom('trade_order').selectAll().executeTakeFirstOrThrow()
      return [row.stop_loss, row.trailing_distance]
    }
    await execute(tick(108_469), order(at), trail, tick(108_480), tick(108_490))
    expect(await stop()).toEqual([108_470n, 20n])
    await execute(tick(108_500))
    await execute(tick(108_510))
    expect(await stop()).toEqual([108_490n, 20n])
    const stops = { type: 'setStops' as const, at, accountId: 1, orderId: 1, takeProfit: null }
    await execute(tick(108_520), { ...stops, stopLoss: price(108_400) })
    expect(await stop()).toEqual([108_400n, null])
  })

  it('keep the digest of a request and its journal row', async () => {
    const { clock, execute, queries, caughtUp } = await openProjection(await databases.open())
    const request = { accountId: 1, call: 'deposit', id: 'a', digest: 'd' }
    await execute({ type: 'openDeposit', at: clock.at, accountId: 1, amount: money(5n), request })
    await caughtUp()
    expect(await queries.selectFrom('request').selectAll().execute()).toEqual([
      {
        account_id: 1n,
        call: 'deposit',
        request_id: 'a',
        digest: 'd',
        at: BigInt(clock.at),
        journal_seq: 3n,
      },
    ])
  })

  it('drop expired requests, thousands at once', async () => {
    const database = await databases.open()
    const { clock, execute, queries, caughtUp } = await openProjection(database)
    const old = Array.from({ length: 6_000 }, (_, index) => ({
      account_id: 1,
      call: 'old',
      request_id: String(index),
      digest: '',
      at: index,
      journal_seq: 1,
    }))
    await queries
      .transaction()
      .execute((transaction) =>
        database.writeRows(transaction, { table: 'request', action: 'insert', key: [], rows: old }),
      )
    const deposit = async (id: string) => {
      const request = { accountId: 1, call: 'deposit', id, digest: 'd' }
      await execute({ type: 'openDeposit', at: clock.at, accountId: 1, amount: money(5n), request })
      await caughtUp()
      return (await queries.selectFrom('request').select('at').execute()).length
    }
    expect(await deposit('a')).toBe(1_001)
    expect(await deposit('b')).toBe(2)
  })
})
