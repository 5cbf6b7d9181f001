/** Deposits in the reference model: what was sent, what arrived, and at which rate (trading-rules §11). */
import type { EndDeposit, OpenDeposit, Operator, RejectionCode } from '../../src/index.ts'
import type { PlainEvent, PlainReceiptTick } from '../plain-types.ts'
import {
  accountFaults,
  addCase,
  caseFaults,
  findOpenCase,
  isByTwoOperators,
  isValidAmount,
  type Refused,
} from './cases.ts'
import { bookTransfer } from './deals.ts'
import { conversionPairsFrom, rateFrom, isUsableAt } from './market.ts'
import { rounded, times } from './money.ts'
import {
  hasTwoOperatorRules,
  isAboveOwnLimits,
  isSingleOperatorMode,
  limitNotes,
  type CurrentCase,
} from './operator-rules.ts'
import { asTick } from './receipt.ts'
import { firstOf, statusFaults } from './refusals.ts'
import type { ReferenceCase, ReferenceModel } from './state.ts'

export function openDeposit(model: ReferenceModel, command: OpenDeposit, events: PlainEvent[]): Refused {
  const { accountId, at } = command
  const faults = { ...accountFaults(model, accountId), ...statusFaults(model, command) }
  const draft = { kind: 'deposit', accountId, fee: 0n, askedBy: 0, openedAt: at } as const
  if (command.sent === undefined) {
    const { amount } = command
    const refused = firstOf({ ...faults, amountInvalid: !isValidAmount(amount) })
    if (refused) return refused
    const caseId = addCase(model, { ...draft, amount })
    events.push({ type: 'depositOpened', caseId, accountId, amount })
    return null
  }
  const { sent } = command
  const mid = midOf(model, sent.currency)
  const rate = sent.fixedRate ?? mid?.rate ?? 0n
  const amount = convertAtRate(sent.amount, rate)
  const refused =
    firstOf({ ...faults, amountInvalid: !isValidSentAmount(sent.amount) }) ??
    firstOf({ rateUnknown: sent.fixedRate === null && mid === null }) ??
    firstOf({ rateInvalid: !isPlausibleRate(rate, mid) }) ??
    firstOf({ amountInvalid: !isValidAmount(amount) })
  if (refused) return refused
  const caseId = addCase(model, { ...draft, amount }, { sent })
  const quotes = mid?.quotes ?? []
  events.push({ type: 'depositOpened', caseId, accountId, amount, sent: { ...sent, rate, quotes } })
  return null
}

type ReferenceMid = { readonly rate: bigint; readonly quotes: readonly PlainReceiptTick[] }

/** One unit of a currency in the account currency, in units of 1e-10; null where no pairs convert it. */
export function midOf(model: ReferenceModel, currency: string): ReferenceMid | null {
  const found = rateFrom(model, currency)
  if (!found || found.q.numerator <= 0n) return null
  const rate = rounded(times(found.q, { numerator: 10n ** 10n, denominator: 1n }))
  return rate > 0n ? { rate, quotes: found.quotes.map(asTick) } : null
}

/** Units of 1e-8 of a currency times a rate in units of 1e-10: millionths of the account currency. */
const convertAtRate = (sent: bigint, rate: bigint): bigint =>
  rounded({ numerator: sent * rate, denominator: 10n ** 12n })

const isValidSentAmount = (amount: bigint): boolean => amount > 0n && amount <= 10n ** 20n

/** Above zero, and within a factor of ten of the market. */
const isPlausibleRate = (rate: bigint, mid: ReferenceMid | null): boolean =>
  rate > 0n && rate <= 10n ** 18n && (!mid || (rate <= 10n * mid.rate && 10n * rate >= mid.rate))

/** Credits the amount that the operator confirms; large amounts need two operators. */
export function endDeposit(model: ReferenceModel, command: EndDeposit, events: PlainEvent[]): Refused {
  const { caseId, outcome, by, at } = command
  const isCredit = outcome === 'finished'
  const unknown = firstOf(caseFaults(model, caseId, 'deposit'))
  const deposit = findOpenCase(model, caseId)
  if (unknown || !deposit) return unknown
  const { accountId } = deposit
  const credit = isCredit ? creditOf(model, deposit, command) : NO_CREDIT
  if (typeof credit === 'string') return credit
  const { amount, arrived, isFarFromMid } = credit
  if (isCredit) {
    const counted = { at, caseId, accountId, amount, isFarFromMid }
    noteLimits(model, by, counted)
    if (needsSecondOperator(model, by, counted)) return 'secondOperatorNeeded'
  }
  deposit.end = outcome
  const posting = { brokerAccount: 'deposits', kind: 'deposit', at, caseId } as const
  const transfers = isCredit ? bookTransfer(model, { accountId, orderId: null }, amount, posting) : []
  const credited = isCredit ? amount : 0n
  const ended = { caseId, accountId, outcome, amount: credited, transfers, ...(arrived && { arrived }) }
  if (arrived) noteArrival(model, arrived, deposit, { at, isFarFromMid })
  const operators = isCredit && hasTwoOperatorRules(model) && { operators: operatorIdsOf(by) }
  events.push({ type: 'depositEnded', ...ended, ...operators })
  return null
}

type CountedCredit = CurrentCase & { readonly amount: bigint; readonly isFarFromMid: boolean }

function needsSecondOperator(model: ReferenceModel, by: Operator, credit: CountedCredit): boolean {
  if (isByTwoOperators(by)) return isSingleOperatorMode(model)
  if (!hasTwoOperatorRules(model)) return credit.amount > model.settings.fourEyesLimit
  return isSingleOperatorMode(model) || credit.isFarFromMid || isAboveOwnLimits(model, by, credit)
}

/** Notes by which limit a credit of one operator was refused, or how it just stayed within the limits. */
function noteLimits(model: ReferenceModel, by: Operator, credit: CountedCredit): void {
  const isDecidedByLimits = hasTwoOperatorRules(model) && !isSingleOperatorMode(model) && !credit.isFarFromMid
  if (isDecidedByLimits && by.second === null) model.notes.push(...limitNotes(model, by, credit))
}

type ReferenceArrival = NonNullable<Extract<PlainEvent, { type: 'depositEnded' }>['arrived']>
type ReferenceCredit = {
  readonly amount: bigint
  readonly arrived: ReferenceArrival | null
  readonly isFarFromMid: boolean
}

const NO_CREDIT: ReferenceCredit = { amount: 0n, arrived: null, isFarFromMid: false }

/** The credited amount: as entered, at the fixed rate, at the rate of its arrival, or at current prices. */
function creditOf(
  model: ReferenceModel,
  { sent, openedAt }: ReferenceCase,
  command: EndDeposit,
): ReferenceCredit | RejectionCode {
  const { at, arrived: claim } = command
  if (!sent) {
    const amount = command.amount ?? 0n
    return firstOf({ amountInvalid: !isValidAmount(amount) }) ?? { ...NO_CREDIT, amount }
  }
  if (!claim) return 'amountInvalid'
  const arrivedAt = claim.at ?? at
  const isNow = arrivedAt === at
  const mid = midOf(model, sent.currency)
  const isByMarket = sent.fixedRate === null && isNow
  const rate = sent.fixedRate ?? (isNow ? mid?.rate : claim.rate)
  const refused = firstOf({
    amountInvalid: !isValidSentAmount(claim.amount),
    arrivalInvalid: arrivedAt < openedAt || arrivedAt > at,
    rateUnknown: rate === undefined,
    rateStale: isByMarket && mid?.quotes.some((quote) => !isUsableAt(model, quote, at)) === true,
    rateInvalid: rate !== undefined && !isPlausibleRate(rate, mid),
  })
  if (refused || rate === undefined) return refused ?? 'rateUnknown'
  const amount = convertAtRate(claim.amount, rate)
  if (!isValidAmount(amount)) return 'amountInvalid'
  const deviation = mid ? (rate > mid.rate ? rate - mid.rate : mid.rate - rate) : 0n
  const isFarFromMid = mid ? 100n * deviation > mid.rate : conversionPairsFrom(model, sent.currency) !== null
  return {
    amount,
    isFarFromMid,
    arrived: {
      currency: sent.currency,
      amount: claim.amount,
      at: arrivedAt,
      rate,
      quotes: mid?.quotes ?? [],
    },
  }
}

function noteArrival(
  model: ReferenceModel,
  { at: arrivedAt, amount }: ReferenceArrival,
  { sent }: ReferenceCase,
  { at, isFarFromMid }: { readonly at: number; readonly isFarFromMid: boolean },
): void {
  if (sent?.fixedRate !== null) model.notes.push('deposit at a fixed rate')
  else model.notes.push(arrivedAt === at ? 'deposit at the current rate' : 'deposit at an earlier rate')
  if (isFarFromMid) model.notes.push('deposit far from the mid, by two operators')
  if (amount !== sent?.amount) model.notes.push('deposit of less or more than was sent')
}

const operatorIdsOf = ({ id, second }: Operator): number[] => (second ? [id, second.id] : [id])
