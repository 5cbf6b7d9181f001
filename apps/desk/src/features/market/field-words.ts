/** What the fields of terms are called. */
const FIELD_NAMES: Readonly<Record<string, string>> = {
  code: 'Code',
  showCode: 'Shown as',
  name: 'Name',
  category: 'Category',
  logo: 'Logo',
  sort: 'Rank in lists',
  isEnabled: 'On offer',
  baseCurrency: 'Base',
  quoteCurrency: 'Quote currency',
  priceDecimals: 'Decimals of a price',
  contractSize: 'Units per lot',
  marginMode: 'Margin',
  leverages: 'Leverages',
  lotMin: 'Least lots',
  lotStep: 'Step of lots',
  lotMax: 'Most lots',
  feeRate: 'Fee',
  swapBuy: 'Night, buy side',
  swapSell: 'Night, sell side',
  tripleSwapDay: 'Triple night',
  minStopDistance: 'Least distance of stops',
  suspectBand: 'Band of a suspect price',
  maxSpread: 'Widest spread let in',
  markUp: 'Mark-up of each side',
  sourceOrder: 'Order of sources',
  freshnessMs: 'Freshness',
  allowsNegativePrice: 'Negative prices',
  session: 'Hours',
  pricePip: 'Pip',
  typicalSpread: 'Typical spread',
  referencePrice: 'Reference price',
  yearlyVolatility: 'Yearly volatility',
  zone: 'Time zone',
  windows: 'Windows',
  holidays: 'Holidays',
  accountCurrency: 'Account currency',
  feeType: 'Kind of fee',
  demoBalance: 'Demo balance',
  warningLevel: 'Warning level',
  stopOutLevel: 'Stop-out level',
  maxLivingOrders: 'Living orders of an account',
  noticeMs: 'Notice of a worse change',
  fourEyesLimit: 'Four eyes above',
  sourceName: 'Priced by',
  sourceKind: 'Source',
  sourceHours: 'Hours of the source',
  sourceFreshnessMs: 'Freshness of the source',
}

/** What a field is called; its own name where it has no other. */
export const fieldName = (field: string): string => FIELD_NAMES[field] ?? field

const HOUR_MS = 3_600_000

/** The value of a field as people say it. */
export function fieldValue(field: string, value: string | null): string {
  if (value === null || value === '') return 'nothing'
  if (field === 'noticeMs') return `${Number(value) / HOUR_MS} h`
  return field.toLowerCase().endsWith('freshnessms') ? `${value} ms` : value
}

/** What refusals of the tick guard are called. */
const REASONS: Readonly<Record<string, string>> = {
  notANumber: 'no number',
  zero: 'zero',
  negative: 'below zero',
  crossed: 'bid above ask',
  outOfOrder: 'older than the last',
  future: 'ahead of the clock',
  wideSpread: 'spread too wide',
  outOfBounds: 'out of all bounds',
  suspect: 'outside the band',
}

/** Why a price was not let in. */
export const refusalName = (reason: string): string => REASONS[reason] ?? reason
