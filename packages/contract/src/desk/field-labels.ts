import type { DepositChannel, WireAccount } from './payment-setup.ts'
import { userNumber } from '../accounts/user-number.ts'
import { SETTING_TITLES } from './setting-titles.ts'
import type { InstrumentTerms, SessionTerms, TradingTerms } from './terms-forms.ts'

/** The fields of forms. Other fields of these rows are not shown. */
type FormField =
  | keyof (InstrumentTerms & SessionTerms & TradingTerms)
  | Exclude<keyof (DepositChannel & WireAccount), 'id' | 'version' | 'changedAt' | 'rateNow' | 'comingLimits'>

/**
 * Labels of fields wherever operators see a change: forms, cases, audit entries, announced terms. Exports keep the
 * field names. Every field that a second operator may have to approve has a label here.
 */
export const FIELD_LABELS = {
  code: 'Code',
  showCode: 'Display code',
  name: 'Name',
  category: 'Category',
  logo: 'Logo',
  sort: 'Sort order',
  isEnabled: 'Offered',
  baseCurrency: 'Base currency',
  quoteCurrency: 'Quote currency',
  priceDecimals: 'Price decimals',
  contractSize: 'Contract size',
  marginMode: 'Margin mode',
  leverages: 'Leverages',
  lotMin: 'Minimum lots',
  lotStep: 'Lot step',
  lotMax: 'Maximum lots',
  feeRate: 'Fee',
  swapBuy: 'Swap, buy',
  swapSell: 'Swap, sell',
  tripleSwapDay: 'Triple swap day',
  minStopDistance: 'Minimum stop distance',
  suspectBand: 'Suspect price band',
  maxSpread: 'Maximum spread',
  markUp: 'Mark-up per side',
  sourceOrder: 'Source order',
  freshnessMs: 'Maximum price age',
  allowsNegativePrice: 'Negative prices',
  session: 'Trading hours',
  pricePip: 'Pip',
  typicalSpread: 'Typical spread',
  referencePrice: 'Reference price',
  yearlyVolatility: 'Yearly volatility',

  zone: 'Time zone',
  windows: 'Opening hours',
  holidays: 'Holidays',

  accountCurrency: 'Account currency',
  feeType: 'Fee type',
  demoBalance: 'Demo balance',
  warningLevel: 'Margin call level',
  stopOutLevel: 'Stop-out level',
  maxLivingOrders: 'Maximum active orders per account',
  noticeMs: 'Notice period for adverse changes',
  fourEyesLimit: 'Limit for one operator, per account',
  fourEyesOperatorLimit: 'Limit for one operator, in total',
  isDemoCopyOn: 'Copying with demo money',
  isRealCopyOn: 'Copying with real money',
  copyLegalBasis: 'Legal basis of copying with real money',
  copyMinAmount: 'Minimum amount of a copy',
  providerMinEquity: 'Minimum equity of a provider',
  maxCopiesPerUser: 'Maximum copies per user',
  maxCopiesPerProvider: 'Maximum copies per provider',

  sourceName: 'Price source',
  sourceKind: 'Source type',
  sourceHours: 'Source hours',
  sourceFreshnessMs: 'Maximum price age of the source',
  holdsFrom: 'Effective from',

  currencyCode: 'Currency',
  protocolCode: 'Network',
  address: 'Address',
  tag: 'Tag or memo',
  bankName: 'Bank',
  bankAddress: 'Bank address',
  bankSwift: 'BIC',
  payeeName: 'Payee',
  payeeAccount: 'Account or IBAN',
  bankRemark: 'Remark for the user',
  fixedRate: 'Fixed rate to the account currency',
  dayLimit: 'Daily limit, all users',
  personDayLimit: 'Daily limit per user',
  dayLimitUntil: 'Daily limit until then, all users',
  userDayLimitUntil: 'Daily limit until then, per user',
  limitsFrom: 'Lower limits from',
  state: 'State',

  protocol: 'Network',
  kind: 'Kind',
  fee: 'Fee',
  usdPrice: 'Paid out for 1 of the account currency',
  minimum: 'Minimum',
  maximum: 'Maximum',
  value: 'Value',
  amount: 'Amount',

  role: 'Role',
  isOn: 'Switched on',
  password: 'Password',
  secondFactor: 'Second factor',
  passkeyAdded: 'Passkey added',
  passkeyRemoved: 'Passkey removed',
  passkey: 'Passkey',
  invitation: 'Invitation',

  trading: 'Trading',
  told: 'Reported',
  credited: 'Credited',
  arrived: 'Arrived',
  arrivedAt: 'Arrived at',
  rate: 'Rate',
  asked: 'Requested',
  bodyHash: 'SHA-256 of the request',
  identity: 'Identity',
  status: 'Status',
  mode: 'Mode',
  reference: 'Reference price',
  bid: 'Bid',
  ask: 'Ask',
  source: 'Source',
  number: 'Number',
  ground: 'Written reason',
  freeze: 'Freeze',
} as const satisfies Record<FormField, string> & Record<string, string>

/** `maxSpread` as `Max spread`. */
function inWords(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll(/[-_]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const labelOf = (table: Readonly<Record<string, string>>, name: string): string =>
  Object.hasOwn(table, name) ? (table[name] ?? '') : inWords(name)

/** The label of a field; a nested one, such as `asked.role`, has both labels. */
export const fieldLabel = (field: string): string =>
  field
    .split('.')
    .map((name) => labelOf(FIELD_LABELS, name))
    .join(': ')

/** Labels of subjects, by the first part of the subject. */
const SUBJECT_LABELS = {
  depositChannel: 'Deposit address',
  wireAccount: 'Bank account',
  hours: 'Trading hours',
  withdrawalCurrency: 'Withdrawal currency',
  approval: 'Case',
  content: 'News item',
  legal: 'Legal text',
  'news-feed': 'News feed',
  journal: 'Journal row',
  chat: 'Chat with user',
  person: 'User',
  people: 'Users',
  instruments: 'All instruments',
  call: 'Request',
  recovery: 'Log-in recovery',
} as const

/** Subjects whose number is an account id, shown as the user number. */
const BY_USER: readonly string[] = ['person', 'identity', 'chat']

function keyOf(kind: string, key: string): string {
  if (kind === 'setting') return SETTING_TITLES[key] ?? inWords(key)
  return BY_USER.includes(kind) && /^\d{1,15}$/.test(key) ? userNumber(BigInt(key)) : key
}

/**
 * The label of a subject: `depositChannel:new` as `New deposit address`, `person:12` as `User 100012`. `called`: its
 * name, if it has one instead of a number.
 */
export function subjectLabel(subject: string, called?: string): string {
  const [kind = '', ...rest] = subject.split(':')
  const label = labelOf(SUBJECT_LABELS, kind)
  const key = called ?? keyOf(kind, rest.join(':'))
  if (key === 'new') return `New ${label.charAt(0).toLowerCase()}${label.slice(1)}`
  if (key === 'all') return `${label}, all`
  if (kind === 'terms' && rest.length > 0) return key === 'settings' ? 'Trading settings' : `Terms: ${key}`
  if (kind === 'setting' && key !== '') return `${label}: ${key}`
  return key === '' ? label : `${label} ${key}`
}
