import type { Event, Posting, TickRefusal } from '@fairlot/core'
import type { Change } from '../apps/server/src/engine/projection/committed-batch.ts'

/** What happened in one night. */
export class Tally {
  taken = 0
  readonly refusedTicks = new Map<TickRefusal, number>()
  opened = 0
  placed = 0
  readonly refusedCommands = new Map<string, number>()
  stopLosses = 0
  takeProfits = 0
  stoppedOutPositions = 0
  readonly stoppedOutAccounts = new Set<number>()
  swaps = 0
  readonly nights = new Set<number>()
  shortfalls = 0
  /** In 1e-6 of the account currency. */
  shortfallSum = 0n

  refuseTick(reason: TickRefusal): void {
    this.refusedTicks.set(reason, (this.refusedTicks.get(reason) ?? 0) + 1)
  }

  refuseCommand(reason: string): void {
    this.refusedCommands.set(reason, (this.refusedCommands.get(reason) ?? 0) + 1)
  }

  take({ entry, postings }: Change): void {
    for (const event of entry.events) this.#takeEvent(event)
    for (const posting of postings) this.#takePosting(posting)
  }

  #takeEvent(event: Event): void {
    switch (event.type) {
      case 'orderPlaced':
        this.placed += 1
        return
      case 'positionOpened':
        this.opened += 1
        return
      case 'positionClosed':
        if (event.reason === 'stopLoss') this.stopLosses += 1
        if (event.reason === 'takeProfit') this.takeProfits += 1
        if (event.reason !== 'stopOut') return
        this.stoppedOutPositions += 1
        this.stoppedOutAccounts.add(event.accountId)
        return
      case 'swapBooked':
        this.swaps += 1
        this.nights.add(event.rollover)
        return
      default:
    }
  }

  #takePosting({ kind, amount }: Posting): void {
    if (kind !== 'protection') return
    this.shortfalls += 1
    this.shortfallSum += amount
  }
}
