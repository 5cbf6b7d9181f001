/** Terms and authors as the journal has them. */
import type {
  Author,
  DeploymentAuthor,
  Instrument,
  InstrumentSource,
  Listing,
  Operator,
  SessionText,
  TermsChange,
  TradingSettings,
} from '@fairlot/core'
import { bigint, flag, list, number, optional, orNull, record, text, union, word } from './field-codec.ts'

type Second = NonNullable<Operator['second']>
type ChangeOf<Kind extends TermsChange['kind']> = Extract<TermsChange, { kind: Kind }>
type AuthorOf<Type extends Author['type']> = Extract<Author, { type: Type }>

export const authorCodec = union<'type', Author>('type', {
  user: record<AuthorOf<'user'>>({ type: word(), accountId: number() }),
  market: record<AuthorOf<'market'>>({ type: word() }),
  clock: record<AuthorOf<'clock'>>({ type: word() }),
  deployment: record<DeploymentAuthor>({ type: word() }),
  operator: record<Operator>({
    type: word(),
    id: number(),
    role: word(),
    reason: text,
    second: orNull(record<Second>({ id: number(), role: word() })),
  }),
})

const settings = record<TradingSettings>({
  accountCurrency: text,
  feeType: word(),
  demoBalance: bigint(),
  freshnessMs: number(),
  warningLevel: number(),
  stopOutLevel: number(),
  maxLivingOrders: number(),
  noticeMs: number(),
  fourEyesLimit: bigint(),
})

const instrument = record<Instrument>({
  id: number(),
  code: text,
  quoteCurrency: text,
  baseCurrency: text,
  priceDecimals: number(),
  contractSize: number(),
  marginMode: word(),
  leverages: list(number()),
  lotStep: number(),
  lotMin: number(),
  lotMax: number(),
  feeRate: number(),
  minStopDistance: number(),
  allowsNegativePrice: flag,
  suspectBand: number(),
  maxSpread: number(),
  session: text,
  swapRate: record<Instrument['swapRate']>({ buy: number(), sell: number() }),
  tripleSwapDay: word(),
  isEnabled: flag,
  freshnessMs: optional(number()),
  markUp: optional(number()),
  sourceOrder: optional(list(text)),
})

const listing = record<Listing>({
  showCode: text,
  name: orNull(text),
  category: text,
  logo: text,
  sort: number(),
  pricePip: number(),
  typicalSpread: number(),
  referencePrice: number(),
  yearlyVolatility: number(),
})

const session = record<SessionText>({
  name: text,
  zone: text,
  windows: text,
  holidays: list(record<SessionText['holidays'][number]>({ date: text, closesAt: orNull(text) })),
})

const source = record<InstrumentSource>({
  kind: orNull(word()),
  hours: word(),
  freshnessMs: orNull(number()),
  name: optional(text),
})

export const termsChangeCodec = union<'kind', TermsChange>('kind', {
  settings: record<ChangeOf<'settings'>>({ kind: word(), settings }),
  instrument: record<ChangeOf<'instrument'>>({ kind: word(), instrument, listing: orNull(listing) }),
  calendar: record<ChangeOf<'calendar'>>({ kind: word(), session }),
  source: record<ChangeOf<'source'>>({ kind: word(), instrumentId: number(), source }),
})

export const decodeTermsChange = (json: string): TermsChange => termsChangeCodec.read(JSON.parse(json))
