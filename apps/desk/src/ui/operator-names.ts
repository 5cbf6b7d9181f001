import type { OperatorRole } from '@fairlot/contract/desk'
import { asName } from '@fairlot/ui/figures/names.tsx'

export const ROLE_NAMES: Readonly<Record<OperatorRole, string>> = {
  support: 'Support',
  compliance: 'Compliance',
  finance: 'Finance',
  dealing: 'Dealing',
  administrator: 'Administrator',
}

/** An operator with their role, such as `M. Chen (Compliance)`, for a place that shows names. */
export const operatorName = ({ name, role }: { name: string; role: OperatorRole | null }): string =>
  role === null ? asName(name) : `${asName(name)} (${ROLE_NAMES[role]})`
