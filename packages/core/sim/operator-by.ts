/** Who stands behind an act of the desk, and why. */
import { OPERATOR_ROLES, type Operator } from '../src/index.ts'
import type { Random } from '../../../testing/random.ts'

export const REASONS = ['the exchange has halted it', 'a wrong price', 'news']

/** One of four, sometimes with a second one, now and then with himself as the second. */
export function operatorBy(random: Random): Operator {
  const id = random.int(1, 4)
  const draw = random.int(1, 100)
  const role = random.pick(OPERATOR_ROLES)
  const other = draw <= 3 ? id : (id % 4) + 1
  const second = draw > 38 ? null : { id: other, role: random.pick(OPERATOR_ROLES) }
  return { type: 'operator', id, role, reason: random.pick(REASONS), second }
}
