/** Operators: they halt and let trade again, change terms, restrict accounts, and end money cases. */
import type { AccountStatus, OperatorCommand, SetAccountStatus } from '../src/index.ts'
import { askAdjustment, endCase } from './case-maker.ts'
import { operatorBy, REASONS } from './operator-by.ts'
import { adoptTerms, setTerms, withdrawTerms } from './terms-maker.ts'
import type { Scene } from './traders.ts'

/** What an operator does next, mostly nothing. Whatever was stopped starts again before long. */
export function nextOperation(scene: Scene): OperatorCommand | null {
  const { random, twin, at } = scene
  const isNight = twin.nights.length > 0
  if (random.chance(isNight ? 1.2 : 0.5)) return random.chance(1) ? adoptTerms(scene) : setTerms(scene)
  if (twin.announced.length > 0 && random.chance(0.1)) return withdrawTerms(scene)
  const isWaiting = twin.cases.some(({ end }) => end === null)
  if (random.chance(isWaiting ? 0.5 : 0.05)) return endCase(scene)
  if (random.chance(0.12)) return askAdjustment(scene, random.pick(twin.accounts).id)
  const restricted = twin.accounts.filter(({ status }) => status !== 'active')
  if (restricted.length > 0 && random.chance(0.5))
    return setStatus(scene, random.pick(restricted).id, 'active')
  if (random.chance(0.2)) {
    const accountId = random.chance(4)
      ? 99
      : random.pick([...twin.accounts.map(({ id }) => id), ...busy(scene)])
    return setStatus(scene, accountId, random.pick(['closeOnly', 'frozen', 'active']))
  }
  return nextHalt(scene, at)
}

/** Accounts with orders, once for each of them. */
const busy = ({ twin }: Scene): number[] => twin.living.map(({ accountId }) => accountId)

const setStatus = ({ random, at }: Scene, accountId: number, status: AccountStatus): SetAccountStatus => ({
  ...{ type: 'setAccountStatus', at, accountId, status, by: operatorBy(random) },
})

function nextHalt({ world, twin, random }: Scene, at: number): OperatorCommand | null {
  const by = operatorBy(random)
  if (twin.mode === 'cancelOnly' && random.chance(0.8))
    return { type: 'setTradingMode', at, mode: 'normal', by }
  if (random.chance(0.04)) return { type: 'setTradingMode', at, mode: 'cancelOnly', by }
  const halted = twin.halts.filter(({ until }) => until === Infinity)
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
