/** The operators behind a desk command, and their reason. */
import { OPERATOR_ROLES, type Operator } from '../src/index.ts'
import type { Random } from '../../../testing/random.ts'
import { hasTwoOperatorRules, staffOf, type ReferenceOperator } from './reference/operator-rules.ts'
import type { ReferenceModel } from './reference/state.ts'

export const REASONS = ['the exchange has halted it', 'a wrong price', 'news']

/** Mostly operators that the journal knows, now and then an unknown one or one in another role. */
export function actingOperator(random: Random, model: ReferenceModel): Operator {
  const staff = hasTwoOperatorRules(model) ? staffOf(model) : []
  const available = staff.filter(({ isActive, hasJoined }) => isActive && hasJoined)
  return available.length === 0 || random.chance(6) ? anyOperator(random) : knownOperator(random, available)
}

function knownOperator(random: Random, available: readonly ReferenceOperator[]): Operator {
  const first = random.pick(available)
  const others = available.filter(({ id }) => id !== first.id)
  const isWithSecond = others.length > 0 && random.chance(40)
  const { id, role } = random.pick(isWithSecond ? others : [first])
  const second = isWithSecond || random.chance(2) ? { id, role } : null
  return { type: 'operator', id: first.id, role: first.role, reason: random.pick(REASONS), second }
}

/** One of four operators, sometimes with a second one, now and then the same one twice. */
function anyOperator(random: Random): Operator {
  const id = random.int(1, 4)
  const draw = random.int(1, 100)
  const role = random.pick(OPERATOR_ROLES)
  const other = draw <= 3 ? id : (id % 4) + 1
  const second = draw > 38 ? null : { id: other, role: random.pick(OPERATOR_ROLES) }
  return { type: 'operator', id, role, reason: random.pick(REASONS), second }
}
