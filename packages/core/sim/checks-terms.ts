/** Invariants of authors, terms, statuses, nights and money cases, from the core's own events alone. */
import type { Author, Entry, Event, PricesMarked, Receipt, TermsChange } from '../src/index.ts'

type Known = { readonly kind: string; readonly accountId: number; readonly amount: bigint; isOpen: boolean }

export type TermsWatch = {
  version: number
  readonly announced: Map<number, TermsChange>
  readonly off: Set<number>
  /** Accounts that an operator has restricted. */
  readonly restricted: Set<number>
  readonly cases: Map<number, Known>
  /** Nights as they were first marked, with the version of their terms; late prices are added. */
  readonly nights: Map<number, { readonly mark: PricesMarked; readonly version: number }>
  /** Where every living order lies. */
  readonly instruments: Map<number, number>
}

export function createTermsWatch(seed: Entry): TermsWatch {
  const watch: TermsWatch = {
    ...{ version: 0, announced: new Map(), off: new Set(), restricted: new Set() },
    ...{ cases: new Map(), nights: new Map(), instruments: new Map() },
  }
  for (const event of seed.events) followTerms(watch, event, seed.at)
  return watch
}

/** Whose hand may be in what. */
const AUTHORS: Record<Event['type'], readonly Author['type'][]> = {
  accountOpened: ['user'],
  orderPlaced: ['user'],
  positionOpened: ['user', 'market'],
  orderCancelled: ['user', 'market', 'clock'],
  positionClosed: ['user', 'market', 'operator'],
  positionReduced: ['user'],
  stopsSet: ['user'],
  trailingMoved: ['market'],
  swapBooked: ['clock', 'market'],
  pricesMarked: ['clock', 'market'],
  rolledOver: ['clock'],
  demoReset: ['user'],
  depositOpened: ['user'],
  depositEnded: ['operator'],
  withdrawalHeld: ['user'],
  withdrawalEnded: ['user', 'operator'],
  adjustmentAsked: ['operator'],
  adjustmentEnded: ['operator'],
  accountStatusSet: ['operator'],
  accountClosed: ['user'],
  termsSet: ['operator', 'deployment'],
  termsTookEffect: ['clock'],
  termsWithdrawn: ['operator', 'clock'],
  instrumentHalted: ['operator'],
  tradingModeSet: ['operator'],
}

export function checkTerms(watch: TermsWatch, entry: Entry, event: Event): string[] {
  const faults = [
    checkAuthor(entry.author, event),
    checkOpening(watch, event),
    checkWithdrawn(watch, event),
    checkReceipt(watch, event),
    ...checkNight(watch, event),
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

/** Nothing opens where the account or the instrument may not. */
function checkOpening({ restricted, off }: TermsWatch, event: Event): string {
  if (event.type !== 'positionOpened' && event.type !== 'orderPlaced') return ''
  if (restricted.has(event.accountId)) return `order ${event.orderId}: opened on a restricted account`
  return off.has(event.instrumentId) ? `order ${event.orderId}: opened on an instrument that is off` : ''
}

function checkWithdrawn({ restricted, off, instruments }: TermsWatch, event: Event): string {
  if (event.type !== 'orderCancelled' || event.reason !== 'withdrawnByOperator') return ''
  const isOff = off.has(instruments.get(event.orderId) ?? 0)
  return isOff || restricted.has(event.accountId) ? '' : `order ${event.orderId}: withdrawn for no reason`
}

/** A receipt names the terms in force; that of a night those of the night. */
function checkReceipt(watch: TermsWatch, event: Event): string {
  const receipt: Receipt | null = 'receipt' in event ? event.receipt : null
  if (!receipt) return ''
  const version = event.type === 'swapBooked' ? watch.nights.get(event.rollover)?.version : watch.version
  return receipt.terms === version ? '' : `${event.type}: terms ${receipt.terms} instead of ${version}`
}

/** I8: from the prices and rates that were marked, of no other time. */
function checkNight({ nights, instruments }: TermsWatch, event: Event): string[] {
  if (event.type === 'pricesMarked' && event.night !== null && nights.has(event.moment))
    return [`night ${event.moment} is marked twice`]
  if (event.type !== 'swapBooked') return []
  const { orderId, rollover, receipt, amount } = event
  const night = nights.get(rollover)?.mark
  const rate = night?.night?.find(({ instrumentId }) => instrumentId === instruments.get(orderId))
  const isMarked = [receipt.tick, ...receipt.conversion].every((tick) =>
    night?.prices.some((price) => price.instrumentId === tick?.instrumentId && price.seq === tick.seq),
  )
  const faults = [
    night ? '' : 'a night that was not marked',
    rate && rate.nights === event.nights ? '' : 'not by the rates of the night',
    isMarked ? '' : 'not by the prices of the night',
    rate && [rate.buy, rate.sell].some((each) => (each > 0 ? amount > 0n : each < 0 && amount < 0n))
      ? ''
      : 'sign',
  ]
  return faults.filter(Boolean).map((fault) => `I8 order ${orderId}, night ${rollover}: ${fault}`)
}

/** One opening, at most one end. */
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
  known.isOpen = false
  const kinds = { depositEnded: 'depositOpened', withdrawalEnded: 'withdrawalHeld' }
  const kind = type === 'adjustmentEnded' ? 'adjustmentAsked' : kinds[type]
  return known.kind === kind && known.accountId === accountId ? '' : `case ${caseId}: ${type} is not its end`
}

/** What lies frozen is what open withdrawals hold. */
export const frozenOfCases = ({ cases }: TermsWatch, accountId: number): bigint =>
  [...cases.values()]
    .filter((each) => each.isOpen && each.kind === 'withdrawalHeld' && each.accountId === accountId)
    .reduce((sum, { amount }) => sum + amount, 0n)

function followTerms(watch: TermsWatch, event: Event, at: number): void {
  switch (event.type) {
    case 'termsSet':
      if (event.effectiveAt > at) watch.announced.set(event.changeId, event.change)
      else bringInto(watch, event.change)
      return
    case 'termsTookEffect': {
      const change = watch.announced.get(event.changeId)
      watch.announced.delete(event.changeId)
      if (change) bringInto(watch, change)
      return
    }
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
      return followNight(watch, event)
    default:
  }
}

function bringInto(watch: TermsWatch, change: TermsChange): void {
  watch.version += 1
  if (change.kind !== 'instrument') return
  if (change.instrument.isEnabled) watch.off.delete(change.instrument.id)
  else watch.off.add(change.instrument.id)
}

function followNight({ nights, version }: TermsWatch, event: PricesMarked): void {
  const known = nights.get(event.moment)
  if (!known) {
    if (event.night !== null) nights.set(event.moment, { mark: event, version })
    return
  }
  const mark = { ...known.mark, prices: [...known.mark.prices, ...event.prices] }
  nights.set(event.moment, { ...known, mark })
}
