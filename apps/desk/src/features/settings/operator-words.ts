import type { DeskOperator, OperatorRole } from '@fairlot/contract/desk'

export const ROLE_NAMES: Record<OperatorRole, string> = {
  support: 'Support',
  compliance: 'Compliance',
  finance: 'Finance',
  dealing: 'Dealing',
  administrator: 'Administrator',
}

export const STATUS_NAMES: Record<DeskOperator['status'], string> = {
  active: 'active',
  invited: 'invited',
  off: 'switched off',
}
