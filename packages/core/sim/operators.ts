/** Operators who halt instruments, let them trade again, and stop all trading for a while. */
import type { OperatorCommand } from '../src/index.ts'
import type { Random } from './random.ts'
import type { Twin } from './twin-state.ts'
import type { SimWorld } from './world.ts'

const REASONS = ['the exchange has halted it', 'a wrong price', 'news']

/** What an operator does next, mostly nothing. Whatever was stopped starts again before long. */
export function nextOperation(
  world: SimWorld,
  twin: Twin,
  random: Random,
  at: number,
): OperatorCommand | null {
  if (twin.mode === 'cancelOnly' && random.chance(1.5)) return { type: 'setTradingMode', at, mode: 'normal' }
  if (random.chance(0.04)) return { type: 'setTradingMode', at, mode: 'cancelOnly' }
  const halted = twin.halts.filter(({ until }) => until === Infinity)
  if (halted.length > 0 && random.chance(1)) {
    return { type: 'haltInstrument', at, instrumentId: random.pick(halted).instrumentId, reason: null }
  }
  if (!random.chance(0.25)) return null
  const { id } = random.pick(world.instruments)
  const instrumentId = random.chance(4)
    ? 77
    : halted.length > 0 && random.chance(15)
      ? halted[0]?.instrumentId
      : id
  const reason = random.chance(6) ? null : random.pick(REASONS)
  return { type: 'haltInstrument', at, instrumentId: instrumentId ?? id, reason }
}
