/** What the screens show, for a test that visits all of them; the tests of one screen have samples of their own. */
import type { Decimal } from '@fairlot/contract'
import type {
  AuditEntryRow,
  Company,
  ContentItem,
  DepositChannel,
  DeskCategory,
  DeskChatMessage,
  HeldPrice,
  IdentityDetail,
  InstrumentRow,
  InstrumentTerms,
  LegalVersion,
  Message,
  NewsFeed,
  PaymentDetail,
  Setting,
  TermsChangeRow,
  TermsPreview,
  TradingTerms,
  UserProfile,
  WireAccount,
  WithdrawalCurrency,
} from '@fairlot/contract/desk'
import { readDecimal } from '@fairlot/core/decimal'
import { money } from '@fairlot/core/number'
import { instrumentSections, NEW_FIELD_TEXTS } from '../features/market/instrument-fields.ts'
import { termsOf } from '../features/market/terms-form.tsx'

const AT = Date.UTC(2026, 10, 22, 9, 11)
const price = (text: string): Decimal => readDecimal(text, 10) as Decimal

export const PROFILE: UserProfile = {
  user: {
    id: 17,
    uid: '100017',
    email: 'a@mail.example',
    phone: null,
    areaCode: null,
    isDemo: false,
    inviteCode: 'AB',
    creditScore: 100,
    restriction: null,
    identityCheck: 'form',
  },
  status: 'active',
  statusReason: '',
  freezeLapsesAt: null,
  area: 'HK',
  language: 'hk',
  registeredAt: AT,
  hasSecondFactor: true,
  passkeys: 0,
  invitedBy: null,
  noteCount: 0,
  figures: {
    balance: money(1_000_000_000n),
    equity: money(1_012_500_000n),
    profit: money(12_500_000n),
    free: money(900_000_000n),
    margin: money(112_500_000n),
    level: 900 as never,
    reserved: money(0n),
    frozen: money(0n),
    openOrders: 1,
  },
  deposits: money(1_500_000_000n),
  withdrawals: money(200_000_000n),
}

const PLACED = {
  version: 2,
  changedAt: AT,
  isOn: true,
  personDayLimit: null,
  fixedRate: null,
  rateNow: 10_000_000_000n,
  comingLimits: null,
}

export const CHANNEL: DepositChannel = {
  ...PLACED,
  id: 1,
  currencyCode: 'USDT',
  protocolCode: 'TRC20',
  dayLimit: money(5_000_000_000n),
  address: 'TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC',
  tag: '',
}

export const WIRE: WireAccount = {
  ...PLACED,
  id: 1,
  currencyCode: 'EUR',
  bankName: 'Harbour Bank',
  bankAddress: '2 Quay',
  bankSwift: 'HARBMTMT',
  payeeName: 'Fairlot',
  payeeAccount: 'MT84MALT011000012345MTLCAST001S',
  bankRemark: '',
  dayLimit: null,
}

export const CURRENCY: WithdrawalCurrency = {
  ...PLACED,
  id: 1,
  code: 'USDT',
  protocol: 'TRC20',
  kind: 'coin',
  feeType: 'fixed',
  usdPrice: price('1'),
  fee: money(1_000_000n),
  minimum: money(10_000_000n),
  maximum: null,
}

export const paymentOf = (changes: Partial<PaymentDetail>): PaymentDetail => ({
  kind: 'withdrawal',
  id: 41,
  accountId: 17,
  proof: null,
  isApproved: false,
  approvedBy: null,
  isPaying: false,
  currency: 'USDT',
  reportedAt: null,
  received: '388 USDT',
  payTo: 'TR7NHq',
  ...changes,
})

/** Both sides of the document were opened, so it can be verified. */
export const IDENTITY: IdentityDetail = {
  accountId: 17,
  name: 'Ann Heron',
  number: '••••••4567',
  front: 'f'.repeat(32),
  reverse: 'r'.repeat(32),
  sentAt: AT,
  timesSent: 1,
  isWaiting: true,
  sameNumber: [],
  samePictures: [],
  opened: ['front', 'reverse'],
}

export const QUESTION: DeskChatMessage = {
  id: 5,
  operator: null,
  text: 'Where is it?',
  picture: null,
  time: AT,
}

/** One that was changed at the desk. */
export const SETTING: Setting = {
  name: 'payout_wait_hours',
  value: '48',
  defaultValue: '24',
  source: 'stored',
  form: 'number',
  choices: [],
  comingValue: null,
  comingAt: null,
}

export const ENTRY: AuditEntryRow = {
  id: 31,
  at: AT,
  operatorId: 2,
  operator: 'M. Compliance',
  role: 'compliance',
  second: null,
  act: 'restrictPerson',
  subject: 'person:77',
  about: 'User 100077',
  accountId: 77,
  reason: 'by order of the court',
  caseKey: null,
  outcome: 'done',
  journalAt: null,
}

export const heldPrice = (): HeldPrice => ({
  instrumentId: 1,
  code: 'EURUSD',
  number: 7,
  source: 'ws',
  reason: 'suspect',
  isFresh: true,
  bid: price('1.2'),
  ask: price('1.2001'),
  at: Date.now(),
  lastMid: price('1.1'),
  offByPercent: price('9.1'),
})

export const ANNOUNCED: TermsChangeRow = {
  changeId: 5,
  kind: 'instrument',
  subject: 'EURUSD',
  status: 'announced',
  author: 'D. Dealing',
  second: null,
  decidedAt: AT,
  effectiveAt: AT + 86_400_000,
  reason: 'higher costs',
  changes: [{ field: 'feeRate', before: '0.001', after: '0.002' }],
}

export const FOREX: DeskCategory = {
  id: 1,
  version: 3,
  code: 'Forex',
  instruments: 1,
  names: [{ language: 'en', name: 'Currencies' }],
}

/** Without instruments, so it can be removed. */
export const EXOTICS: DeskCategory = { id: 7, version: 1, code: 'Exotics', instruments: 0, names: [] }

export const TRADING_TERMS: TradingTerms = {
  accountCurrency: 'USD',
  feeType: 'rate',
  demoBalance: money(100_000_000_000n),
  freshnessMs: 5_000,
  warningLevel: 100,
  stopOutLevel: 50,
  maxLivingOrders: 500,
  noticeMs: 86_400_000,
  fourEyesLimit: money(10_000_000_000n),
  fourEyesOperatorLimit: money(100_000_000_000n),
  isDemoCopyOn: true,
  isRealCopyOn: false,
  copyLegalBasis: '',
  copyMinAmount: money(100_000_000n),
  providerMinEquity: money(500_000_000n),
  maxCopiesPerUser: 20,
  maxCopiesPerProvider: 2_000,
}

export const PREVIEW: TermsPreview = {
  changes: [{ field: 'copyMinAmount', before: '100', after: '250' }],
  isWorse: true,
  needsSecond: false,
  effectiveAt: AT,
  earliestAt: AT,
  withdraws: [],
  positions: 2,
  pendingOrders: 1,
}

/** Halted by one operator, so somebody may request that it lasts longer. */
export function haltedInstrument(): InstrumentRow {
  const sections = instrumentSections({
    isNew: false,
    marginMode: 'leveraged',
    categories: [],
    sessions: [],
  })
  const names = { code: 'EURUSD', showCode: 'EUR/USD', category: 'Forex' }
  const currencies = { baseCurrency: 'EUR', quoteCurrency: 'USD', referencePrice: '1.085' }
  const read = termsOf<InstrumentTerms>(sections, { ...NEW_FIELD_TEXTS, ...names, ...currencies })
  if ('problems' in read) throw new Error(JSON.stringify(read.problems))
  return {
    id: 1,
    terms: read.terms,
    formKey: 'k1',
    isOpen: true,
    haltReason: 'the venue is down',
    haltEndsAt: AT,
    source: 'simulated',
    announced: 0,
    positions: 2,
    pendingOrders: 1,
  }
}

export const COMPANY: Company = {
  id: 4,
  version: 2,
  changedAt: AT,
  name: 'Kestrel Markets',
  subject: 'broker',
  logo: '',
  url: 'https://kestrel.example',
  registeredAddress: '1 Quay',
  location: 'Valletta',
  email: 'desk@kestrel.example',
  isOn: true,
  redirectUrl: '',
}

export const LEGAL_VERSION: LegalVersion = {
  document: 'terms',
  version: '2026-11-01',
  effectiveAt: AT,
  isInForce: true,
  writtenAt: AT,
  writtenBy: 'C. Compliance',
  reason: 'a new law',
  languages: ['en'],
}

export const MESSAGE: Message = {
  id: 'm1',
  channel: 'email',
  recipient: 'ann@mail.example',
  subject: 'New log-in',
  state: 'failed',
  name: 'newLogin',
  createdAt: AT,
  tries: 3,
  error: '550 no such mailbox',
  hasSecret: false,
}

export const NEWS_FEED: NewsFeed = {
  id: 3,
  version: 2,
  changedAt: AT,
  address: 'https://news.example/feed',
  name: 'The Example',
  language: 'en',
  category: 'market',
  itemState: 'draft',
  isOn: true,
  askedAt: AT,
  taken: 12,
  problem: null,
}

const EN = { language: 'en', title: 'Gold opens', summary: 'On Monday', body: '<p>At eight.</p>' } as const

export const newsItem = (changes: Partial<ContentItem> = {}): ContentItem => ({
  id: 7,
  kind: 'news',
  category: 'market',
  status: 'draft',
  version: 3,
  publishAt: null,
  isPinned: false,
  picture: null,
  changedAt: AT,
  changedBy: 'S. Support',
  texts: [EN],
  ...changes,
})
