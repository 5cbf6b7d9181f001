import type { Migration } from 'kysely/migration'
import type { DatabaseKind } from '../database.ts'
import { journalAndOrders } from './0001-journal-and-orders.ts'
import { accounts } from './0002-accounts.ts'
import { termsAndCases } from './0003-terms-and-cases.ts'
import { actsAndHashes } from './0006-acts-and-hashes.ts'
import { content } from './0010-content.ts'
import { identity } from './0013-identity.ts'
import { payments } from './0012-payments.ts'
import { moneyAtTheDesk } from './0015-money-at-the-desk.ts'
import { operators } from './0005-operators.ts'
import { people } from './0007-people.ts'
import { storedFiles } from './0011-stored-files.ts'
import { pricesAndWatchLists } from './0004-prices-and-watch-lists.ts'
import { refusedPrices } from './0008-refused-prices.ts'
import { reports } from './0009-reports.ts'

/** All migrations by name, in order. One that has been released is never edited. */
export const migrations = (kind: DatabaseKind): Record<string, Migration> => ({
  '0001-journal-and-orders': journalAndOrders(kind),
  '0002-accounts': accounts(),
  '0003-terms-and-cases': termsAndCases(kind),
  '0004-prices-and-watch-lists': pricesAndWatchLists(),
  '0005-operators': operators(kind),
  '0006-acts-and-hashes': actsAndHashes(),
  '0007-people': people(kind),
  '0010-content': content(kind),
  '0008-refused-prices': refusedPrices(),
  '0009-reports': reports(),
  '0011-stored-files': storedFiles(),
  '0012-payments': payments(),
  '0013-identity': identity(),
  '0015-money-at-the-desk': moneyAtTheDesk(),
})
