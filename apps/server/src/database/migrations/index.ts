import type { Migration } from 'kysely/migration'
import type { DatabaseKind } from '../open.ts'
import { trading } from './0001-trading.ts'

/** All migrations by name, in order. One that has been released is never edited. */
export const migrations = (kind: DatabaseKind): Record<string, Migration> => ({
  '0001-trading': trading(kind),
})
