import type { DepositChannel, WireAccount } from './payment-setup.ts'
import type { InstrumentTerms, SessionTerms, TradingTerms } from './terms-forms.ts'

/** Fields of forms; what each row has besides is told of nowhere. */
type FormField =
  | keyof (InstrumentTerms & SessionTerms & TradingTerms)
  | Exclude<keyof (DepositChannel & WireAccount), 'id' | 'version' | 'changedAt'>

/**
 * What fields are called where operators read of a change: forms, cases, acts, announced terms. Files keep the fields' own names. Whatever
 * a second person may be asked to agree to has its line here.
 */
export const FIELD_LABELS = {
  ...{ code: 'Code', showCode: 'Shown as', name: 'Name', category: 'Category', logo: 'Logo' },
  ...{ sort: 'Rank in lists', isEnabled: 'On offer', baseCurrency: 'Base', quoteCurrency: 'Quote currency' },
  ...{ priceDecimals: 'Decimals of a price', contractSize: 'Units per lot', marginMode: 'Margin' },
  ...{ leverages: 'Leverages', lotMin: 'Least lots', lotStep: 'Step of lots', lotMax: 'Most lots' },
  ...{ feeRate: 'Fee', swapBuy: 'Night, buy side', swapSell: 'Night, sell side' },
  ...{ tripleSwapDay: 'Triple night', minStopDistance: 'Least distance of stops' },
  ...{ suspectBand: 'Band of a suspect price', maxSpread: 'Widest spread let in' },
  ...{ markUp: 'Mark-up of each side', sourceOrder: 'Order of sources', freshnessMs: 'Freshness' },
  ...{ allowsNegativePrice: 'Negative prices', session: 'Hours', pricePip: 'Pip' },
  ...{ typicalSpread: 'Typical spread', referencePrice: 'Reference price' },
  yearlyVolatility: 'Yearly volatility',

  ...{ zone: 'Time zone', windows: 'Windows', holidays: 'Holidays' },

  ...{ accountCurrency: 'Account currency', feeType: 'Kind of fee', demoBalance: 'Demo balance' },
  ...{ warningLevel: 'Warning level', stopOutLevel: 'Stop-out level' },
  ...{ maxLivingOrders: 'Living orders of an account', noticeMs: 'Notice of a worse change' },
  fourEyesLimit: 'Four eyes above',

  ...{ sourceName: 'Priced by', sourceKind: 'Source', sourceHours: 'Hours of the source' },
  sourceFreshnessMs: 'Freshness of the source',
  holdsFrom: 'Holds from',

  ...{ currencyCode: 'Currency', protocolCode: 'Network', address: 'Address', bankName: 'Bank' },
  ...{ bankAddress: 'Bank address', bankSwift: 'BIC', payeeName: 'Payee', payeeAccount: 'Account or IBAN' },
  ...{ bankRemark: 'Remark for the user', dayLimit: 'Limit a day, from everybody' },
  ...{ personDayLimit: 'Limit a day, from one person', state: 'State' },

  ...{ role: 'Role', isOn: 'Switched on', password: 'Password', secondFactor: 'Second factor' },
  ...{ trading: 'Trading', told: 'Told', credited: 'Credited', asked: 'Asked for' },
} as const satisfies Record<FormField, string> & Record<string, string>

/** `maxSpread` as `Max spread`. */
function inWords(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll(/[-_]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const labelOf = (table: Readonly<Record<string, string>>, name: string): string =>
  Object.hasOwn(table, name) ? (table[name] ?? '') : inWords(name)

/** What a field is called; of one that lies within another, such as `asked.role`, both are named. */
export const fieldLabel = (field: string): string =>
  field
    .split('.')
    .map((name) => labelOf(FIELD_LABELS, name))
    .join(': ')

/** What acts are done to, by the first part of their subject. */
const SUBJECT_LABELS = {
  ...{ depositChannel: 'Deposit address', wireAccount: 'Bank account', hours: 'Trading hours' },
  ...{ withdrawalCurrency: 'Withdrawal currency', approval: 'Case', content: 'News item' },
  ...{ legal: 'Legal text', 'news-feed': 'News feed', journal: 'Journal row', chat: 'Messages of person' },
  ...{ instruments: 'All instruments', call: 'Request' },
} as const

/**
 * What an act is done to, in words: `depositChannel:new` as `New deposit address`, `person:12` as `Person 12`. `called`: the name of what
 * is known by its name rather than its number.
 */
export function subjectLabel(subject: string, called?: string): string {
  const [kind = '', ...rest] = subject.split(':')
  const label = labelOf(SUBJECT_LABELS, kind)
  const key = called ?? rest.join(':')
  if (key === 'new') return `New ${label.charAt(0).toLowerCase()}${label.slice(1)}`
  if (key === 'all') return `${label}, all`
  if (kind === 'terms' && rest.length > 0) return key === 'settings' ? 'Settings of trading' : `Terms: ${key}`
  return key === '' ? label : `${label} ${key}`
}
