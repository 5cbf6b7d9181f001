import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../apps/server/src/platform/database/open.ts'
import { createTestDatabase, PostgresMissing, type TestDatabase } from '../testing/test-database.ts'
import type {} from './vitest-context.ts'

const made: (() => void | Promise<void>)[] = []

/** Determines once per run whether there is a PostgreSQL server, and creates the databases that tests copy. */
export async function setup(project: TestProject): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'fairlot-template-'))
  made.push(() => rmSync(folder, { recursive: true, force: true }))
  await (await openDatabase({ databaseUrl: null, dataDir: folder })).close()
  const postgres = await findPostgres()
  project.provide('postgresUrl', postgres?.empty.url ?? null)
  project.provide('templates', {
    sqlite: folder,
    postgres: postgres ? new URL(postgres.template.url).pathname.slice(1) : '',
  })
}

async function findPostgres(): Promise<{ empty: TestDatabase; template: TestDatabase } | null> {
  try {
    const given = process.env['TEST_DATABASE_URL']
    const [empty, template] = [await createTestDatabase(given), await createTestDatabase(given)]
    made.push(empty.drop, template.drop)
    await (await openDatabase({ databaseUrl: template.url, dataDir: '' })).close()
    return { empty, template }
  } catch (error) {
    if (!(error instanceof PostgresMissing) || process.env['REQUIRE_POSTGRES'] === '1') throw error
    console.warn(`\n*** PostgreSQL leg not run: ${error.message} ***\n`)
    return null
  }
}

export async function teardown(): Promise<void> {
  for (const remove of made.reverse()) await remove()
}
