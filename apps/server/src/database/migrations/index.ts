import type { Migration } from 'kysely/migration'
import type { DatabaseKind } from '../database.ts'
import { journalAndOrders } from './0001-journal-and-orders.ts'
import { accounts } from './0002-accounts.ts'
import { termsAndCases } from './0003-terms-and-cases.ts'
import { pricesAndWatchLists } from './0004-prices-and-watch-lists.ts'
import { operators } from './0005-operators.ts'
import { actsAndHashes } from './0006-acts-and-hashes.ts'
import { people } from './0007-people.ts'
import { refusedPrices } from './0008-refused-prices.ts'
import { reports } from './0009-reports.ts'
import { content } from './0010-content.ts'
import { storedFiles } from './0011-stored-files.ts'
import { payments } from './0012-payments.ts'
import { identity } from './0013-identity.ts'
import { newsAndInvitations } from './0014-news-and-invitations.ts'
import { moneyAtTheDesk } from './0015-money-at-the-desk.ts'
import { markUp } from './0016-mark-up.ts'
import { askedOnce } from './0017-asked-once.ts'
import { notices } from './0018-notices.ts'
import { closedAccounts } from './0019-closed-accounts.ts'
import { supportChat } from './0021-support-chat.ts'
import { instrumentCategories } from './0022-instrument-categories.ts'

/** All migrations by name, in order. One that has been released is never edited. */
export const migrations = (kind: DatabaseKind): Record<string, Migration> => ({
  '0001-journal-and-orders': journalAndOrders(kind),
  '0002-accounts': accounts(),
  '0003-terms-and-cases': termsAndCases(kind),
  '0004-prices-and-watch-lists': pricesAndWatchLists(),
  '0005-operators': operators(kind),
  '0006-acts-and-hashes': actsAndHashes(),
  '0007-people': people(kind),
  '0008-refused-prices': refusedPrices(),
  '0009-reports': reports(),
  '0010-content': content(kind),
  '0011-stored-files': storedFiles(),
  '0012-payments': payments(),
  '0013-identity': identity(),
  '0014-news-and-invitations': newsAndInvitations(),
  '0015-money-at-the-desk': moneyAtTheDesk(),
  '0016-mark-up': markUp(),
  '0017-asked-once': askedOnce(),
  '0018-notices': notices(),
  '0019-closed-accounts': closedAccounts(),
  '0021-support-chat': supportChat(kind),
  '0022-instrument-categories': instrumentCategories(),
})
