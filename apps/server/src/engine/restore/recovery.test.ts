import { price } from '@fairlot/core'
import { Client } from 'pg'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { DatabasePlace, LineTerms } from '../../database/open.ts'
import { withFaults, type Fault } from '../../testing/faulty-database.ts'
import { ledgerFaults } from '../../../../../testing/ledger-faults.ts'
import { everyDatabase, type Databases } from '../../testing/on-every-database.ts'
import { describeState } from '../state-hash.ts'
import { isUnavailable, type Answer } from '../engine.ts'
import { findBrokenLink } from '../journal/journal.ts'
import { marketOrder, orderIdOf, quoteAt } from '../../../../../testing/test-world.ts'
import { openFloor, type Floor } from '../../testing/trading-floor.ts'

type OnFault = { onError?: (faults: Set<Fault>) => void }

async function openFaultyFloor(databases: Databases, { onError }: OnFault = {}) {
  const { database, faults } = withFaults(await databases.open())
  const failure = Promise.withResolvers<void>()
  const floor = await openFloor(database, {
    onError: () => {
      failure.resolve()
      onError?.(faults)
    },
  })
  const account = await floor.openAccount()
  await floor.tick(108_469)
  return { ...floor, database, faults, account, failed: failure.promise }
}

/** Resolves when the engine takes orders again. */
async function ready(floor: Pick<Floor, 'engine'>): Promise<void> {
  while (!floor.engine.isReady()) await new Promise((resolve) => setImmediate(resolve))
}

/** Resolves when the engine has noticed that the database is away. */
async function away(floor: Pick<Floor, 'engine'>): Promise<void> {
  while (floor.engine.isReady()) await new Promise((resolve) => setImmediate(resolve))
}

/** Asks by the same request until it is known what became of it, as a client would. */
async function insist(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await ask()
    if (!isUnavailable(answer)) return answer
    await new Promise((resolve) => setImmediate(resolve))
  }
}

describe.each(everyDatabase)('recovery, $kind', (databases) => {
  it('forgets what a failed commit would have changed, and says that it is not known to have happened', async () => {
    const floor = await openFaultyFloor(databases)
    const before = describeState(floor.engine.core())
    const told: unknown[] = []
    floor.engine.onCommitted((change) => told.push(change))
    floor.faults.add('beforeCommit')
    const answers = await Promise.all([1, 2, 3].map(() => floor.engine.execute(marketOrder(floor.account))))
    expect(answers.every(isUnavailable)).toBe(true)
    await ready(floor)
    expect(describeState(floor.engine.core())).toBe(before)
    expect(told).toEqual([])
    floor.faults.clear()
    expect(orderIdOf(await floor.engine.execute(marketOrder(floor.account)))).toBe(1)
    expect(floor.errors).toEqual(['committing to the journal: Error: the connection broke'])
  })

  it('lets those who wait for the tables wait for those of the new memory', async () => {
    const floor = await openFaultyFloor(databases)
    floor.faults.add('tables')
    const orderId = orderIdOf(await floor.engine.execute(marketOrder(floor.account)))
    const row = () =>
      floor.database.queries
        .selectFrom('trade_order')
        .select('id')
        .where('id', '=', BigInt(orderId))
        .execute()
    const found = floor.engine.caughtUp().then(row)
    floor.faults.add('beforeCommit')
    expect(isUnavailable(await floor.engine.execute(marketOrder(floor.account)))).toBe(true)
    floor.faults.clear()
    expect(await found).toEqual([{ id: BigInt(orderId) }])
  })

  it('remembers which tick has filled a position, for that tick may be decided again', async () => {
    const floor = await openFaultyFloor(databases)
    const orderId = orderIdOf(await floor.engine.execute(marketOrder(floor.account)))
    await floor.engine.caughtUp()
    const openedSeq = () => floor.engine.state().orders.get(orderId)?.openedSeq
    expect(openedSeq()).toBe(1)
    floor.faults.add('beforeCommit')
    expect(isUnavailable(await floor.engine.execute(marketOrder(floor.account)))).toBe(true)
    floor.faults.clear()
    await ready(floor)
    expect(openedSeq()).toBe(1)
  })

  it('gives the true answer when only the word of the commit was lost', async () => {
    const floor = await openFaultyFloor(databases)
    const told: unknown[] = []
    floor.engine.onCommitted(({ entry }) => told.push(entry))
    floor.faults.add('afterCommit')
    const answers = await Promise.all([1, 2, 3].map(() => floor.engine.execute(marketOrder(floor.account))))
    floor.faults.clear()
    expect(answers.map(orderIdOf)).toEqual([1, 2, 3])
    expect(told).toHaveLength(3)
    expect([...floor.engine.state().orders.keys()]).toEqual([1, 2, 3])
    await floor.engine.caughtUp()
    expect(await floor.database.queries.selectFrom('trade_order').select('id').execute()).toHaveLength(3)
  })

  it('keeps the last prices through a recovery', async () => {
    const floor = await openFaultyFloor(databases)
    floor.faults.add('beforeCommit')
    await floor.engine.execute(marketOrder(floor.account))
    await ready(floor)
    expect(floor.engine.state().quotes.get(1)?.bid).toBe(108_469)
  })

  it('refuses at once while the database is away, and then keeps what it had decided, and every price that came', async () => {
    const floor = await openFaultyFloor(databases)
    const stop = marketOrder(floor.account, { stopLoss: price(108_400) })
    await floor.engine.execute(stop)
    floor.faults.add('everything')
    const underWay = floor.engine.execute(marketOrder(floor.account))
    await away(floor)
    expect(isUnavailable(await floor.engine.execute(marketOrder(floor.account)))).toBe(true)
    const closed = new Promise((resolve) => {
      floor.engine.onCommitted(({ entry: { events } }) => {
        if (events[0]?.type === 'positionClosed') resolve(events[0])
      })
    })
    const seen: number[] = []
    floor.engine.onQuote((quote) => seen.push(quote.seq))
    floor.engine.tick(quoteAt(108_450, floor.clock.at, 2))
    floor.engine.tick(quoteAt(108_390, floor.clock.at, 3))
    floor.faults.clear()
    expect(orderIdOf(await underWay)).toBe(2)
    expect(await closed).toMatchObject({ type: 'positionClosed', closePrice: 108_390 })
    expect(seen).toEqual([2, 3])
  })

  it('fires again what a failed commit had fired, and tells of the price once', async () => {
    const floor = await openFaultyFloor(databases)
    await floor.engine.execute(marketOrder(floor.account, { stopLoss: price(108_400) }))
    const seen: number[] = []
    floor.engine.onQuote((quote) => seen.push(quote.bid))
    const closed = new Promise((resolve) => {
      floor.engine.onCommitted(({ entry }) => resolve(entry.events[0]))
    })
    floor.faults.add('beforeCommit')
    floor.engine.tick(quoteAt(108_390, floor.clock.at, 2))
    await floor.failed
    floor.engine.tick(quoteAt(108_450, floor.clock.at, 3))
    floor.faults.clear()
    expect(await closed).toMatchObject({ type: 'positionClosed', closePrice: 108_390 })
    await floor.tick(108_460)
    expect(seen).toEqual([108_390, 108_450, 108_460])
  })

  it('answers within five seconds while the database is away, and serves again when it is back', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const floor = await openFaultyFloor(databases)
    floor.faults.add('everything')
    const request = { accountId: floor.account, call: 'submit', id: 'first', digest: '' }
    const ask = () => floor.engine.execute(marketOrder(floor.account, { request }))
    const answer = ask()
    await away(floor)
    vi.advanceTimersByTime(5_000)
    expect(isUnavailable(await answer)).toBe(true)
    floor.faults.clear()
    await ready(floor)
    expect(await ask()).toMatchObject({ repeatOf: expect.any(Number) })
  })

  it('stops while the database is away', async () => {
    const floor = await openFaultyFloor(databases)
    floor.faults.add('everything')
    const answer = floor.engine.execute(marketOrder(floor.account))
    await floor.failed
    await floor.engine.stop()
    expect(isUnavailable(await answer)).toBe(true)
  })

  it('rebuilds the memory when deciding itself fails', async () => {
    const floor = await openFaultyFloor(databases)
    const before = describeState(floor.engine.core())
    const broken = { ...marketOrder(floor.account), type: 'nonsense' } as never
    const answers = await Promise.all([
      floor.engine.execute(marketOrder(floor.account)),
      floor.engine.execute(broken),
    ])
    expect(answers.every(isUnavailable)).toBe(true)
    await ready(floor)
    expect(describeState(floor.engine.core())).toBe(before)
  })

  it('a second engine on the database steps down, in a sentence, when it meets a row of the first', async () => {
    const place = await databases.place()
    const database = await databases.open(place)
    const reasons: string[] = []
    const one = await openFloor(database)
    const two = await openFloor(await databases.open(place), {
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

  it('steps down rather than go on with a memory rebuilt from the rows of another program', async () => {
    const place = await databases.place()
    const one = await openFloor(await databases.open(place))
    const account = await one.openAccount()
    const reasons: string[] = []
    const two = await openFloor(await databases.open(place), {
      onSteppedDown: (reason) => reasons.push(reason),
    })
    await one.openAccount()
    await two.engine.execute({ ...marketOrder(account), type: 'nonsense' } as never)
    expect(two.engine.isReady()).toBe(false)
    await expect.poll(() => reasons).toHaveLength(1)
  })

  it('appends again what failed while the database still answers, and nobody notices', async () => {
    const floor = await openFaultyFloor(databases, { onError: (faults) => faults.clear() })
    const before = floor.engine.state()
    floor.faults.add('beforeCommit')
    const [order, seen] = await Promise.all([
      floor.engine.execute(marketOrder(floor.account)),
      floor.engine.read(({ orders }) => orders.size),
    ])
    expect(orderIdOf(order)).toBe(1)
    expect(seen).toBe(0)
    expect(floor.engine.state()).toBe(before)
    expect(floor.errors).toEqual(['committing to the journal: Error: the connection broke'])
  })

  it('shows nothing that a commit under way may lose', async () => {
    const floor = await openFaultyFloor(databases)
    floor.faults.add('everything')
    const answer = floor.engine.execute(marketOrder(floor.account))
    await expect.poll(() => floor.engine.state().orders.size).toBe(1)
    const seen = floor.engine.read(({ orders }) => orders.size)
    await floor.engine.stop()
    expect(isUnavailable(await answer)).toBe(true)
    expect(isUnavailable(await seen)).toBe(true)
  })

  it('shows what a commit under way changes once it is there', async () => {
    const seen = Promise.withResolvers<unknown>()
    const floor = await openFaultyFloor(databases, {
      onError: (faults) => {
        faults.clear()
        expect(floor.engine.state().orders.size).toBe(1)
        seen.resolve(floor.engine.read(({ orders }) => orders.size))
      },
    })
    floor.faults.add('beforeCommit')
    void floor.engine.execute(marketOrder(floor.account))
    expect(await seen.promise).toBe(1)
  })

  if (databases.kind === 'sqlite') return

  it('counts a commit that hangs as failed, and finds out what became of it', async () => {
    const place = await databases.place()
    const database = await databases.open(place)
    const hasty = {
      ...database,
      openLine: (terms: LineTerms) => database.openLine({ ...terms, timeoutMs: 200 }),
    }
    const floor = await openFloor(hasty)
    const account = await floor.openAccount()
    await floor.tick(108_469)
    const other = new Client({ connectionString: place.databaseUrl ?? '' })
    await other.connect()
    await other.query('begin; lock table journal in exclusive mode')
    expect(isUnavailable(await floor.engine.execute(marketOrder(account)))).toBe(true)
    await other.end()
    await ready(floor)
    const ask = () => floor.engine.execute(marketOrder(account))
    expect(orderIdOf(await insist(ask))).toBe(1)
    expect(floor.engine.state().orders.size).toBe(1)
  })

  it('outlives connections that are cut at any moment', async () => {
    const place = await databases.place()
    const database = await databases.open(place)
    const floor = await openFloor(database)
    const account = await floor.openAccount()
    await floor.tick(108_469)
    const cut = await cutter(place)
    const ids: number[] = []
    const trade = async (trader: number) => {
      for (let order = 0; order < 12 || floor.errors.length === 0; order += 1) {
        const request = { accountId: account, call: 'submit', id: `${trader} ${order}`, digest: '' }
        ids.push(orderIdOf(await insist(() => floor.engine.execute(marketOrder(account, { request })))))
        if (trader === 0 && order % 4 === 2) await cut.all()
      }
    }
    await Promise.all(Array.from({ length: 8 }, (_, trader) => trade(trader)))
    await cut.end()
    const expected = ids.toSorted((a, b) => a - b)
    expect(expected).toEqual(ids.map((_, index) => index + 1))
    expect([...floor.engine.state().orders.keys()].toSorted((a, b) => a - b)).toEqual(expected)
    await floor.engine.caughtUp()
    const { queries } = await databases.open(place)
    const rows = await queries.selectFrom('trade_order').select('id').orderBy('id').execute()
    expect(rows.map((row) => Number(row.id))).toEqual(expected)
    expect(await ledgerFaults(queries)).toEqual([])
    expect(await findBrokenLink(queries)).toBeNull()
  })
})

/** Cuts every connection to a database but its own. */
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
