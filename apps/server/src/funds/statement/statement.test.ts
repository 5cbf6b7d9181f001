import { isRejection, money, NO_MONEY, type Money } from '@fairlot/core'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../../../testing/random.ts'
import { accountIdOf, START_OF_TEST, TEST_OPERATOR } from '../../../../../testing/test-world.ts'
import { everyDatabase } from '../../testing/on-every-database.ts'
import { openTraders } from '../../testing/random-commands.ts'
import { createHarness, type Harness } from '../../testing/engine-harness.ts'
import { balanceHistory, type Holdings } from '../movements.ts'
import { addedTo, type Statement, statementOf } from './statement.ts'

const HOUR_MS = 3_600_000
const ROWS_MAX = 10_000
const NOTHING: Holdings = { available: NO_MONEY, frozen: NO_MONEY }
const usd = (whole: number): Money => money(BigInt(whole) * 1_000_000n)

/** Deposits, requests, pays and rejects withdrawals at random. */
function createPayer({ engine }: Harness, accountId: number, seed: number): () => Promise<void> {
  const random = createRandom(seed)
  const by = TEST_OPERATOR
  const open: number[] = []
  return async () => {
    const caseId = random.oneIn(2) ? open.shift() : undefined
    if (caseId !== undefined) {
      const outcome = random.oneIn(3) ? 'rejected' : 'paid'
      await engine.execute({ type: 'endWithdrawal', caseId, outcome, by })
      return
    }
    const amount = usd(random.int(50, 900))
    const form = { accountId, amount } as const
    const answer = await engine.execute(
      random.oneIn(2)
        ? { type: 'openDeposit', ...form }
        : { type: 'requestWithdrawal', ...form, fee: usd(2) },
    )
    if (isRejection(answer) || !('entry' in answer)) return
    const [event] = answer.entry.events
    if (event?.type === 'depositOpened')
      await engine.execute({ type: 'endDeposit', caseId: event.caseId, outcome: 'finished', amount, by })
    if (event?.type === 'withdrawalHeld') open.push(event.caseId)
  }
}

/** Checks that a statement's totals follow from its rows. */
function expectConsistent({ opening, closing, movements, sums, from, to }: Statement): void {
  const change = movements.reduce((sum, each) => addedTo(sum, each.change), NOTHING)
  expect(addedTo(opening, change)).toEqual(closing)
  expect([...sums.values()].reduce(addedTo, NOTHING)).toEqual(change)
  let after = opening
  for (const movement of movements) {
    after = addedTo(after, movement.change)
    expect(movement.after).toEqual(after)
    expect(movement.at >= from && movement.at < to).toBe(true)
    if (movement.orderId !== null) expect(movement).not.toMatchObject({ receipt: null })
  }
}

describe.each(everyDatabase)('statements, $kind', (databases) => {
  it('contain every ledger row once, and each begins with the closing of the one before', async () => {
    const { queries, ...database } = await databases.open()
    const harness = await createHarness({ queries, ...database })
    const { engine, clock } = harness
    const traders = await openTraders(harness, 33)
    const real = accountIdOf(await engine.execute({ type: 'openAccount', ledger: 'real' }))
    const pay = createPayer(harness, real, 7)
    // Past the rollover, so that swaps are booked, also after rows of a later date.
    for (let hour = 0; hour < 12; hour += 1) {
      for (let step = 0; step < 5; step += 1) {
        await traders.step()
        await pay()
      }
      clock.at = Math.floor(clock.at / HOUR_MS + 1) * HOUR_MS + 5_000
    }
    await traders.step()
    await engine.caughtUp()
    expect(harness.errors).toEqual([])

    const random = createRandom(11)
    const rows = await queries.selectFrom('transfer').selectAll().orderBy('id').execute()
    const seenKinds = new Set<string>()
    for (const { id, available, frozen } of engine.state().accounts.values()) {
      const cuts = Array.from({ length: 7 }, () => START_OF_TEST + random.below(13 * HOUR_MS))
      const ends = [0, ...cuts.toSorted((a, b) => a - b), clock.at + 1]
      let held = NOTHING
      const ids: number[] = []
      const positions: number[] = []
      for (const [place, from] of ends.slice(0, -1).entries()) {
        const to = ends[place + 1] ?? 0
        const statement = await statementOf(queries, id, { from, to, rowsMax: ROWS_MAX })
        if (!statement) throw new Error('no statement')
        expectConsistent(statement)
        expect(statement.opening).toEqual(held)
        held = statement.closing
        ids.push(...statement.movements.map((movement) => movement.id))
        positions.push(...statement.positions.map(({ order }) => order.id))
        for (const { kind } of statement.movements) seenKinds.add(kind)
        const span = { from: START_OF_TEST - 1, to }
        if (to > span.from)
          expect((await balanceHistory(queries, id, span)).at(-1)?.balance).toBe(held.available)
      }
      expect(held).toEqual({ available: available.balance, frozen: frozen.balance })
      const own = rows.filter((row) => row.account_id === BigInt(id))
      expect(ids.toSorted((a, b) => a - b)).toEqual(own.map((row) => Number(row.id)))
      const closed = await queries
        .selectFrom('trade_order')
        .select('id')
        .where('account_id', '=', BigInt(id))
        .where('status', '=', 'closed')
        .execute()
      expect(positions.toSorted((a, b) => a - b)).toEqual(
        closed.map((row) => Number(row.id)).toSorted((a, b) => a - b),
      )
    }
    expect([...seenKinds].toSorted()).toEqual([
      'demoIssue',
      'demoReset',
      'deposit',
      'fee',
      'result',
      'swap',
      'withdrawalFee',
      'withdrawalHeld',
      'withdrawalPaid',
      'withdrawalReleased',
    ])
  })

  it('are null beyond the most rows, and empty for an unknown account', async () => {
    const database = await databases.open()
    const harness = await createHarness(database)
    const id = await harness.openAccount()
    await harness.engine.caughtUp()
    const all = { from: 0, to: harness.clock.at + 1 }
    expect(await statementOf(database.queries, id, { ...all, rowsMax: 0 })).toBeNull()
    expect((await statementOf(database.queries, id, { ...all, rowsMax: 1 }))?.movements).toHaveLength(1)
    expect(await statementOf(database.queries, 99, { ...all, rowsMax: 1 })).toMatchObject({
      opening: NOTHING,
      closing: NOTHING,
      movements: [],
      positions: [],
    })
  })
})
