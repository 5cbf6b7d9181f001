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
import { requestedOnce } from './0017-asked-once.ts'
import { notices } from './0018-notices.ts'
import { closedAccounts } from './0019-closed-accounts.ts'
import { supportChat } from './0021-support-chat.ts'
import { instrumentCategories } from './0022-instrument-categories.ts'
import { operatorKeys } from './0023-operator-keys.ts'
import { linkedAccounts } from './0024-linked-accounts.ts'
import { twoOperators } from './0030-two-operators.ts'
import { announcedPayments } from './0034-announced-payments.ts'
import { countedCodes } from './0036-counted-codes.ts'
import { depositRates } from './0037-deposit-rates.ts'
import { announcedLimits } from './0038-announced-limits.ts'
import { accountOwners } from './0039-account-owners.ts'
import { copying } from './0040-copying.ts'
import { ranking } from './0041-ranking.ts'
import { alerts } from './0042-alerts.ts'
import { publishers } from './0043-publishers.ts'
import { copyNews } from './0044-copy-news.ts'
import { pushTables } from './0046-web-push.ts'
import { passkeys } from './0048-passkeys.ts'
import { copyTerms } from './0050-copy-terms.ts'
import { rankingMethod } from './0052-ranking-method.ts'
import { alertEnds } from './0054-alert-ends.ts'
import { accountKeys } from './0056-account-keys.ts'
import { transactionKeys } from './0058-transaction-keys.ts'
import { coinTags } from './0060-coin-tags.ts'
import { pictureText } from './0061-picture-text.ts'
import { equityRanges } from './0064-equity-ranges.ts'
import { keysGivenBy } from './0066-keys-given-by.ts'
import { messageLanguage } from './0067-message-language.ts'
import { plainAddresses } from './0068-plain-addresses.ts'

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
  '0017-asked-once': requestedOnce(),
  '0018-notices': notices(),
  '0019-closed-accounts': closedAccounts(),
  '0021-support-chat': supportChat(kind),
  '0022-instrument-categories': instrumentCategories(),
  '0023-operator-keys': operatorKeys(),
  '0024-linked-accounts': linkedAccounts(),
  '0030-two-operators': twoOperators(kind),
  '0034-announced-payments': announcedPayments(),
  '0036-counted-codes': countedCodes(),
  '0037-deposit-rates': depositRates(),
  '0038-announced-limits': announcedLimits(),
  '0039-account-owners': accountOwners(),
  '0040-copying': copying(),
  '0041-ranking': ranking(),
  '0042-alerts': alerts(),
  '0043-publishers': publishers(),
  '0044-copy-news': copyNews(),
  '0046-web-push': pushTables(),
  '0048-passkeys': passkeys(),
  '0050-copy-terms': copyTerms(),
  '0052-ranking-method': rankingMethod(),
  '0054-alert-ends': alertEnds(),
  '0056-account-keys': accountKeys(),
  '0058-transaction-keys': transactionKeys(),
  '0060-coin-tags': coinTags(),
  '0061-picture-text': pictureText(),
  '0064-equity-ranges': equityRanges(),
  '0066-keys-given-by': keysGivenBy(),
  '0067-message-language': messageLanguage(),
  '0068-plain-addresses': plainAddresses(),
})
