import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../apps/server/src/platform/database/open.ts'
import { createTestDatabase, PostgresMissing, type TestDatabase } from '../testing/test-database.ts'
import { startPostgres } from '../testing/own-postgres.ts'
import type {} from './vitest-context.ts'

const made: (() => void | Promise<void>)[] = []

/** Finds a PostgreSQL server once per run, and creates the databases that tests copy. */
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

type Databases = { readonly empty: TestDatabase; readonly template: TestDatabase }

/** The databases on the server that is there; where one is required and none answers, on one of our own. */
async function findPostgres(): Promise<Databases | null> {
  try {
    return await createDatabases(process.env['TEST_DATABASE_URL'])
  } catch (error) {
    if (!(error instanceof PostgresMissing)) throw error
    if (process.env['REQUIRE_POSTGRES'] === '1') {
      console.warn(`\n${error.message} Starting a PostgreSQL of our own.`)
      const own = await startPostgres()
      made.push(own.kill)
      return createDatabases(own.url)
    }
    console.warn(`\n*** PostgreSQL leg not run: ${error.message} ***\n`)
    return null
  }
}

async function createDatabases(serverUrl: string | undefined): Promise<Databases> {
  const [empty, template] = [await createTestDatabase(serverUrl), await createTestDatabase(serverUrl)]
  made.push(empty.drop, template.drop)
  await (await openDatabase({ databaseUrl: template.url, dataDir: '' })).close()
  return { empty, template }
}

export async function teardown(): Promise<void> {
  for (const remove of made.reverse()) await remove()
}
