/** Operators change: the first ones come with the two-operator rules, later ones by invitation. */
import {
  DEPLOYMENT,
  OPERATOR_ROLES,
  type AdoptOperators,
  type AdoptPayoutMethods,
  type AnnounceRecovery,
  type CallOffRecovery,
  type JoinOperator,
  type Operator,
  type OperatorCommand,
  type SetOperator,
  type UseRecovery,
} from '../src/index.ts'
import { actingOperator, REASONS } from './acting-operator.ts'
import { hasTwoOperatorRules, recoveryIn, staffOf } from './reference/operator-rules.ts'
import type { Scene } from './scene.ts'

const MAX_OPERATORS = 6

export function nextOfStaff(scene: Scene): OperatorCommand | null {
  const { random, model, world } = scene
  if (!hasTwoOperatorRules(model)) {
    const isWanted = world.adoption === 'first' || (world.adoption === 'later' && random.chance(0.2))
    return isWanted ? adoptOperators(scene) : null
  }
  if (random.chance(0.02)) return adoptOperators(scene)
  if (random.chance(0.02)) return adoptPayoutMethods(scene)
  if (random.chance(recoveryIn(model) ? 2 : 0.4)) return nextOfRecovery(scene)
  const staff = staffOf(model)
  const isWaiting = staff.some(({ isActive, hasJoined }) => isActive && !hasJoined)
  if (random.chance(isWaiting ? 0.3 : 0.02)) return joinOperator(scene)
  const isShortStaffed = staff.filter(({ isActive }) => isActive).length < 3
  return random.chance(isShortStaffed ? 0.5 : 0.15) ? setOperator(scene) : null
}

/** Announced for a known operator or a new one; used mostly when it is open, by that operator. */
function nextOfRecovery(scene: Scene): AnnounceRecovery | CallOffRecovery | UseRecovery {
  const { random, model, at } = scene
  const recovery = recoveryIn(model)
  if (!recovery || random.chance(4)) {
    const operatorId = random.chance(50) ? null : random.pick(staffOf(model)).id
    return {
      type: 'announceRecovery',
      at,
      operatorId: random.chance(3) ? MAX_OPERATORS + 9 : operatorId,
      name: 'Somebody',
      role: random.pick(OPERATOR_ROLES),
      reason: random.pick(REASONS),
      digest: `keys of ${at}`,
      by: DEPLOYMENT,
    }
  }
  if (at < recovery.effectiveAt && random.chance(8))
    return { type: 'callOffRecovery', at, by: actingOperator(random, model) }
  const free = Math.max(0, ...staffOf(model).map(({ id }) => id)) + 1
  const operatorId = random.chance(10) ? random.int(1, MAX_OPERATORS) : (recovery.operatorId ?? free)
  return { type: 'useRecovery', at, operatorId, by: DEPLOYMENT }
}

/** Three to six operators, some disabled or only invited; sometimes only one of them may decide. */
function adoptOperators({ random, at }: Scene): AdoptOperators {
  const isAlone = random.chance(35)
  const count = random.int(3, MAX_OPERATORS)
  const operators = Array.from({ length: count }, (_, index) => {
    const isFirst = index === 0
    const isSecond = index === 1 && !isAlone
    const others = isAlone ? (['support', 'finance', 'dealing'] as const) : OPERATOR_ROLES
    return {
      operatorId: index + 1,
      role: isFirst || isSecond ? random.pick(['administrator', 'compliance'] as const) : random.pick(others),
      isActive: isFirst || random.chance(85),
      hasJoined: isFirst || random.chance(85),
    }
  })
  return { type: 'adoptOperators', at, operators, by: DEPLOYMENT }
}

/** Mostly with a second operator who may agree. Disabled operators are enabled again before long. */
function setOperator(scene: Scene): SetOperator {
  const { random, model, at } = scene
  const staff = staffOf(model)
  const disabled = staff.filter(({ isActive }) => !isActive)
  const known = random.pick([null, ...(disabled.length > 0 && random.chance(60) ? disabled : staff)])
  const command = {
    type: 'setOperator',
    at,
    operatorId: known?.id ?? random.int(1, MAX_OPERATORS),
    role: known && random.chance(60) ? known.role : random.pick(OPERATOR_ROLES),
    isActive: known?.isActive === false ? random.chance(92) : random.chance(60),
  } as const
  if (random.chance(6)) return { ...command, by: DEPLOYMENT, hasJoined: random.chance(50) }
  return { ...command, by: withSecondOperator(scene, command.operatorId) }
}

function withSecondOperator({ random, model }: Scene, about: number): Operator {
  const by = actingOperator(random, model)
  const seconds = staffOf(model).filter(
    ({ id, role, isActive, hasJoined }) =>
      id !== by.id &&
      id !== about &&
      isActive &&
      hasJoined &&
      (role === 'compliance' || role === 'administrator'),
  )
  if (seconds.length === 0 || random.chance(25)) return by
  const { id, role } = random.pick(seconds)
  return { ...by, second: { id, role } }
}

/** Mostly an invited operator in the assigned role. */
function joinOperator({ random, model, at }: Scene): JoinOperator {
  const staff = staffOf(model)
  const invited = staff.filter(({ hasJoined }) => !hasJoined)
  const known = random.pick(invited.length > 0 && random.chance(85) ? invited : staff)
  const id = random.chance(4) ? MAX_OPERATORS + 3 : known.id
  const role = random.chance(90) ? known.role : random.pick(OPERATOR_ROLES)
  return {
    type: 'joinOperator',
    at,
    by: { type: 'operator', id, role, reason: random.pick(REASONS), second: null },
  }
}

const adoptPayoutMethods = ({ random, model, at }: Scene): AdoptPayoutMethods => ({
  type: 'adoptPayoutMethods',
  at,
  methods: model.accounts.map(({ id }) => ({
    accountId: id,
    methodId: id,
    destination: random.int(1, 5),
    digest: `digest ${id}`,
  })),
  by: DEPLOYMENT,
})
