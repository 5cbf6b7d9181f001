import type { TestProject } from 'vitest/node'
import { createTestDatabase, PostgresMissing } from '../testing/test-database.ts'
import type {} from './vitest-context.ts'

let drop = async (): Promise<void> => {}

/** Decides once per run whether the tests have a PostgreSQL, and makes a database for them. */
export async function setup(project: TestProject): Promise<void> {
  try {
    const database = await createTestDatabase(process.env['TEST_DATABASE_URL'])
    drop = database.drop
    project.provide('postgresUrl', database.url)
  } catch (error) {
    if (!(error instanceof PostgresMissing) || process.env['REQUIRE_POSTGRES'] === '1') throw error
    console.warn(`\n*** PostgreSQL leg not run: ${error.message} ***\n`)
    project.provide('postgresUrl', null)
  }
}

export const teardown = (): Promise<void> => drop()
