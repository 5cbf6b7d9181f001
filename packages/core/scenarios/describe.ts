/** Says in a trader's words what came of a command, and what the account looks like. */
import {
  divideRounded,
  formatDecimal,
  isRejection,
  type Event,
  type Outcome,
  type Price,
  type Rejection,
  type Transfer,
} from '../src/index.ts'
import { figures, type Harness } from './harness.ts'
import { INSTRUMENTS } from './market.ts'
import type { Column } from './story.ts'

/** "4613.333333", but "4617.00": at least two decimals, and no zeros at the end beyond them. */
export const money = (amount: bigint): string => formatDecimal(amount, 6).replace(/0{1,4}$/, '')

export function report(outcome: Outcome | Rejection | null): string {
  if (outcome === null) return ''
  if (isRejection(outcome)) return `refused: ${outcome.rejected}`
  return outcome.entry.events.map(sentence).join('; ')
}

function sentence(event: Event): string {
  switch (event.type) {
    case 'positionOpened':
      return `#${event.orderId} opened at ${at(event.receipt, event.openPrice)}, margin ${money(event.margin)}, fee ${money(event.fee)}${slip(event.receipt)}`
    case 'orderPlaced':
      return `#${event.orderId} waits as ${event.kind}, reserve ${money(event.margin + event.fee)}`
    case 'orderCancelled':
      return `#${event.orderId} cancelled: ${event.reason}`
    case 'positionClosed':
      return closing(event)
    case 'stopsSet':
      return event.trailingDistance === null
        ? `stops of #${event.orderId} set`
        : `stop of #${event.orderId} trails by ${event.trailingDistance} ticks`
    case 'demoReset':
      return `balance set right by ${transferred(event.transfers, 'demoReset')}`
    case 'positionReduced':
      return `${formatDecimal(event.lots, 4).replace(/0{1,2}$/, '')} of #${event.orderId} closed as #${event.partId} at ${at(event.receipt, event.closePrice)}, margin ${money(event.margin)}, profit ${money(event.profit)}`
    case 'swapBooked':
      return `#${event.orderId} swap booked for ${event.nights}: ${money(event.amount)}`
    case 'rolledOver':
      return 'rollover booked'
    case 'instrumentHalted':
      return event.reason === null ? 'halt ended' : `halted: ${event.reason}`
    case 'tradingModeSet':
      return `mode ${event.mode}`
    case 'accountOpened':
      return `account ${event.accountId} opened`
    case 'trailingMoved':
      return `trailing stops follow ${event.tick.bid} / ${event.tick.ask}`
    default:
      return event.type
  }
}

function closing(event: Extract<Event, { type: 'positionClosed' }>): string {
  if (event.closePrice === null) return `#${event.orderId} ended: ${event.reason}`
  const lift = transferred(event.transfers, 'protection')
  return (
    `#${event.orderId} closed at ${at(event.receipt, event.closePrice)}: ${event.reason}, profit ${money(event.profit)}` +
    `${slip(event.receipt)}${lift === '0.00' ? '' : `, protected by ${lift}`}`
  )
}

type Receipt = Extract<Event, { type: 'positionClosed' }>['receipt']

/** The price as its instrument writes it. */
function at({ tick }: Receipt, price: Price): string {
  const instrument = INSTRUMENTS.find(({ id }) => id === tick?.instrumentId)
  return formatDecimal(price, instrument?.priceDecimals ?? 0)
}

const slip = ({ slippage }: Receipt): string =>
  slippage === 0 ? '' : `, ${ticks(Math.abs(slippage))} ${slippage > 0 ? 'better' : 'worse'}`

const ticks = (count: number): string => (count === 1 ? '1 tick' : `${count} ticks`)

function transferred(transfers: readonly Transfer[], kind: string): string {
  const amounts = transfers
    .filter((transfer) => transfer.kind === kind)
    .map(({ credit, amount }) => (credit.startsWith('available') ? amount : -amount))
  return money(amounts.reduce((sum, amount) => sum + amount, 0n))
}

/** What the account shows in a column of figures. */
export function shown(harness: Harness, column: Column): string {
  const { balance, profit, equity, margin, reserved, free, level } = figures(harness)
  const amounts: Partial<Record<Column, bigint>> = {
    balance,
    'open profit': profit,
    equity,
    margin,
    reserved,
    free,
  }
  const amount = amounts[column]
  if (amount !== undefined) return money(amount)
  return level ? `${formatDecimal(divideRounded(level.numerator * 10_000n, level.denominator), 2)} %` : '–'
}
