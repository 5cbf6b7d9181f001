import type { OperatorRole } from '@fairlot/contract/desk'

export const ROLE_NAMES: Readonly<Record<OperatorRole, string>> = {
  support: 'Support',
  compliance: 'Compliance',
  finance: 'Finance',
  dealing: 'Dealing',
  administrator: 'Administrator',
}

/** An operator with their role, such as `M. Chen (Compliance)`. */
export const operatorName = ({ name, role }: { name: string; role: OperatorRole | null }): string =>
  role === null ? name : `${name} (${ROLE_NAMES[role]})`
