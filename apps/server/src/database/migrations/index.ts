import type { Migration } from 'kysely/migration'
import type { DatabaseKind } from '../open.ts'
import { journalAndOrders } from './0001-journal-and-orders.ts'
import { accounts } from './0002-accounts.ts'
import { termsAndCases } from './0003-terms-and-cases.ts'

/** All migrations by name, in order. One that has been released is never edited. */
export const migrations = (kind: DatabaseKind): Record<string, Migration> => ({
  '0001-journal-and-orders': journalAndOrders(kind),
  '0002-accounts': accounts(),
  '0003-terms-and-cases': termsAndCases(kind),
})
