import { noun } from '../codec.ts'
import { choice, listOf, maybe, text, time, whole } from '../field.ts'
import { operatorRole } from './operator-role.ts'

const activity = noun({
  /** Who did it: the users themselves, or an operator. */
  by: ['By', choice({ user: 'user', operator: 'operator' })],
  at: ['Time', time],
  /** What was done, in the caller's language. */
  text: ['Text', text],
  /** Of an operator: in which role, and why. */
  role: ['Role', maybe(operatorRole)],
  reason: ['Reason', maybe(text)],
  /** Of the user: from which browser and network. */
  device: ['Device', maybe(text)],
  address: ['Address', maybe(text)],
})

export const activityPage = noun({ activities: ['data', listOf(activity)], total: ['total', whole()] })
