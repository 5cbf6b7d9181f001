import {
  DESK_PERMISSIONS,
  getOperatorMode,
  type OperatorRole,
  type TwoOperatorRuleName,
  TWO_OPERATORS,
  type WhenAlone,
} from '@fairlot/contract/desk'
import { useDeskQuery } from '../live/queries.ts'
import { ROLE_NAMES } from './operator-names.ts'

/** The hints at a desk with a single operator. */
const ALONE: Readonly<Record<WhenAlone, string>> = {
  secondOperatorNeeded: 'This needs a second operator, and this desk has only one. Invite another first.',
  done: 'This desk has only one operator, so it takes effect at once.',
  waits: 'This needs a second operator. It waits until a second one has joined.',
}

/** The roles that may approve, such as "Compliance or Administrator". */
const approvers = (roles: readonly OperatorRole[]): string =>
  new Intl.ListFormat('en', { type: 'disjunction' }).format(roles.map((role) => ROLE_NAMES[role]))

/** The hint about the second operator that an action needs, by `TWO_OPERATORS`; undefined when it needs none. */
export function useSecondOperatorHint(rule: TwoOperatorRuleName | null): string | undefined {
  const { data } = useDeskQuery(getOperatorMode, null)
  if (rule === null) return undefined
  const { second, alone } = TWO_OPERATORS[rule]
  return data?.isSingleOperator
    ? ALONE[alone]
    : `This needs a second operator: nothing changes until they approve. Roles that can approve: ${approvers(DESK_PERMISSIONS[second])}.`
}
