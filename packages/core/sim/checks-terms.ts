/** Invariants of authors, terms, statuses, rollovers and money cases, derived from the core's own events alone. */
import type { Author, Entry, Event, PricesMarked, Receipt, TermsChange } from '../src/index.ts'

type KnownCase = {
  readonly kind: string
  readonly accountId: number
  readonly amount: bigint
  isOpen: boolean
}

export type TermsWatch = {
  version: number
  readonly announced: Map<number, TermsChange>
  readonly disabled: Set<number>
  /** Accounts that an operator has restricted. */
  readonly restricted: Set<number>
  readonly cases: Map<number, KnownCase>
  /** Rollovers as first recorded, with the version of their terms; late prices are added. */
  readonly rollovers: Map<number, { readonly snapshot: PricesMarked; readonly version: number }>
  /** The instrument of every order. */
  readonly instruments: Map<number, number>
}

export function createTermsWatch(seed: Entry): TermsWatch {
  const watch: TermsWatch = {
    version: 0,
    announced: new Map(),
    disabled: new Set(),
    restricted: new Set(),
    cases: new Map(),
    rollovers: new Map(),
    instruments: new Map(),
  }
  for (const event of seed.events) followTerms(watch, event, seed.at)
  return watch
}

/** Who may cause which event. */
const AUTHORS: Record<Event['type'], readonly Author['type'][]> = {
  accountOpened: ['user'],
  orderPlaced: ['user'],
  positionOpened: ['user', 'market', 'copy'],
  orderCancelled: ['user', 'market', 'clock'],
  positionClosed: ['user', 'market', 'operator', 'copy', 'clock'],
  positionReduced: ['user', 'copy'],
  strategyPublished: ['user'],
  strategyFeeSet: ['user'],
  strategyEnded: ['user', 'clock'],
  copyStarted: ['user'],
  copyPaused: ['user'],
  copyResumed: ['user'],
  copyStopLossSet: ['user'],
  copyTermsSet: ['user'],
  copyFunded: ['user'],
  copyReduced: ['user'],
  copySkipped: ['copy', 'user'],
  copyStopped: ['user', 'market', 'copy', 'clock'],
  copyEnded: ['user', 'market', 'copy', 'clock'],
  performanceFeeCharged: ['clock', 'market', 'copy'],
  monthFeesCharged: ['clock'],
  stopsSet: ['user'],
  trailingMoved: ['market'],
  swapBooked: ['clock', 'market', 'copy'],
  equityRangeNoted: ['clock'],
  pricesMarked: ['clock', 'market'],
  rolledOver: ['clock'],
  demoReset: ['user'],
  alertSet: ['user'],
  alertRemoved: ['user'],
  alertFired: ['market'],
  alertRearmed: ['market'],
  alertEnded: ['market', 'clock'],
  depositOpened: ['user'],
  depositEnded: ['operator'],
  withdrawalHeld: ['user'],
  withdrawalApproved: ['operator'],
  withdrawalApprovalVoided: ['operator', 'deployment'],
  withdrawalPaying: ['operator'],
  withdrawalEnded: ['user', 'operator'],
  adjustmentAsked: ['operator'],
  adjustmentEnded: ['operator', 'deployment'],
  accountStatusSet: ['operator', 'clock'],
  accountClosed: ['user'],
  termsSet: ['operator', 'deployment'],
  termsTookEffect: ['clock'],
  termsWithdrawn: ['operator', 'deployment', 'clock'],
  instrumentHalted: ['operator', 'clock'],
  tradingModeSet: ['operator', 'clock'],
  rulesSet: ['deployment'],
  payoutMethodBound: ['user', 'deployment'],
  payoutMethodRemoved: ['user'],
  operatorsAdopted: ['deployment'],
  recoveryAnnounced: ['deployment'],
  recoveryCalledOff: ['operator'],
  recoveryUsed: ['deployment'],
  operatorSet: ['operator', 'deployment'],
  operatorJoined: ['operator', 'deployment'],
  singleOperatorEnded: ['operator', 'deployment'],
  referenceAdmitted: ['operator'],
  referenceSettled: ['market'],
}

export function checkTerms(watch: TermsWatch, entry: Entry, event: Event): string[] {
  const faults = [
    checkAuthor(entry.author, event),
    checkOpening(watch, event),
    checkWithdrawn(watch, event),
    checkReceipt(watch, event),
    ...checkSwap(watch, event),
    checkCase(watch, event),
  ]
  followTerms(watch, event, entry.at)
  return faults.filter(Boolean)
}

function checkAuthor(author: Author, event: Event): string {
  if (!AUTHORS[event.type].includes(author.type)) return `${event.type} by ${author.type}`
  if (author.type === 'user' && 'accountId' in event && event.accountId !== author.accountId)
    return `${event.type} of account ${event.accountId} by user ${author.accountId}`
  if (author.type !== 'operator') return ''
  if (author.reason === '') return `${event.type} by an operator without a reason`
  return author.second?.id === author.id ? `${event.type} confirmed by the same operator` : ''
}

/** Nothing opens on a restricted account or a disabled instrument. */
function checkOpening({ restricted, disabled }: TermsWatch, event: Event): string {
  if (event.type !== 'positionOpened' && event.type !== 'orderPlaced') return ''
  if (restricted.has(event.accountId)) return `order ${event.orderId}: opened on a restricted account`
  return disabled.has(event.instrumentId) ? `order ${event.orderId}: opened on a disabled instrument` : ''
}

function checkWithdrawn({ restricted, disabled, instruments }: TermsWatch, event: Event): string {
  if (event.type !== 'orderCancelled' || event.reason !== 'withdrawnByOperator') return ''
  const isDisabled = disabled.has(instruments.get(event.orderId) ?? 0)
  return isDisabled || restricted.has(event.accountId)
    ? ''
    : `order ${event.orderId}: withdrawn for no reason`
}

/** A receipt names the terms in force; the receipt of a swap names those of its rollover. */
function checkReceipt(watch: TermsWatch, event: Event): string {
  const receipt: Receipt | null = 'receipt' in event ? event.receipt : null
  if (!receipt) return ''
  const version = event.type === 'swapBooked' ? watch.rollovers.get(event.rollover)?.version : watch.version
  return receipt.terms === version ? '' : `${event.type}: terms ${receipt.terms} instead of ${version}`
}

/** I8: a swap follows from the prices and rates recorded at its rollover. */
function checkSwap({ rollovers, instruments }: TermsWatch, event: Event): string[] {
  if (event.type === 'pricesMarked' && event.night !== null && rollovers.has(event.moment))
    return [`rollover ${event.moment} is recorded twice`]
  if (event.type !== 'swapBooked') return []
  const { orderId, rollover, receipt, amount } = event
  const openRollover = rollovers.get(rollover)?.snapshot
  const rate = openRollover?.night?.find(({ instrumentId }) => instrumentId === instruments.get(orderId))
  const isRecorded = [receipt.tick, ...receipt.conversion].every((tick) =>
    openRollover?.prices.some((price) => price.instrumentId === tick?.instrumentId && price.seq === tick.seq),
  )
  const faults = [
    openRollover ? '' : 'a rollover that was not recorded',
    rate && rate.nights === event.nights ? '' : 'not by the rates of the rollover',
    isRecorded ? '' : 'not by the prices of the rollover',
    rate && [rate.buy, rate.sell].some((each) => (each > 0 ? amount > 0n : each < 0 && amount < 0n))
      ? ''
      : 'sign',
  ]
  return faults.filter(Boolean).map((fault) => `I8 order ${orderId}, rollover ${rollover}: ${fault}`)
}

/** A case is opened once and ends at most once. */
function checkCase({ cases }: TermsWatch, event: Event): string {
  if (!('caseId' in event)) return ''
  const { caseId, type, accountId } = event
  const known = cases.get(caseId)
  const isOpening = type === 'depositOpened' || type === 'withdrawalHeld' || type === 'adjustmentAsked'
  if (isOpening) {
    cases.set(caseId, { kind: type, accountId, amount: event.amount, isOpen: true })
    return known ? `case ${caseId} opened twice` : ''
  }
  if (!known?.isOpen) return `case ${caseId}: ${type} when it is not open`
  if (type === 'withdrawalApproved' || type === 'withdrawalApprovalVoided' || type === 'withdrawalPaying')
    return known.kind === 'withdrawalHeld' && known.accountId === accountId
      ? ''
      : `case ${caseId}: ${type} of something else`
  known.isOpen = false
  const kinds = { depositEnded: 'depositOpened', withdrawalEnded: 'withdrawalHeld' }
  const kind = type === 'adjustmentEnded' ? 'adjustmentAsked' : kinds[type]
  return known.kind === kind && known.accountId === accountId ? '' : `case ${caseId}: ${type} is not its end`
}

/** Frozen money is what open withdrawals hold. */
export const frozenOfCases = ({ cases }: TermsWatch, accountId: number): bigint =>
  [...cases.values()]
    .filter((each) => each.isOpen && each.kind === 'withdrawalHeld' && each.accountId === accountId)
    .reduce((sum, { amount }) => sum + amount, 0n)

function followTerms(watch: TermsWatch, event: Event, at: number): void {
  switch (event.type) {
    case 'termsSet':
      if (event.effectiveAt > at) watch.announced.set(event.changeId, event.change)
      else applyTerms(watch, event.change)
      return
    case 'termsTookEffect': {
      const change = watch.announced.get(event.changeId)
      watch.announced.delete(event.changeId)
      if (change) applyTerms(watch, change)
      return
    }
    case 'termsWithdrawn':
      watch.announced.delete(event.changeId)
      return
    case 'accountStatusSet':
      if (event.status === 'active') watch.restricted.delete(event.accountId)
      else watch.restricted.add(event.accountId)
      return
    case 'accountClosed':
      watch.restricted.add(event.accountId)
      return
    case 'orderPlaced':
    case 'positionOpened':
      watch.instruments.set(event.orderId, event.instrumentId)
      return
    case 'pricesMarked':
      return followRollover(watch, event)
    default:
  }
}

function applyTerms(watch: TermsWatch, change: TermsChange): void {
  watch.version += 1
  if (change.kind !== 'instrument') return
  if (change.instrument.isEnabled) watch.disabled.delete(change.instrument.id)
  else watch.disabled.add(change.instrument.id)
}

function followRollover({ rollovers, version }: TermsWatch, event: PricesMarked): void {
  const known = rollovers.get(event.moment)
  if (!known) {
    if (event.night !== null) rollovers.set(event.moment, { snapshot: event, version })
    return
  }
  const snapshot = { ...known.snapshot, prices: [...known.snapshot.prices, ...event.prices] }
  rollovers.set(event.moment, { ...known, snapshot })
}
