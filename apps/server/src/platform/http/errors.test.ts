import { expect, inject, test } from 'vitest'
import pg from 'pg'
import { isDatabaseAway } from './errors.ts'

const failureOf = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => Promise.reject(new Error('it did not fail')),
    (error: Error) => error,
  )

/** Only PostgreSQL ends sessions; a run without it reports that once, at its start. */
test.runIf(inject('postgresUrl') !== null)(
  'a session that PostgreSQL has ended, during a statement or before it, counts as an unavailable database',
  async () => {
    const connectionString = inject('postgresUrl') ?? ''
    const [victim, killer] = [new pg.Client({ connectionString }), new pg.Client({ connectionString })]
    // The client reports the end more than once: first the server's message, then the closed connection.
    victim.on('error', () => undefined)
    await Promise.all([victim.connect(), killer.connect()])
    // The server's word that it ends the session, and then, at times, that the connection ended: an `error` that nobody
    // hears would end the whole run.
    const hasBroken = new Promise((resolve) => victim.on('error', resolve))
    const { rows } = await victim.query<{ pid: number }>('select pg_backend_pid() as pid')
    const during = failureOf(victim.query('select pg_sleep(60)'))
    await killer.query('select pg_terminate_backend($1)', [rows[0]?.pid])
    expect(isDatabaseAway(await during)).toBe(true)
    await hasBroken
    const after = await failureOf(victim.query('select 1'))
    expect(after.message).toMatch(/not queryable/)
    expect(isDatabaseAway(after)).toBe(true)
    await killer.end()
    expect(isDatabaseAway(await failureOf(killer.query('select 1')))).toBe(true)
  },
)

test('an internal error does not', () => {
  expect(isDatabaseAway(new TypeError('x is not a function'))).toBe(false)
})
