/** Operators: they halt and let trade again, change terms, restrict accounts, and end money cases. */
import type { OpenStatus, CloseByOperator, OperatorCommand, SetAccountStatus } from '../src/index.ts'
import { askAdjustment, endCase } from './case-maker.ts'
import { operatorBy, REASONS } from './operator-by.ts'
import { choosePosition } from './position-maker.ts'
import { adoptTerms, setTerms, withdrawTerms } from './terms-maker.ts'
import type { Scene } from './scene.ts'

/** What an operator does next, mostly nothing. Whatever was stopped starts again before long. */
export function nextOperation(scene: Scene): OperatorCommand | null {
  const { random, model, at } = scene
  const isNight = model.nights.length > 0
  if (random.chance(isNight ? 1.2 : 0.5)) return random.chance(1) ? adoptTerms(scene) : setTerms(scene)
  if (model.announced.length > 0 && random.chance(0.1)) return withdrawTerms(scene)
  const isWaiting = model.cases.some(({ end }) => end === null)
  if (random.chance(isWaiting ? 0.5 : 0.05)) return endCase(scene)
  if (random.chance(0.12)) return askAdjustment(scene, random.pick(model.accounts).id)
  if (random.chance(0.1)) return closeByOperator(scene)
  const restricted = model.accounts.filter(({ status }) => status !== 'active')
  if (restricted.length > 0 && random.chance(0.5))
    return setStatus(scene, random.pick(restricted).id, 'active')
  if (random.chance(0.2)) {
    const accountId = random.chance(4)
      ? 99
      : random.pick([...model.accounts.map(({ id }) => id), ...busy(scene)])
    return setStatus(scene, accountId, random.pick(['closeOnly', 'frozen', 'active']))
  }
  return nextHalt(scene, at)
}

/** Mostly a position that lives; now and then one of somebody else, one that has ended, or one that only waits. */
const closeByOperator = (scene: Scene): CloseByOperator => {
  const accountId = scene.random.chance(4) ? 99 : scene.random.pick(scene.model.accounts).id
  return {
    ...{ type: 'closeByOperator', at: scene.at, by: operatorBy(scene.random) },
    ...choosePosition(scene, accountId),
  }
}

/** Accounts with orders, once for each of them. */
const busy = ({ model }: Scene): number[] => model.living.map(({ accountId }) => accountId)

const setStatus = ({ random, at }: Scene, accountId: number, status: OpenStatus): SetAccountStatus => ({
  ...{ type: 'setAccountStatus', at, accountId, status, by: operatorBy(random) },
})

function nextHalt({ world, model, random }: Scene, at: number): OperatorCommand | null {
  const by = operatorBy(random)
  if (model.mode === 'cancelOnly' && random.chance(0.8))
    return { type: 'setTradingMode', at, mode: 'normal', by }
  if (random.chance(0.04)) return { type: 'setTradingMode', at, mode: 'cancelOnly', by }
  const halted = model.halts.filter(({ until }) => until === Infinity)
  if (halted.length > 0 && random.chance(1)) {
    return { type: 'haltInstrument', at, instrumentId: random.pick(halted).instrumentId, reason: null, by }
  }
  if (!random.chance(0.25)) return null
  const { id } = random.pick(world.instruments)
  const instrumentId = random.chance(4)
    ? 77
    : halted.length > 0 && random.chance(15)
      ? halted[0]?.instrumentId
      : id
  const reason = random.chance(6) ? null : random.pick(REASONS)
  return { type: 'haltInstrument', at, instrumentId: instrumentId ?? id, reason, by }
}
