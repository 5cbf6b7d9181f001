import type { OperatorRole } from '@fairlot/contract/desk'

/** Who makes a call of the desk. */
export type DeskOperator = { readonly id: number; readonly name: string; readonly role: OperatorRole }
