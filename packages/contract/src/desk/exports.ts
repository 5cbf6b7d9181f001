import { listActs } from './acts.ts'
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
  getPersonEquity,
  listPersonLogIns,
  listPersonMovements,
  listPersonNotes,
  listPersonOrders,
  searchPeople,
} from './people.ts'
import type { DeskAct } from './permissions.ts'
import { getActiveTraders, getFills, getHouseResult, getMoneyFlow } from './reports.ts'
import { foretellMove, getExposure, listNearAccounts } from './risk.ts'
import { listSettingChanges, listSettings } from './settings.ts'
import { listTermsHistory } from './terms-changes.ts'
import { listWaiting } from './waiting.ts'

/** A list of the desk as a CSV file: the whole of what the same question shows page by page. */
export type DeskExport<Input = unknown> = {
  /** Of the file, without its ending. */
  readonly name: string
  readonly list: DeskEndpoint<Input>
  readonly path: string
  /** Who may have it. Where it is not the list's own act, a copy is more than a look, and is written down among the acts. */
  readonly act: DeskAct
  readonly columns: readonly string[]
}

type Declared<Input> = Pick<DeskExport<Input>, 'name' | 'columns'> & {
  readonly act?: DeskAct
  /** Which list, where one call answers several. */
  readonly part?: string
}

/** Lists that are open to whoever is logged in name their act here. */
function exportOf<Input>(
  list: DeskEndpoint<Input>,
  { name, columns, act = list.act ?? 'ownAccess', part }: Declared<Input>,
): DeskExport<Input> {
  return { ...{ name, list, act, columns }, path: `${list.path}${part === undefined ? '' : `/${part}`}.csv` }
}

export const waitingFile = exportOf(listWaiting, {
  name: 'waiting',
  columns: [
    ...['caseKey', 'kind', 'title', 'what', 'accountId', 'amount', 'since', 'askedBy', 'holder', 'risk'],
    ...['riskReasons', 'needsSecond'],
  ],
})

export const peopleFile = exportOf(searchPeople, {
  ...{ name: 'people', act: 'exportPeople' },
  columns: ['id', 'uid', 'isDemo', 'contact', 'status', 'registeredAt'],
})
export const personOrdersFile = exportOf(listPersonOrders, {
  ...{ name: 'orders', act: 'exportPerson' },
  columns: [
    ...['id', 'parentId', 'instrument', 'side', 'kind', 'status', 'lots', 'leverage', 'acceptedPrice'],
    ...[
      'openPrice',
      'currentPrice',
      'takeProfit',
      'stopLoss',
      'trailingDistance',
      'originalMargin',
      'margin',
    ],
    ...['profit', 'fee', 'swap', 'createdAt', 'openedAt', 'endedAt', 'expiresAt', 'endReason'],
    ...['endedByRole', 'endedByReason'],
  ],
})
export const personMovementsFile = exportOf(listPersonMovements, {
  ...{ name: 'movements', act: 'exportPerson' },
  columns: ['id', 'createdAt', 'kind', 'amount', 'balance', 'orderId', 'memo'],
})
export const personEquityFile = exportOf(getPersonEquity, {
  ...{ name: 'equity', act: 'exportPerson' },
  columns: ['moment', 'balance', 'equity'],
})
export const personLogInsFile = exportOf(listPersonLogIns, {
  ...{ name: 'log-ins', act: 'exportPerson' },
  columns: ['at', 'kind', 'device', 'address'],
})
export const personNotesFile = exportOf(listPersonNotes, {
  ...{ name: 'notes', act: 'exportPerson' },
  columns: ['id', 'at', 'operator', 'role', 'text'],
})

export const instrumentsFile = exportOf(listDeskInstruments, {
  name: 'instruments',
  columns: [
    ...['id', 'code', 'showCode', 'name', 'category', 'logo', 'sort', 'isEnabled', 'isOpen', 'haltReason'],
    ...['source', 'announced', 'positions', 'pendingOrders', 'baseCurrency', 'quoteCurrency'],
    'priceDecimals',
    ...['contractSize', 'marginMode', 'leverages', 'lotMin', 'lotStep', 'lotMax', 'feeRate', 'swapBuy'],
    ...['swapSell', 'tripleSwapDay', 'minStopDistance', 'suspectBand', 'maxSpread', 'markUp'],
    ...[
      'sourceOrder',
      'freshnessMs',
      'allowsNegativePrice',
      'session',
      'pricePip',
      'typicalSpread',
      'referencePrice',
      'yearlyVolatility',
    ],
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
    ...['changeId', 'kind', 'subject', 'status', 'decidedAt', 'effectiveAt', 'author', 'second', 'reason'],
    'changes',
  ],
})
export const feedsFile = exportOf(listFeeds, {
  name: 'feeds',
  columns: [
    ...['instrumentId', 'code', 'source', 'kind', 'isOpen', 'ageMs', 'perMinute', 'bid', 'ask', 'spread'],
    ...['freshnessMs', 'held', 'refused'],
  ],
})
export const heldPricesFile = exportOf(listHeldPrices, {
  name: 'held-prices',
  columns: [
    ...['instrumentId', 'code', 'number', 'source', 'bid', 'ask', 'at', 'reason', 'isFresh', 'lastMid'],
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
    ...['id', 'kind', 'category', 'status', 'title', 'languages', 'publishAt', 'isPinned', 'changedAt'],
    ...['changedBy', 'version'],
  ],
})
export const legalFile = exportOf(listLegalVersions, {
  name: 'legal-texts',
  columns: [
    ...['document', 'version', 'isInForce', 'effectiveAt', 'writtenAt', 'writtenBy', 'reason', 'languages'],
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
  ...{ name: 'deposit-addresses', part: 'channels' },
  columns: [
    ...['id', 'currencyCode', 'protocolCode', 'address', 'dayLimit', 'personDayLimit', 'isOn', 'changedAt'],
    'version',
  ],
})
export const wireAccountsFile = exportOf(getPaymentSetup, {
  ...{ name: 'bank-accounts', part: 'wires' },
  columns: [
    ...['id', 'currencyCode', 'bankName', 'bankAddress', 'bankSwift', 'payeeName', 'payeeAccount'],
    ...['bankRemark', 'dayLimit', 'personDayLimit', 'isOn', 'changedAt', 'version'],
  ],
})
export const withdrawalCurrenciesFile = exportOf(getPaymentSetup, {
  ...{ name: 'withdrawal-currencies', part: 'currencies' },
  columns: [
    ...['id', 'code', 'protocol', 'kind', 'feeType', 'fee', 'usdPrice', 'minimum', 'maximum', 'isOn'],
    ...['personDayLimit', 'changedAt', 'version'],
  ],
})

export const actsFile = exportOf(listActs, {
  ...{ name: 'acts', act: 'exportActs' },
  columns: [
    ...['id', 'at', 'operator_id', 'operator_name', 'role', 'second_id', 'second_name', 'act', 'subject'],
    ...[
      'about',
      'account_id',
      'reason',
      'before',
      'after',
      'case_key',
      'outcome',
      'journal_at',
      'previous_hash',
    ],
    'hash',
  ],
})

export const exposureFile = exportOf(getExposure, {
  name: 'exposure',
  columns: [
    ...['instrumentId', 'code', 'category', 'positions', 'accounts', 'longLots', 'shortLots', 'netLots'],
    ...['longValue', 'shortValue', 'netValue', 'clientsProfit', 'priceAgeMs'],
  ],
})
export const nearAccountsFile = exportOf(listNearAccounts, {
  name: 'near-stop-out',
  columns: [
    ...['accountId', 'level', 'equity', 'margin', 'clientsProfit', 'distance', 'positions'],
    ...['orderId', 'code', 'side', 'lots', 'profit', 'stopOutPrice'],
  ],
})
export const moveFile = exportOf(foretellMove, {
  name: 'move',
  columns: ['accountId', 'change', 'levelBefore', 'levelAfter', 'isStoppedOut', 'covered'],
})
export const houseResultFile = exportOf(getHouseResult, {
  name: 'house',
  columns: [
    ...['day', 'fees', 'swaps', 'clientResults', 'protection', 'withdrawalFees', 'adjustments', 'total'],
  ],
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
    ...['instrumentId', 'code', 'fills', 'spread', 'slippage', 'better', 'worse', 'delayMs', 'delayMostMs'],
  ],
})

/** Every list that can be saved as a file, for the test of all of them. */
export const DESK_EXPORTS: readonly DeskExport[] = [
  ...[waitingFile, peopleFile, personOrdersFile, personMovementsFile, personEquityFile, personLogInsFile],
  ...[
    personNotesFile,
    instrumentsFile,
    categoriesFile,
    sessionsFile,
    termsHistoryFile,
    feedsFile,
    heldPricesFile,
  ],
  ...[refusedPricesFile, contentFile, legalFile, companiesFile, messagesFile, settingsFile],
  ...[settingChangesFile, operatorsFile, depositChannelsFile, wireAccountsFile, withdrawalCurrenciesFile],
  ...[actsFile, exposureFile, nearAccountsFile, moveFile, houseResultFile, moneyFlowFile, activeTradersFile],
  fillsFile,
]
