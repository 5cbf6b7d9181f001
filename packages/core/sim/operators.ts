/** Operators: they halt and resume trading, change terms, restrict accounts and decide money cases. */
import {
  CLOSE_GROUNDS,
  OPERATOR_ROLES,
  type CloseByOperator,
  type OpenStatus,
  type OperatorCommand,
  type SetAccountStatus,
} from '../src/index.ts'
import { requestAdjustment, endCase, rejectProtectedWithdrawal } from './case-maker.ts'
import { actingOperator, REASONS } from './acting-operator.ts'
import { choosePosition } from './position-maker.ts'
import { adoptTerms, setTerms, withdrawTerms } from './terms-maker.ts'
import { nextOfStaff } from './staff-maker.ts'
import { hasTwoOperatorRules, staffOf } from './reference/operator-rules.ts'
import type { Scene } from './scene.ts'

/** What an operator does next, mostly nothing. Whatever was stopped is resumed before long. */
export function nextOperation(scene: Scene): OperatorCommand | null {
  const { random, model, at } = scene
  const isRollover = model.rollovers.length > 0
  if (random.chance(isRollover ? 1.2 : 0.5)) return random.chance(1) ? adoptTerms(scene) : setTerms(scene)
  if (model.announced.length > 0 && random.chance(0.1)) return withdrawTerms(scene)
  const rejected = random.chance(1) ? rejectProtectedWithdrawal(scene) : null
  if (rejected) return rejected
  const ofStaff = nextOfStaff(scene)
  if (ofStaff) return ofStaff
  const isWaiting = model.cases.some(({ end }) => end === null)
  if (random.chance(isWaiting ? (hasTwoOperatorRules(model) ? 1.2 : 0.5) : 0.05)) return endCase(scene)
  if (random.chance(0.12)) return requestAdjustment(scene, random.pick(model.accounts).id)
  if (random.chance(0.1)) return closeByOperator(scene)
  const restricted = model.accounts.filter(({ status }) => status !== 'active')
  // A freeze by one operator is mostly left to lapse, and now and then repeated.
  const freezing = restricted.filter(({ freeze }) => freeze !== null)
  if (freezing.length > 0 && random.chance(0.3)) return setStatus(scene, random.pick(freezing).id, 'frozen')
  const lifted = random.chance(90) ? restricted.filter(({ freeze }) => freeze === null) : restricted
  if (lifted.length > 0 && random.chance(0.5)) return setStatus(scene, random.pick(lifted).id, 'active')
  if (random.chance(0.2)) {
    const accountId = random.chance(4)
      ? 99
      : random.pick([...model.accounts.map(({ id }) => id), ...accountsWithOrders(scene)])
    return setStatus(scene, accountId, random.pick(['closeOnly', 'frozen', 'active']))
  }
  return nextHalt(scene, at)
}

/** Mostly an open position; now and then one of another account, a closed one or a pending order. */
const closeByOperator = (scene: Scene): CloseByOperator => {
  const accountId = scene.random.chance(4) ? 99 : scene.random.pick(scene.model.accounts).id
  const { random } = scene
  const by = actingOperator(random, scene.model)
  const ground = random.chance(6) ? undefined : random.pick(CLOSE_GROUNDS)
  // Mostly with the second operator that it requires.
  const known = staffOf(scene.model).filter(({ id, isActive }) => id !== by.id && isActive)
  const otherUser = { id: (by.id % 4) + 1, role: random.pick(OPERATOR_ROLES) }
  const { id, role } = by.second ?? random.pick(known.length > 0 ? known : [otherUser])
  const second = { id, role }
  return {
    type: 'closeByOperator',
    at: scene.at,
    by: random.chance(90) ? { ...by, second } : by,
    ground,
    ...choosePosition(scene, accountId),
  }
}

/** The accounts of all active orders, once per order. */
const accountsWithOrders = ({ model }: Scene): number[] => model.active.map(({ accountId }) => accountId)

const setStatus = (
  { random, model, at }: Scene,
  accountId: number,
  status: OpenStatus,
): SetAccountStatus => ({
  type: 'setAccountStatus',
  at,
  accountId,
  status,
  by: actingOperator(random, model),
})

/** Whether one operator alone could halt the whole market. */
const isMarketUnlimited = ({ mode, singleOperatorHaltAllowedFrom }: Scene['model'], at: number): boolean =>
  mode.is === 'normal' && [...singleOperatorHaltAllowedFrom.values()].every((from) => from <= at)

function nextHalt({ world, model, random }: Scene, at: number): OperatorCommand | null {
  const by = actingOperator(random, model)
  if (model.mode.is !== 'normal' && random.chance(0.8))
    return { type: 'setTradingMode', at, mode: 'normal', by }
  // Halts of instruments are frequent, and while they count one operator alone cannot halt the market.
  if (isMarketUnlimited(model, at) && random.chance(0.5))
    return { type: 'setTradingMode', at, mode: 'halted', by: { ...by, second: null } }
  const mode = random.pick(['reduceOnly', 'halted', 'cancelOnly'] as const)
  if (random.chance(model.mode.is === 'normal' ? 0.06 : 0.2)) return { type: 'setTradingMode', at, mode, by }
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
