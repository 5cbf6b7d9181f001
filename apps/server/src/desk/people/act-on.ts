import type { Act } from '../acts/act-log.ts'
import type { DeskOperator } from '../operator.ts'

/** Whom an act touches, and why: the person reads it. */
export type Asked = { readonly id: number; readonly reason: string }

/** An act on a person, as it is written down. */
export const actOn = (
  operator: DeskOperator,
  act: Act['act'],
  { id, reason }: Asked,
): Act & { readonly reason: string } => ({ operator, act, subject: `person:${id}`, accountId: id, reason })
