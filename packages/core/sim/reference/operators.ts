/** What operators do in the reference model: halts and the trading mode here, the rest where it belongs. */
import type { CloseByOperator, HaltInstrument, OperatorCommand, RejectionCode } from '../../src/index.ts'
import type { PlainEvent } from '../plain.ts'
import { close } from './deals.ts'
import { checkOperatorsClose } from './order-validation.ts'
import { askAdjustment, endAdjustment, endDeposit, endWithdrawal, setStatus } from './cases.ts'
import { isHalted } from './market.ts'
import type { ReferenceModel } from './state.ts'
import { changeTerms, withdrawTerms } from './terms.ts'

export function actForOperator(
  model: ReferenceModel,
  command: OperatorCommand,
  events: PlainEvent[],
): RejectionCode | null {
  switch (command.type) {
    case 'haltInstrument':
      return halt(model, command, events)
    case 'setTradingMode':
      if (command.by.second?.id === command.by.id) return 'sameOperator'
      model.mode = command.mode
      events.push({ type: 'tradingModeSet', mode: command.mode })
      return null
    case 'setTerms':
      return changeTerms(model, command, events)
    case 'adoptTerms':
      // The journal has begun with terms of its own.
      return 'termsFixed'
    case 'withdrawTerms':
      return withdrawTerms(model, command, events)
    case 'endDeposit':
      return endDeposit(model, command, events)
    case 'endWithdrawal':
      return endWithdrawal(model, command, events)
    case 'askAdjustment':
      return askAdjustment(model, command, events)
    case 'endAdjustment':
      return endAdjustment(model, command, events)
    case 'setAccountStatus':
      return setStatus(model, command, events)
    case 'closeByOperator':
      return closeForOwner(model, command, events)
  }
}

/** As its owner would close it, whatever the owner may do; only the name under it is another. */
function closeForOwner(
  model: ReferenceModel,
  command: CloseByOperator,
  events: PlainEvent[],
): RejectionCode | null {
  if (command.by.second?.id === command.by.id) return 'sameOperator'
  const checked = checkOperatorsClose(model, command)
  if (checked.refused !== null) return checked.refused
  close(model, checked.found, { reason: 'operator', trigger: 'operator', at: command.at, events })
  return null
}

function halt(model: ReferenceModel, command: HaltInstrument, events: PlainEvent[]): RejectionCode | null {
  const { instrumentId, reason, at, by } = command
  if (by.second?.id === by.id) return 'sameOperator'
  if (!model.instruments.some(({ id }) => id === instrumentId)) return 'unknownInstrument'
  model.notes.push(noteOfHalt(reason !== null, isHalted(model, instrumentId)))
  if (reason === null) {
    for (const known of model.halts) {
      if (known.instrumentId === instrumentId && known.until === Infinity) known.until = at
    }
  } else if (!isHalted(model, instrumentId)) model.halts.push({ instrumentId, from: at, until: Infinity })
  events.push({ type: 'instrumentHalted', instrumentId, reason })
  return null
}

function noteOfHalt(isHalt: boolean, wasHalted: boolean): string {
  if (isHalt) return wasHalted ? 'halted once more' : 'halted'
  return wasHalted ? 'halt ended' : 'halt ended that was none'
}
