import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { createTestDatabase, PostgresMissing, type TestDatabase } from '../../testing/test-database.ts'
import { Missing } from '../measurement.ts'

const execute = promisify(execFile)

const SCALE = 10
const CLIENTS = 32

/**
 * An empty database for a benchmark, at TEST_DATABASE_URL or the usual place. Throws `Missing` where there is no
 * server.
 */
export async function benchDatabase(): Promise<TestDatabase> {
  try {
    return await createTestDatabase(process.env['TEST_DATABASE_URL'])
  } catch (error) {
    if (error instanceof PostgresMissing) throw new Missing(error.message)
    throw error
  }
}

/** The yardstick: PostgreSQL's own TPC-B, with as many clients as there are orders in flight. */
export type Pgbench = {
  /** Transactions per second. */
  run(seconds: number): Promise<number>
  stop(): Promise<void>
}

/** Prepares pgbench on the same server. Throws `Missing` where the program is not installed. */
export async function preparePgbench(): Promise<Pgbench> {
  const database = await benchDatabase()
  await pgbench(['-i', '-q', '-s', String(SCALE), database.url])
  return {
    run: async (seconds) => {
      const clients = ['-c', String(CLIENTS), '-j', '2', '-T', String(seconds), '-n']
      const output = await pgbench([...clients, database.url])
      return Number(/tps = ([\d.]+)/.exec(output)?.[1])
    },
    stop: database.drop,
  }
}

async function pgbench(args: readonly string[]): Promise<string> {
  try {
    return (await execute('pgbench', args)).stdout
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    throw isAbsent ? new Missing('pgbench is not installed') : error
  }
}
