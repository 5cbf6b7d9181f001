import { price } from '@fairlot/core'
import { Client } from 'pg'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { DatabasePlace, ConnectionOptions } from '../../platform/database/open.ts'
import { withFaults, type Fault } from '../../testing/faulty-database.ts'
import { ledgerFaults } from '../../../../../testing/ledger-faults.ts'
import { everyDatabase, type Databases } from '../../testing/on-every-database.ts'
import { describeState } from '../state-hash.ts'
import { isUnavailable, type Answer } from '../engine.ts'
import { findBrokenLink } from '../journal/journal.ts'
import { marketOrder, orderIdOf, quoteAt } from '../../../../../testing/test-world.ts'
import { createHarness, type Harness } from '../../testing/engine-harness.ts'

type OnFault = { onError?: (faults: Set<Fault>) => void }

async function openFaultyHarness(databases: Databases, { onError }: OnFault = {}) {
  const { database, faults } = withFaults(await databases.open())
  const failure = Promise.withResolvers<void>()
  const harness = await createHarness(database, {
    onError: () => {
      failure.resolve()
      onError?.(faults)
    },
  })
  const account = await harness.openAccount()
  await harness.tick(108_469)
  return { ...harness, database, faults, account, failed: failure.promise }
}

/** Resolves when the engine accepts orders again. */
async function ready(harness: Pick<Harness, 'engine'>): Promise<void> {
  while (!harness.engine.isReady()) await new Promise((resolve) => setImmediate(resolve))
}

/** Resolves when the engine has noticed that the database is unreachable. */
async function away(harness: Pick<Harness, 'engine'>): Promise<void> {
  while (harness.engine.isReady()) await new Promise((resolve) => setImmediate(resolve))
}

/** Repeats a request until its outcome is known, as a client would. */
async function repeatUntilKnown(submit: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await submit()
    if (!isUnavailable(answer)) return answer
    await new Promise((resolve) => setImmediate(resolve))
  }
}

describe.each(everyDatabase)('recovery, $kind', (databases) => {
  it('drops the changes of a failed commit, and answers that its outcome is unknown', async () => {
    const harness = await openFaultyHarness(databases)
    const before = describeState(harness.engine.core())
    const published: unknown[] = []
    harness.engine.onCommitted((change) => published.push(change))
    harness.faults.add('beforeCommit')
    const answers = await Promise.all(
      [1, 2, 3].map(() => harness.engine.execute(marketOrder(harness.account))),
    )
    expect(answers.every(isUnavailable)).toBe(true)
    await ready(harness)
    expect(describeState(harness.engine.core())).toBe(before)
    expect(published).toEqual([])
    harness.faults.clear()
    expect(orderIdOf(await harness.engine.execute(marketOrder(harness.account)))).toBe(1)
    expect(harness.errors).toEqual(['committing to the journal: Error: the connection broke'])
  })

  it('keeps readers of the tables waiting until the rebuilt memory has written them', async () => {
    const harness = await openFaultyHarness(databases)
    harness.faults.add('tables')
    const orderId = orderIdOf(await harness.engine.execute(marketOrder(harness.account)))
    const row = () =>
      harness.database.queries
        .selectFrom('trade_order')
        .select('id')
        .where('id', '=', BigInt(orderId))
        .execute()
    const found = harness.engine.caughtUp().then(row)
    harness.faults.add('beforeCommit')
    expect(isUnavailable(await harness.engine.execute(marketOrder(harness.account)))).toBe(true)
    harness.faults.clear()
    expect(await found).toEqual([{ id: BigInt(orderId) }])
  })

  it('remembers which tick has filled a position, as that tick may be decided again', async () => {
    const harness = await openFaultyHarness(databases)
    const orderId = orderIdOf(await harness.engine.execute(marketOrder(harness.account)))
    await harness.engine.caughtUp()
    const openedSeq = () => harness.engine.state().orders.get(orderId)?.openedSeq
    expect(openedSeq()).toBe(1)
    harness.faults.add('beforeCommit')
    expect(isUnavailable(await harness.engine.execute(marketOrder(harness.account)))).toBe(true)
    harness.faults.clear()
    await ready(harness)
    expect(openedSeq()).toBe(1)
  })

  it('gives the true answer when only the answer to the commit was lost', async () => {
    const harness = await openFaultyHarness(databases)
    const published: unknown[] = []
    harness.engine.onCommitted(({ entry }) => published.push(entry))
    harness.faults.add('afterCommit')
    const answers = await Promise.all(
      [1, 2, 3].map(() => harness.engine.execute(marketOrder(harness.account))),
    )
    harness.faults.clear()
    expect(answers.map(orderIdOf)).toEqual([1, 2, 3])
    expect(published).toHaveLength(3)
    expect([...harness.engine.state().orders.keys()]).toEqual([1, 2, 3])
    await harness.engine.caughtUp()
    expect(await harness.database.queries.selectFrom('trade_order').select('id').execute()).toHaveLength(3)
  })

  it('reads the journal over another connection, even if the broken one cannot be closed', async () => {
    const harness = await openFaultyHarness(databases)
    harness.faults.add('afterCommit').add('closing')
    const answer = await harness.engine.execute(marketOrder(harness.account))
    harness.faults.clear()
    expect(orderIdOf(answer)).toBe(1)
    expect([...harness.engine.state().orders.keys()]).toEqual([1])
  })

  it('keeps the last prices through a recovery', async () => {
    const harness = await openFaultyHarness(databases)
    harness.faults.add('beforeCommit')
    await harness.engine.execute(marketOrder(harness.account))
    await ready(harness)
    expect(harness.engine.state().quotes.get(1)?.bid).toBe(108_469)
  })

  it('refuses at once while the database is unreachable, then commits what it had decided, and every tick since', async () => {
    const harness = await openFaultyHarness(databases)
    const stop = marketOrder(harness.account, { stopLoss: price(108_400) })
    await harness.engine.execute(stop)
    harness.faults.add('everything')
    const inProgress = harness.engine.execute(marketOrder(harness.account))
    await away(harness)
    expect(isUnavailable(await harness.engine.execute(marketOrder(harness.account)))).toBe(true)
    const closed = new Promise((resolve) => {
      harness.engine.onCommitted(({ entry: { events } }) => {
        if (events[0]?.type === 'positionClosed') resolve(events[0])
      })
    })
    const seen: number[] = []
    harness.engine.onQuote((quote) => seen.push(quote.seq))
    harness.engine.tick(quoteAt(108_450, harness.clock.at, 2))
    harness.engine.tick(quoteAt(108_390, harness.clock.at, 3))
    harness.faults.clear()
    expect(orderIdOf(await inProgress)).toBe(2)
    expect(await closed).toMatchObject({ type: 'positionClosed', closePrice: 108_390 })
    expect(seen).toEqual([2, 3])
  })

  it('triggers again what a failed commit had triggered, and publishes the price once', async () => {
    const harness = await openFaultyHarness(databases)
    await harness.engine.execute(marketOrder(harness.account, { stopLoss: price(108_400) }))
    const seen: number[] = []
    harness.engine.onQuote((quote) => seen.push(quote.bid))
    const closed = new Promise((resolve) => {
      harness.engine.onCommitted(({ entry }) => resolve(entry.events[0]))
    })
    harness.faults.add('beforeCommit')
    harness.engine.tick(quoteAt(108_390, harness.clock.at, 2))
    await harness.failed
    harness.engine.tick(quoteAt(108_450, harness.clock.at, 3))
    harness.faults.clear()
    expect(await closed).toMatchObject({ type: 'positionClosed', closePrice: 108_390 })
    await harness.tick(108_460)
    expect(seen).toEqual([108_390, 108_450, 108_460])
  })

  it('answers within five seconds while the database is unreachable, and resumes when it is back', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const harness = await openFaultyHarness(databases)
    harness.faults.add('everything')
    const request = { accountId: harness.account, call: 'submit', id: 'first', digest: '' }
    const submit = () => harness.engine.execute(marketOrder(harness.account, { request }))
    const answer = submit()
    await away(harness)
    vi.advanceTimersByTime(5_000)
    expect(isUnavailable(await answer)).toBe(true)
    harness.faults.clear()
    await ready(harness)
    expect(await submit()).toMatchObject({ repeatOf: expect.any(Number) })
  })

  it('stops while the database is unreachable', async () => {
    const harness = await openFaultyHarness(databases)
    harness.faults.add('everything')
    const answer = harness.engine.execute(marketOrder(harness.account))
    await harness.failed
    await harness.engine.stop()
    expect(isUnavailable(await answer)).toBe(true)
  })

  it('rebuilds the memory after an error in deciding', async () => {
    const harness = await openFaultyHarness(databases)
    const before = describeState(harness.engine.core())
    const broken = { ...marketOrder(harness.account), type: 'nonsense' } as never
    const answers = await Promise.all([
      harness.engine.execute(marketOrder(harness.account)),
      harness.engine.execute(broken),
    ])
    expect(answers.every(isUnavailable)).toBe(true)
    await ready(harness)
    expect(describeState(harness.engine.core())).toBe(before)
  })

  it('makes a second engine step down, with a message, when it meets a row of the first', async () => {
    const place = await databases.place()
    const database = await databases.open(place)
    const reasons: string[] = []
    const one = await createHarness(database)
    const two = await createHarness(await databases.open(place), {
      onSteppedDown: (reason) => reasons.push(reason),
    })
    const first = await one.openAccount()
    const refused = await two.engine.execute({ type: 'openAccount', ledger: 'demo' })
    expect(isUnavailable(refused)).toBe(true)
    expect(reasons).toEqual(['another program has written journal row 2, so this Fairlot writes no more'])
    expect(two.engine.isReady()).toBe(false)
    expect(isUnavailable(await two.engine.read(({ accounts }) => accounts.size))).toBe(true)
    expect(await one.openAccount()).toBe(first + 1)
    await one.engine.caughtUp()
    expect(await database.queries.selectFrom('account').select('id').execute()).toHaveLength(2)
    expect(await findBrokenLink(database.queries)).toBeNull()
  })

  it('steps down rather than continue from the rows of another program', async () => {
    const place = await databases.place()
    const one = await createHarness(await databases.open(place))
    const account = await one.openAccount()
    const reasons: string[] = []
    const two = await createHarness(await databases.open(place), {
      onSteppedDown: (reason) => reasons.push(reason),
    })
    await one.openAccount()
    await two.engine.execute({ ...marketOrder(account), type: 'nonsense' } as never)
    expect(two.engine.isReady()).toBe(false)
    await expect.poll(() => reasons).toHaveLength(1)
  })

  it('repeats an append that failed while the database still answers, unnoticed by callers', async () => {
    const harness = await openFaultyHarness(databases, { onError: (faults) => faults.clear() })
    const before = harness.engine.state()
    harness.faults.add('beforeCommit')
    const [order, seen] = await Promise.all([
      harness.engine.execute(marketOrder(harness.account)),
      harness.engine.read(({ orders }) => orders.size),
    ])
    expect(orderIdOf(order)).toBe(1)
    expect(seen).toBe(0)
    expect(harness.engine.state()).toBe(before)
    expect(harness.errors).toEqual(['committing to the journal: Error: the connection broke'])
  })

  it('shows nothing that a commit in progress may lose', async () => {
    const harness = await openFaultyHarness(databases)
    harness.faults.add('everything')
    const answer = harness.engine.execute(marketOrder(harness.account))
    await expect.poll(() => harness.engine.state().orders.size).toBe(1)
    const seen = harness.engine.read(({ orders }) => orders.size)
    await harness.engine.stop()
    expect(isUnavailable(await answer)).toBe(true)
    expect(isUnavailable(await seen)).toBe(true)
  })

  it('shows the changes of a commit in progress once it succeeded', async () => {
    const seen = Promise.withResolvers<unknown>()
    const harness = await openFaultyHarness(databases, {
      onError: (faults) => {
        faults.clear()
        expect(harness.engine.state().orders.size).toBe(1)
        seen.resolve(harness.engine.read(({ orders }) => orders.size))
      },
    })
    harness.faults.add('beforeCommit')
    void harness.engine.execute(marketOrder(harness.account))
    expect(await seen.promise).toBe(1)
  })

  if (databases.kind === 'sqlite') return

  it('counts a commit that hangs as failed, and reads its outcome', async () => {
    const place = await databases.place()
    const database = await databases.open(place)
    const hasty = {
      ...database,
      openConnection: (terms: ConnectionOptions) => database.openConnection({ ...terms, timeoutMs: 200 }),
    }
    const harness = await createHarness(hasty)
    const account = await harness.openAccount()
    await harness.tick(108_469)
    const other = new Client({ connectionString: place.databaseUrl ?? '' })
    await other.connect()
    await other.query('begin; lock table journal in exclusive mode')
    expect(isUnavailable(await harness.engine.execute(marketOrder(account)))).toBe(true)
    await other.end()
    await ready(harness)
    const submit = () => harness.engine.execute(marketOrder(account))
    expect(orderIdOf(await repeatUntilKnown(submit))).toBe(1)
    expect(harness.engine.state().orders.size).toBe(1)
  })

  it('survives connections that are cut at any time', async () => {
    const place = await databases.place()
    const database = await databases.open(place)
    const harness = await createHarness(database)
    const account = await harness.openAccount()
    await harness.tick(108_469)
    const cut = await cutter(place)
    const ids: number[] = []
    const trade = async (trader: number) => {
      for (let order = 0; order < 12 || harness.errors.length === 0; order += 1) {
        const request = { accountId: account, call: 'submit', id: `${trader} ${order}`, digest: '' }
        ids.push(
          orderIdOf(await repeatUntilKnown(() => harness.engine.execute(marketOrder(account, { request })))),
        )
        if (trader === 0 && order % 4 === 2) await cut.all()
      }
    }
    await Promise.all(Array.from({ length: 8 }, (_, trader) => trade(trader)))
    await cut.end()
    const expected = ids.toSorted((a, b) => a - b)
    expect(expected).toEqual(ids.map((_, index) => index + 1))
    expect([...harness.engine.state().orders.keys()].toSorted((a, b) => a - b)).toEqual(expected)
    await harness.engine.caughtUp()
    const { queries } = await databases.open(place)
    const rows = await queries.selectFrom('trade_order').select('id').orderBy('id').execute()
    expect(rows.map((row) => Number(row.id))).toEqual(expected)
    expect(await ledgerFaults(queries)).toEqual([])
    expect(await findBrokenLink(queries)).toBeNull()
  })
})

/** Cuts all connections to a database except its own. */
async function cutter(place: DatabasePlace): Promise<{ all(): Promise<void>; end(): Promise<void> }> {
  const client = new Client({ connectionString: place.databaseUrl ?? '' })
  await client.connect()
  return {
    all: async () => {
      await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
      )
    },
    end: () => client.end(),
  }
}
