/** What operators do in the twin: halts and the trading mode here, the rest where it belongs. */
import type { HaltInstrument, OperatorCommand, RejectionCode } from '../src/index.ts'
import type { PlainEvent } from './plain.ts'
import { askAdjustment, endAdjustment, endDeposit, endWithdrawal, setStatus } from './twin-cases.ts'
import { isHalted } from './twin-market.ts'
import type { Twin } from './twin-state.ts'
import { changeTerms, withdrawTerms } from './twin-terms.ts'

export function actForOperator(
  twin: Twin,
  command: OperatorCommand,
  events: PlainEvent[],
): RejectionCode | null {
  switch (command.type) {
    case 'haltInstrument':
      return halt(twin, command, events)
    case 'setTradingMode':
      if (command.by.second?.id === command.by.id) return 'sameOperator'
      twin.mode = command.mode
      events.push({ type: 'tradingModeSet', mode: command.mode })
      return null
    case 'setTerms':
      return changeTerms(twin, command, events)
    case 'adoptTerms':
      // The journal has begun with terms of its own.
      return 'termsFixed'
    case 'withdrawTerms':
      return withdrawTerms(twin, command, events)
    case 'endDeposit':
      return endDeposit(twin, command, events)
    case 'endWithdrawal':
      return endWithdrawal(twin, command, events)
    case 'askAdjustment':
      return askAdjustment(twin, command, events)
    case 'endAdjustment':
      return endAdjustment(twin, command, events)
    case 'setAccountStatus':
      return setStatus(twin, command, events)
  }
}

function halt(twin: Twin, command: HaltInstrument, events: PlainEvent[]): RejectionCode | null {
  const { instrumentId, reason, at, by } = command
  if (by.second?.id === by.id) return 'sameOperator'
  if (!twin.instruments.some(({ id }) => id === instrumentId)) return 'unknownInstrument'
  twin.notes.push(noteOfHalt(reason !== null, isHalted(twin, instrumentId)))
  if (reason === null) {
    for (const known of twin.halts) {
      if (known.instrumentId === instrumentId && known.until === Infinity) known.until = at
    }
  } else if (!isHalted(twin, instrumentId)) twin.halts.push({ instrumentId, from: at, until: Infinity })
  events.push({ type: 'instrumentHalted', instrumentId, reason })
  return null
}

function noteOfHalt(isHalt: boolean, wasHalted: boolean): string {
  if (isHalt) return wasHalted ? 'halted once more' : 'halted'
  return wasHalted ? 'halt ended' : 'halt ended that was none'
}
