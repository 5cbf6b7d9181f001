import type { OperatorRole } from '@fairlot/core'
import type { Codec } from '../codec.ts'
import { choice } from '../field.ts'

const ROLES = {
  support: 'support',
  compliance: 'compliance',
  finance: 'finance',
  dealing: 'dealing',
  administrator: 'administrator',
} as const satisfies Record<OperatorRole, OperatorRole>

/** What an operator is trusted with: the person an act touches reads the role, never the name. */
export const operatorRole: Codec<OperatorRole> = choice(ROLES)
