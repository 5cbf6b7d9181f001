import { Client } from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { everyDatabase } from '../../testing/on-every-database.ts'
import { lockDatabase, InUse } from './lock.ts'
import type { DatabasePlace } from './open.ts'

const SHORT_PATIENCE_MS = 100
const OUR_LOCK = `locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`

async function lockFor(place: DatabasePlace, onLost: (reason: string) => void = () => undefined) {
  const lock = await lockDatabase(place, onLost, SHORT_PATIENCE_MS)
  onTestFinished(() => lock.release())
  return lock
}

describe.each(everyDatabase)('the lock of a database, $kind', (databases) => {
  it('is held by one program at a time until it is released', async () => {
    const place = await databases.place()
    const first = await lockFor(place)
    const second = lockDatabase(place, () => undefined, SHORT_PATIENCE_MS)
    await expect(second).rejects.toBeInstanceOf(InUse)
    await expect(second).rejects.toThrow(/^another Fairlot is running/)
    await first.release()
    await lockFor(place)
  })

  it('waits a short time for a program that is stopping', async () => {
    const place = await databases.place()
    const first = await lockFor(place)
    const second = lockDatabase(place, () => undefined)
    await first.release()
    await (await second).release()
  })

  it('does not block readers', async () => {
    const place = await databases.place()
    await lockFor(place)
    const { queries } = await databases.open(place)
    expect(await queries.selectFrom('journal').selectAll().execute()).toEqual([])
  })
})

describe.each(everyDatabase.filter(({ kind }) => kind === 'postgres'))(
  'a lost lock connection, $kind',
  (databases) => {
    it('is replaced and the lock taken again', async () => {
      const place = await databases.place()
      const lost: string[] = []
      await lockFor(place, (reason) => lost.push(reason))
      const client = await connect(place)
      const before = await holderOf(client)
      await client.query('select pg_terminate_backend($1)', [before])
      await expect.poll(() => holderOf(client)).not.toBe(before)
      await expect.poll(() => holderOf(client)).not.toBeNull()
      await expect(lockDatabase(place, () => undefined, SHORT_PATIENCE_MS)).rejects.toBeInstanceOf(InUse)
      expect(lost).toEqual([])
    })

    it('is reported when another program has taken the lock first', async () => {
      const place = await databases.place()
      const lost = Promise.withResolvers<string>()
      await lockFor(place, lost.resolve)
      const [client, other] = [await connect(place), await connect(place)]
      const pid = await holderOf(client)
      // It already waits for the lock, so it gets it before the program that has to reconnect.
      const taken = other.query(
        `select pg_advisory_lock(classid::bigint::int, objid::bigint::int) from pg_locks
       where locktype = 'advisory' and pid = $1`,
        [pid],
      )
      await expect.poll(() => isWaitedFor(client)).toBe(true)
      await client.query('select pg_terminate_backend($1)', [pid])
      await taken
      expect(await lost.promise).toMatch(/^another Fairlot has taken over this database/)
    })
  },
)

async function connect({ databaseUrl }: DatabasePlace): Promise<Client> {
  const client = new Client({ connectionString: databaseUrl ?? '' })
  await client.connect()
  onTestFinished(() => client.end().catch(() => undefined))
  return client
}

async function isWaitedFor(client: Client): Promise<boolean> {
  const { rows } = await client.query(`select from pg_locks where ${OUR_LOCK} and not granted`)
  return rows.length > 0
}

/** The session that holds the lock; null for none. */
async function holderOf(client: Client): Promise<number | null> {
  const { rows } = await client.query<{ pid: number }>(
    `select pid from pg_locks where ${OUR_LOCK} and granted`,
  )
  return rows[0]?.pid ?? null
}
