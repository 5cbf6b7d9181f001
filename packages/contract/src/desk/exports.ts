import { listAuditEntries } from './audit-log.ts'
import { listDeskCategories } from './categories.ts'
import { listCompanies } from './companies.ts'
import { listContent } from './content.ts'
import type { DeskEndpoint } from './desk-endpoint.ts'
import { listFeeds, listHeldPrices, listRefusedPrices } from './feeds.ts'
import { listLegalVersions } from './legal.ts'
import { listDeskInstruments, listDeskSessions } from './market.ts'
import { listMessages } from './messages.ts'
import { listOperators } from './operators.ts'
import { getPaymentSetup } from './payment-setup.ts'
import {
  getUserEquity,
  listUserLogIns,
  listUserMovements,
  listUserNotes,
  listUserOrders,
  searchUsers,
} from './users.ts'
import type { DeskPermission } from './permissions.ts'
import { getActiveTraders, getFills, getBrokerResult, getMoneyFlow } from './reports.ts'
import { getMoveScenario, getExposure, listNearAccounts } from './risk.ts'
import { listSettingChanges, listSettings } from './settings.ts'
import { listDeskStrategies, listUserCopies } from './strategies.ts'
import { listTermsHistory } from './terms-changes.ts'
import { listTransfers } from './transfers.ts'
import { listWaiting } from './waiting.ts'

/** A list of the desk as a CSV file: all pages of the same query. */
export type DeskExport<Input = unknown> = {
  /** The file name without its extension. */
  readonly name: string
  readonly list: DeskEndpoint<Input>
  readonly path: string
  /** The permission required. If it is not the list's own, the export is recorded in the audit log. */
  readonly permission: DeskPermission
  readonly columns: readonly string[]
}

type Declared<Input> = Pick<DeskExport<Input>, 'name' | 'columns'> & {
  readonly permission?: DeskPermission
  /** Which list, for calls that return several. */
  readonly part?: string
}

/** An export. For a list that every operator may see, the permission is given here. */
function exportOf<Input>(
  list: DeskEndpoint<Input>,
  { name, columns, permission = list.permission ?? 'ownAccess', part }: Declared<Input>,
): DeskExport<Input> {
  return {
    name,
    list,
    permission,
    columns,
    path: `${list.path}${part === undefined ? '' : `/${part}`}.csv`,
  }
}

export const waitingFile = exportOf(listWaiting, {
  name: 'waiting',
  columns: [
    'caseKey',
    'kind',
    'title',
    'what',
    'accountId',
    'amount',
    'since',
    'askedBy',
    'holder',
    'risk',
    'riskReasons',
    'needsSecond',
  ],
})

export const usersFile = exportOf(searchUsers, {
  name: 'people',
  permission: 'exportPeople',
  columns: ['id', 'uid', 'isDemo', 'contact', 'status', 'registeredAt'],
})
export const userOrdersFile = exportOf(listUserOrders, {
  name: 'orders',
  permission: 'exportPerson',
  columns: [
    'id',
    'parentId',
    'instrument',
    'side',
    'kind',
    'status',
    'lots',
    'leverage',
    'acceptedPrice',
    'openPrice',
    'currentPrice',
    'takeProfit',
    'stopLoss',
    'trailingDistance',
    'originalMargin',
    'margin',
    'profit',
    'fee',
    'swap',
    'createdAt',
    'openedAt',
    'endedAt',
    'expiresAt',
    'endReason',
    'endedByRole',
    'endedByReason',
  ],
})
export const userMovementsFile = exportOf(listUserMovements, {
  name: 'movements',
  permission: 'exportPerson',
  columns: ['id', 'createdAt', 'kind', 'amount', 'balance', 'orderId', 'memo'],
})
export const userEquityFile = exportOf(getUserEquity, {
  name: 'equity',
  permission: 'exportPerson',
  columns: ['moment', 'balance', 'equity'],
})
export const userLogInsFile = exportOf(listUserLogIns, {
  name: 'log-ins',
  permission: 'exportPerson',
  columns: ['at', 'kind', 'device', 'address'],
})
export const userNotesFile = exportOf(listUserNotes, {
  name: 'notes',
  permission: 'exportPerson',
  columns: ['id', 'at', 'operator', 'role', 'text'],
})

export const userCopiesFile = exportOf(listUserCopies, {
  name: 'copies',
  permission: 'exportPerson',
  columns: [
    'id',
    'strategyId',
    'name',
    'providerId',
    'state',
    'endReason',
    'putIn',
    'takenOut',
    'equity',
    'feePaid',
    'positions',
    'startedAt',
    'endedAt',
  ],
})

export const strategiesFile = exportOf(listDeskStrategies, {
  name: 'strategies',
  columns: [
    'id',
    'userId',
    'ledger',
    'name',
    'description',
    'feeShare',
    'publishedAt',
    'endedAt',
    'endedAs',
    'copiers',
    'copiedMoney',
    'openReports',
    'isHidden',
    'hiddenFor',
  ],
})

export const transfersFile = exportOf(listTransfers, {
  name: 'transfers',
  permission: 'exportPerson',
  columns: ['id', 'at', 'kind', 'accountId', 'debit', 'credit', 'amount', 'orderId', 'caseId'],
})

export const instrumentsFile = exportOf(listDeskInstruments, {
  name: 'instruments',
  columns: [
    'id',
    'code',
    'showCode',
    'name',
    'category',
    'logo',
    'sort',
    'isEnabled',
    'isOpen',
    'haltReason',
    'source',
    'announced',
    'positions',
    'pendingOrders',
    'baseCurrency',
    'quoteCurrency',
    'priceDecimals',
    'contractSize',
    'marginMode',
    'leverages',
    'lotMin',
    'lotStep',
    'lotMax',
    'feeRate',
    'swapBuy',
    'swapSell',
    'tripleSwapDay',
    'minStopDistance',
    'suspectBand',
    'maxSpread',
    'markUp',
    'sourceOrder',
    'freshnessMs',
    'allowsNegativePrice',
    'session',
    'pricePip',
    'typicalSpread',
    'referencePrice',
    'yearlyVolatility',
  ],
})
export const categoriesFile = exportOf(listDeskCategories, {
  name: 'categories',
  columns: ['id', 'code', 'names', 'instruments', 'version'],
})
export const sessionsFile = exportOf(listDeskSessions, {
  name: 'hours',
  columns: ['name', 'zone', 'windows', 'holidays', 'instruments'],
})
export const termsHistoryFile = exportOf(listTermsHistory, {
  name: 'changes',
  columns: [
    'changeId',
    'kind',
    'subject',
    'status',
    'decidedAt',
    'effectiveAt',
    'author',
    'second',
    'reason',
    'changes',
  ],
})
export const feedsFile = exportOf(listFeeds, {
  name: 'feeds',
  columns: [
    'instrumentId',
    'code',
    'source',
    'kind',
    'isOpen',
    'ageMs',
    'perMinute',
    'bid',
    'ask',
    'spread',
    'freshnessMs',
    'held',
    'refused',
  ],
})
export const heldPricesFile = exportOf(listHeldPrices, {
  name: 'held-prices',
  columns: [
    'instrumentId',
    'code',
    'number',
    'source',
    'bid',
    'ask',
    'at',
    'reason',
    'isFresh',
    'lastMid',
    'offByPercent',
  ],
})
export const refusedPricesFile = exportOf(listRefusedPrices, {
  name: 'refused-prices',
  columns: ['instrumentId', 'code', 'number', 'source', 'bid', 'ask', 'time', 'at', 'reason'],
})

export const contentFile = exportOf(listContent, {
  name: 'news',
  columns: [
    'id',
    'kind',
    'category',
    'status',
    'title',
    'languages',
    'publishAt',
    'isPinned',
    'changedAt',
    'changedBy',
    'version',
  ],
})
export const legalFile = exportOf(listLegalVersions, {
  name: 'legal-texts',
  columns: [
    'document',
    'version',
    'isInForce',
    'effectiveAt',
    'writtenAt',
    'writtenBy',
    'reason',
    'languages',
  ],
})
export const companiesFile = exportOf(listCompanies, {
  name: 'companies',
  columns: ['name', 'subject', 'url', 'email', 'location', 'registeredAddress', 'lossUrl', 'isOn'],
})
export const messagesFile = exportOf(listMessages, {
  name: 'messages',
  columns: ['createdAt', 'channel', 'recipient', 'subject', 'name', 'state', 'tries', 'error'],
})

export const settingsFile = exportOf(listSettings, {
  name: 'settings',
  columns: ['name', 'value', 'defaultValue', 'source'],
})
export const settingChangesFile = exportOf(listSettingChanges, {
  name: 'setting-changes',
  columns: ['at', 'by', 'before', 'after', 'reason'],
})
export const operatorsFile = exportOf(listOperators, {
  name: 'operators',
  columns: ['id', 'name', 'role', 'status', 'hasSecondFactor', 'lastSeenAt', 'createdAt'],
})

export const depositChannelsFile = exportOf(getPaymentSetup, {
  name: 'deposit-addresses',
  part: 'channels',
  columns: [
    'id',
    'currencyCode',
    'protocolCode',
    'address',
    'tag',
    'dayLimit',
    'personDayLimit',
    'isOn',
    'changedAt',
    'version',
    'fixedRate',
  ],
})
export const wireAccountsFile = exportOf(getPaymentSetup, {
  name: 'bank-accounts',
  part: 'wires',
  columns: [
    'id',
    'currencyCode',
    'bankName',
    'bankAddress',
    'bankSwift',
    'payeeName',
    'payeeAccount',
    'bankRemark',
    'dayLimit',
    'personDayLimit',
    'isOn',
    'changedAt',
    'version',
    'fixedRate',
  ],
})
export const withdrawalCurrenciesFile = exportOf(getPaymentSetup, {
  name: 'withdrawal-currencies',
  part: 'currencies',
  columns: [
    'id',
    'code',
    'protocol',
    'kind',
    'feeType',
    'fee',
    'usdPrice',
    'minimum',
    'maximum',
    'isOn',
    'personDayLimit',
    'changedAt',
    'version',
  ],
})

export const auditEntriesFile = exportOf(listAuditEntries, {
  name: 'acts',
  permission: 'exportActs',
  columns: [
    'id',
    'at',
    'operator_id',
    'operator_name',
    'role',
    'second_id',
    'second_name',
    'act',
    'subject',
    'about',
    'account_id',
    'reason',
    'before',
    'after',
    'case_key',
    'outcome',
    'journal_at',
    'previous_hash',
    'hash',
  ],
})

export const exposureFile = exportOf(getExposure, {
  name: 'exposure',
  columns: [
    'instrumentId',
    'code',
    'category',
    'positions',
    'accounts',
    'longLots',
    'shortLots',
    'netLots',
    'longValue',
    'shortValue',
    'netValue',
    'clientsProfit',
    'priceAgeMs',
  ],
})
export const nearAccountsFile = exportOf(listNearAccounts, {
  name: 'near-stop-out',
  columns: [
    'accountId',
    'level',
    'equity',
    'margin',
    'clientsProfit',
    'distance',
    'positions',
    'orderId',
    'code',
    'side',
    'lots',
    'profit',
    'stopOutPrice',
  ],
})
export const moveFile = exportOf(getMoveScenario, {
  name: 'move',
  columns: ['accountId', 'change', 'levelBefore', 'levelAfter', 'isStoppedOut', 'covered'],
})
export const brokerResultFile = exportOf(getBrokerResult, {
  name: 'house',
  columns: ['day', 'fees', 'swaps', 'clientResults', 'protection', 'withdrawalFees', 'adjustments', 'total'],
})
export const moneyFlowFile = exportOf(getMoneyFlow, {
  name: 'money',
  columns: ['day', 'deposits', 'deposited', 'withdrawals', 'withdrawn', 'net'],
})
export const activeTradersFile = exportOf(getActiveTraders, {
  name: 'active',
  columns: ['day', 'traders', 'orders'],
})
export const fillsFile = exportOf(getFills, {
  name: 'fills',
  columns: [
    'instrumentId',
    'code',
    'fills',
    'spread',
    'slippage',
    'better',
    'worse',
    'delayMs',
    'delayMostMs',
  ],
})

/** Every list that can be exported, for the test of all of them. */
export const DESK_EXPORTS: readonly DeskExport[] = [
  waitingFile,
  usersFile,
  userOrdersFile,
  userMovementsFile,
  userEquityFile,
  userLogInsFile,
  userNotesFile,
  userCopiesFile,
  strategiesFile,
  instrumentsFile,
  categoriesFile,
  sessionsFile,
  termsHistoryFile,
  feedsFile,
  heldPricesFile,
  refusedPricesFile,
  contentFile,
  legalFile,
  companiesFile,
  messagesFile,
  settingsFile,
  settingChangesFile,
  operatorsFile,
  depositChannelsFile,
  wireAccountsFile,
  withdrawalCurrenciesFile,
  transfersFile,
  auditEntriesFile,
  exposureFile,
  nearAccountsFile,
  moveFile,
  brokerResultFile,
  moneyFlowFile,
  activeTradersFile,
  fillsFile,
]
