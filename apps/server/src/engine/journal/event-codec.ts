import type {
  AlertCondition,
  AlertFired,
  Arrival,
  Author,
  CopiedFill,
  CopySource,
  CopyTerms,
  CopyingSettings,
  DeploymentAuthor,
  Event,
  FreezeAlone,
  RecentFreeze,
  Instrument,
  InstrumentSource,
  Listing,
  ModeAndReason,
  Money,
  Operator,
  OrderTerms,
  PayoutQuote,
  PositionTerms,
  Priced,
  Receipt,
  ReceiptTick,
  SentMoney,
  SessionText,
  SwapRate,
  TermsChange,
  TradingSettings,
  Transfer,
} from '@fairlot/core'
import {
  bigint,
  flag,
  list,
  number,
  optional,
  orNull,
  record,
  text,
  union,
  literal,
  writtenOnce,
  type Codec,
  type Fields,
} from './field-codec.ts'

/** Codecs of terms and authors as stored in the journal. */
type Second = NonNullable<Operator['second']>
type ChangeOf<Kind extends TermsChange['kind']> = Extract<TermsChange, { kind: Kind }>
type AuthorOf<Type extends Author['type']> = Extract<Author, { type: Type }>

export const authorCodec = union<'type', Author>('type', {
  user: record<AuthorOf<'user'>>({ type: literal(), accountId: number() }),
  copy: record<AuthorOf<'copy'>>({ type: literal(), accountId: number(), orderId: number() }),
  market: record<AuthorOf<'market'>>({ type: literal() }),
  clock: record<AuthorOf<'clock'>>({ type: literal() }),
  deployment: record<DeploymentAuthor>({ type: literal() }),
  operator: record<Operator>({
    type: literal(),
    id: number(),
    role: literal(),
    reason: text,
    second: orNull(record<Second>({ id: number(), role: literal() })),
  }),
})

const copying = record<CopyingSettings>({
  minAmount: bigint(),
  maxCopiesPerUser: number(),
  maxCopiesPerProvider: number(),
  providerMinEquity: bigint(),
  isDemoOn: flag,
  isRealOn: flag,
  legalBasis: text,
})

const settings = record<TradingSettings>({
  accountCurrency: text,
  feeType: literal(),
  demoBalance: bigint(),
  freshnessMs: number(),
  warningLevel: number(),
  stopOutLevel: number(),
  maxLivingOrders: number(),
  noticeMs: number(),
  fourEyesLimit: bigint(),
  fourEyesOperatorLimit: optional(bigint()),
  copying: optional(copying),
})

const instrument = record<Instrument>({
  id: number(),
  code: text,
  quoteCurrency: text,
  baseCurrency: text,
  priceDecimals: number(),
  contractSize: number(),
  marginMode: literal(),
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
  tripleSwapDay: literal(),
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
  kind: orNull(literal()),
  hours: literal(),
  freshnessMs: orNull(number()),
  name: optional(text),
})

export const termsChangeCodec = union<'kind', TermsChange>('kind', {
  settings: record<ChangeOf<'settings'>>({ kind: literal(), settings }),
  instrument: record<ChangeOf<'instrument'>>({ kind: literal(), instrument, listing: orNull(listing) }),
  calendar: record<ChangeOf<'calendar'>>({ kind: literal(), session }),
  source: record<ChangeOf<'source'>>({ kind: literal(), instrumentId: number(), source }),
})

export const decodeTermsChange = (json: string): TermsChange => termsChangeCodec.read(JSON.parse(json))

/** Codecs of all events as stored in the journal. A field added to an event does not compile until it is named here. */
type EventOf<Type extends Event['type']> = Extract<Event, { type: Type }>

/** For a flag that is either true or left out. */
const yes: Codec<true> = {
  write: () => 'true',
  read: (raw) => {
    if (raw === true) return true
    throw new Error(`the journal has ${String(raw)} where only true is allowed`)
  },
}

const tick = writtenOnce(
  record<ReceiptTick>({
    instrumentId: number(),
    bid: number(),
    ask: number(),
    seq: number(),
    time: number(),
    receivedAt: number(),
    source: text,
    markUp: optional(number()),
    admitted: optional(yes),
  }),
)

const ticks = list(tick)

const copySource = record<CopySource>({ accountId: number(), orderId: number() })

const receipt = record<Receipt>({
  action: literal(),
  trigger: literal(),
  tick: orNull(tick),
  quoteSide: orNull(literal()),
  requestedPrice: orNull(number()),
  filledPrice: orNull(number()),
  slippage: number(),
  delayMs: number(),
  conversion: ticks,
  ruleVersion: number(),
  terms: number(),
  prices: optional(ticks),
  ground: optional(literal()),
  kind: optional(literal()),
  copied: optional(copySource),
})

const transfers = list(
  record<Transfer>({
    debit: literal(),
    credit: literal(),
    amount: bigint(),
    kind: literal(),
    orderId: orNull(number()),
    caseId: optional(number()),
  }),
)

const orderTerms: Fields<OrderTerms> = {
  orderId: number(),
  accountId: number(),
  instrumentId: number(),
  side: literal(),
  kind: literal(),
  lots: number(),
  leverage: number(),
  targetPrice: orNull(number()),
  acceptedPrice: number(),
  takeProfit: orNull(number()),
  stopLoss: orNull(number()),
  expiresAt: orNull(number()),
  createdAt: number(),
  margin: bigint(),
  fee: bigint(),
}

const sentFields: Fields<SentMoney> = {
  currency: text,
  amount: bigint(),
  fixedRate: orNull(bigint()),
}

/** Money sent and money that arrived, as stored in the table of money cases: without the prices behind the rate. */
export const sentCodec = record<SentMoney & Pick<Priced, 'rate'>>({ ...sentFields, rate: bigint() })
export const arrivalCodec = record<Omit<Arrival, 'quotes'>>({
  currency: text,
  amount: bigint(),
  at: number(),
  rate: bigint(),
})

export const payoutQuoteCodec = record<PayoutQuote>({
  methodId: number(),
  destination: number(),
  currencyId: number(),
  price: bigint(),
  received: bigint(),
})

const swapRate = record<SwapRate>({
  instrumentId: number(),
  buy: number(),
  sell: number(),
  nights: number(),
})

export const swapRatesCodec = list(swapRate)

export const decodeSwapRates = (json: string) => swapRatesCodec.read(JSON.parse(json))

type ConditionOf<Kind extends AlertCondition['kind']> = Extract<AlertCondition, { kind: Kind }>

/** What an alert waits for, in the journal and in the table of alerts. */
export const alertConditionCodec = union<'kind', AlertCondition>('kind', {
  price: record<ConditionOf<'price'>>({
    kind: literal(),
    instrumentId: number(),
    side: literal(),
    direction: literal(),
    price: number(),
    decimals: number(),
  }),
  dayMove: record<ConditionOf<'dayMove'>>({
    kind: literal(),
    instrumentId: number(),
    direction: literal(),
    move: number(),
    decimals: number(),
  }),
  marginLevel: record<ConditionOf<'marginLevel'>>({ kind: literal(), level: number() }),
})

const firing: Fields<AlertFiring> = {
  tick,
  reference: optional(record<NonNullable<AlertFired['reference']>>({ bid: number(), ask: number() })),
  margin: optional(
    record<NonNullable<AlertFired['margin']>>({ equity: bigint(), margin: bigint(), prices: ticks }),
  ),
}

/** What fired an alert. */
export type AlertFiring = Pick<AlertFired, 'tick' | 'reference' | 'margin'>
export const alertFiringCodec = record<AlertFiring>(firing)

const freezeAlone = record<FreezeAlone>({ lapsesAt: number(), status: literal(), reason: text })

type OpenOrders = NonNullable<EventOf<'copyStarted'>['openOrders']>
type StopLossProof = NonNullable<EventOf<'copyStopped'>['proof']>

const ended = { type: literal(), orderId: number(), accountId: number(), reason: literal() } as const
const money = { accountId: number(), transfers }
const withdrawalStep = {
  caseId: number(),
  accountId: number(),
  amount: bigint<Money>(),
  destination: orNull(number()),
  operatorId: number(),
}

export const eventCodec = union<'type', Event>('type', {
  accountOpened: record<EventOf<'accountOpened'>>({
    type: literal(),
    accountId: number(),
    ledger: literal(),
    transfers,
  }),
  orderPlaced: record<EventOf<'orderPlaced'>>({ type: literal(), ...orderTerms, receipt }),
  positionOpened: record<EventOf<'positionOpened'>>({
    type: literal(),
    ...orderTerms,
    openPrice: number(),
    receipt,
    transfers,
    strategyEquity: optional(bigint()),
    copied: optional(
      record<CopiedFill>({
        providerLots: number(),
        equity: bigint(),
        multiplier: optional(number()),
        reason: optional(literal()),
      }),
    ),
  }),
  orderCancelled: record<EventOf<'orderCancelled'>>({
    ...ended,
    type: literal(),
    reason: literal(),
    receipt,
  }),
  positionClosed: record<EventOf<'positionClosed'>>({
    ...ended,
    type: literal(),
    reason: literal(),
    closePrice: orNull(number()),
    profit: bigint(),
    receipt,
    transfers,
  }),
  positionReduced: record<EventOf<'positionReduced'>>({
    ...ended,
    type: literal(),
    reason: literal(),
    partId: number(),
    lots: number(),
    margin: bigint(),
    closePrice: number(),
    position: record<PositionTerms>({ ...orderTerms, openPrice: number(), openedAt: number() }),
    profit: bigint(),
    receipt,
    transfers,
  }),
  stopsSet: record<EventOf<'stopsSet'>>({
    type: literal(),
    orderId: number(),
    accountId: number(),
    takeProfit: orNull(number()),
    stopLoss: orNull(number()),
    trailingDistance: orNull(number()),
  }),
  swapBooked: record<EventOf<'swapBooked'>>({
    type: literal(),
    orderId: number(),
    accountId: number(),
    rollover: number(),
    nights: number(),
    amount: bigint(),
    receipt,
    transfers,
  }),
  equityRangeNoted: record<EventOf<'equityRangeNoted'>>({
    type: literal(),
    accountId: number(),
    moment: number(),
    lowest: bigint(),
    highest: bigint(),
    equity: bigint(),
  }),
  pricesMarked: record<EventOf<'pricesMarked'>>({
    type: literal(),
    moment: number(),
    prices: ticks,
    night: orNull(swapRatesCodec),
  }),
  rolledOver: record<EventOf<'rolledOver'>>({ type: literal(), rollover: number() }),
  trailingMoved: record<EventOf<'trailingMoved'>>({ type: literal(), instrumentId: number(), tick }),
  demoReset: record<EventOf<'demoReset'>>({ type: literal(), ...money, start: optional(bigint()) }),
  depositOpened: record<EventOf<'depositOpened'>>({
    type: literal(),
    caseId: number(),
    accountId: number(),
    amount: bigint(),
    sent: optional(record<SentMoney & Priced>({ ...sentFields, rate: bigint(), quotes: ticks })),
  }),
  depositEnded: record<EventOf<'depositEnded'>>({
    type: literal(),
    caseId: number(),
    outcome: literal(),
    amount: bigint(),
    ...money,
    arrived: optional(
      record<Arrival>({ currency: text, amount: bigint(), at: number(), rate: bigint(), quotes: ticks }),
    ),
    operators: optional(list(number())),
  }),
  withdrawalHeld: record<EventOf<'withdrawalHeld'>>({
    type: literal(),
    caseId: number(),
    amount: bigint(),
    fee: bigint(),
    ...money,
    payout: optional(payoutQuoteCodec),
  }),
  withdrawalApproved: record<EventOf<'withdrawalApproved'>>({ type: literal(), ...withdrawalStep }),
  withdrawalApprovalVoided: record<EventOf<'withdrawalApprovalVoided'>>({
    type: literal(),
    caseId: number(),
    accountId: number(),
  }),
  withdrawalPaying: record<EventOf<'withdrawalPaying'>>({ type: literal(), ...withdrawalStep }),
  withdrawalEnded: record<EventOf<'withdrawalEnded'>>({
    type: literal(),
    caseId: number(),
    outcome: literal(),
    ...money,
  }),
  adjustmentAsked: record<EventOf<'adjustmentAsked'>>({
    type: literal(),
    caseId: number(),
    accountId: number(),
    amount: bigint(),
    askedBy: number(),
  }),
  adjustmentEnded: record<EventOf<'adjustmentEnded'>>({
    type: literal(),
    caseId: number(),
    outcome: literal(),
    ...money,
    operators: optional(list(number())),
  }),
  payoutMethodBound: record<EventOf<'payoutMethodBound'>>({
    type: literal(),
    accountId: number(),
    methodId: number(),
    destination: number(),
    digest: text,
  }),
  payoutMethodRemoved: record<EventOf<'payoutMethodRemoved'>>({
    type: literal(),
    accountId: number(),
    methodId: number(),
  }),
  alertSet: record<EventOf<'alertSet'>>({
    type: literal(),
    alertId: number(),
    accountId: number(),
    condition: alertConditionCodec,
    pauseMs: orNull(number()),
    expiresAt: optional(number()),
    tick: orNull(tick),
  }),
  alertRemoved: record<EventOf<'alertRemoved'>>({ type: literal(), alertId: number(), accountId: number() }),
  alertFired: record<EventOf<'alertFired'>>({
    type: literal(),
    alertId: number(),
    accountId: number(),
    condition: alertConditionCodec,
    wakesAt: orNull(number()),
    awaitsReturn: optional(yes),
    ...firing,
  }),
  alertEnded: record<EventOf<'alertEnded'>>({
    type: literal(),
    alertId: number(),
    accountId: number(),
    condition: alertConditionCodec,
    reason: literal(),
  }),
  alertRearmed: record<EventOf<'alertRearmed'>>({
    type: literal(),
    alertId: number(),
    accountId: number(),
    tick,
  }),
  operatorsAdopted: record<EventOf<'operatorsAdopted'>>({ type: literal(), mayPayAlone: flag }),
  operatorSet: record<EventOf<'operatorSet'>>({
    type: literal(),
    operatorId: number(),
    role: literal(),
    isActive: flag,
  }),
  operatorJoined: record<EventOf<'operatorJoined'>>({ type: literal(), operatorId: number() }),
  recoveryAnnounced: record<EventOf<'recoveryAnnounced'>>({
    type: literal(),
    operatorId: orNull(number()),
    name: text,
    role: literal(),
    effectiveAt: number(),
    reason: text,
    digest: text,
  }),
  recoveryCalledOff: record<EventOf<'recoveryCalledOff'>>({ type: literal() }),
  recoveryUsed: record<EventOf<'recoveryUsed'>>({ type: literal(), operatorId: number() }),
  singleOperatorEnded: record<EventOf<'singleOperatorEnded'>>({ type: literal() }),
  accountStatusSet: record<EventOf<'accountStatusSet'>>({
    type: literal(),
    accountId: number(),
    status: literal(),
    reason: text,
    alone: optional(freezeAlone),
    recentFreeze: optional(record<RecentFreeze>({ since: number(), endedAt: orNull(number()) })),
  }),
  accountClosed: record<EventOf<'accountClosed'>>({ type: literal(), accountId: number(), left: bigint() }),
  strategyPublished: record<EventOf<'strategyPublished'>>({
    type: literal(),
    strategyId: number(),
    accountId: number(),
    feeShare: number(),
    equity: bigint(),
  }),
  strategyFeeSet: record<EventOf<'strategyFeeSet'>>({
    type: literal(),
    strategyId: number(),
    accountId: number(),
    feeShare: number(),
  }),
  strategyEnded: record<EventOf<'strategyEnded'>>({
    type: literal(),
    strategyId: number(),
    accountId: number(),
    reason: literal(),
  }),
  copyStarted: record<EventOf<'copyStarted'>>({
    type: literal(),
    ...money,
    ownerId: number(),
    ledger: literal(),
    strategyId: number(),
    providerId: number(),
    terms: record<CopyTerms>({ multiplier: number(), exposureLimit: number(), stopLoss: number() }),
    feeShare: number(),
    amount: bigint(),
    carriedLoss: bigint(),
    openOrders: optional(record<OpenOrders>({ strategyEquity: bigint(), prices: ticks })),
  }),
  copyPaused: record<EventOf<'copyPaused'>>({ type: literal(), accountId: number() }),
  copyResumed: record<EventOf<'copyResumed'>>({ type: literal(), accountId: number() }),
  copyStopLossSet: record<EventOf<'copyStopLossSet'>>({
    type: literal(),
    accountId: number(),
    stopLoss: number(),
  }),
  copyTermsSet: record<EventOf<'copyTermsSet'>>({
    type: literal(),
    accountId: number(),
    multiplier: number(),
    exposureLimit: number(),
    excluded: list(number()),
  }),
  copyFunded: record<EventOf<'copyFunded'>>({
    type: literal(),
    ...money,
    amount: bigint(),
    base: bigint(),
    mark: bigint(),
  }),
  copyReduced: record<EventOf<'copyReduced'>>({
    type: literal(),
    ...money,
    amount: bigint(),
    fee: bigint(),
    equity: bigint(),
    prices: ticks,
    base: bigint(),
    mark: bigint(),
  }),
  copySkipped: record<EventOf<'copySkipped'>>({
    type: literal(),
    accountId: number(),
    source: copySource,
    reason: literal(),
    equity: orNull(bigint()),
    multiplier: optional(number()),
  }),
  copyStopped: record<EventOf<'copyStopped'>>({
    type: literal(),
    accountId: number(),
    reason: literal(),
    proof: optional(record<StopLossProof>({ equity: bigint(), prices: ticks })),
  }),
  copyEnded: record<EventOf<'copyEnded'>>({
    type: literal(),
    ...money,
    reason: literal(),
    fee: bigint(),
    carriedLoss: bigint(),
  }),
  performanceFeeCharged: record<EventOf<'performanceFeeCharged'>>({
    type: literal(),
    ...money,
    moment: number(),
    equity: orNull(bigint()),
    fee: bigint(),
    mark: bigint(),
  }),
  monthFeesCharged: record<EventOf<'monthFeesCharged'>>({ type: literal(), moment: number() }),
  termsSet: record<EventOf<'termsSet'>>({
    type: literal(),
    changeId: number(),
    effectiveAt: number(),
    change: termsChangeCodec,
    rules: optional(number()),
  }),
  termsTookEffect: record<EventOf<'termsTookEffect'>>({ type: literal(), changeId: number() }),
  termsWithdrawn: record<EventOf<'termsWithdrawn'>>({
    type: literal(),
    changeId: number(),
    rules: optional(number()),
  }),
  instrumentHalted: record<EventOf<'instrumentHalted'>>({
    type: literal(),
    instrumentId: number(),
    reason: orNull(text),
    endsAt: optional(orNull(number())),
    aloneFrom: optional(number()),
  }),
  tradingModeSet: record<EventOf<'tradingModeSet'>>({
    type: literal(),
    mode: literal(),
    reason: optional(text),
    endsAt: optional(orNull(number())),
    after: optional(record<ModeAndReason>({ mode: literal(), reason: text })),
    aloneFrom: optional(number()),
  }),
  rulesSet: record<EventOf<'rulesSet'>>({
    type: literal(),
    rules: number(),
    rangesFrom: optional(number()),
  }),
  referenceAdmitted: record<EventOf<'referenceAdmitted'>>({
    type: literal(),
    instrumentId: number(),
    bid: number(),
    ask: number(),
    source: text,
    market: orNull(record<Pick<ReceiptTick, 'bid' | 'ask'>>({ bid: number(), ask: number() })),
  }),
  referenceSettled: record<EventOf<'referenceSettled'>>({ type: literal(), instrumentId: number(), tick }),
})
