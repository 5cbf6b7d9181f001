/** The booking range: every row must fit the integers of the tables, whatever the price (trading-rules §5). */
import type { Event } from '../model/event.ts'
import type { Ledger, LedgerAccountId } from '../model/ledger.ts'
import { absolute } from '../model/number.ts'

/** The largest amount of one booking: 1e12 of the account currency, in 1e-6. */
export const MAX_AMOUNT = 1_000_000_000_000_000_000n
/** The largest balance: a sum of amounts that still fits a 64-bit column. */
const MAX_BALANCE = 9n * MAX_AMOUNT

export const isBookable = (amount: bigint): boolean => absolute(amount) <= MAX_AMOUNT

/** True when all amounts of the events, and all resulting balances, are in range. Changes nothing. */
export function canBook({ ledger }: { readonly ledger: Ledger }, events: readonly Event[]): boolean {
  const balances = new Map<LedgerAccountId, bigint>()
  const move = (id: LedgerAccountId, amount: bigint): boolean => {
    const balance = (balances.get(id) ?? ledger.balances.get(id)?.balance ?? 0n) + amount
    balances.set(id, balance)
    return absolute(balance) <= MAX_BALANCE
  }
  return events.every(
    (event) =>
      amountsOf(event).every(isBookable) &&
      transfersOf(event).every(
        ({ amount, debit, credit }) => isBookable(amount) && move(debit, -amount) && move(credit, amount),
      ),
  )
}

const transfersOf = (event: Event) => ('transfers' in event ? event.transfers : [])

function amountsOf(event: Event): bigint[] {
  switch (event.type) {
    case 'orderPlaced':
    case 'positionOpened':
      return [event.margin, event.fee]
    case 'positionClosed':
      return [event.profit]
    case 'positionReduced':
      return [event.margin, event.profit]
    case 'swapBooked':
      return [event.amount]
    default:
      return []
  }
}
