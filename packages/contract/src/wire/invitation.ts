import { noun } from '../codec.ts'
import { listOf, text, time, whole } from '../field.ts'

const invited = noun({
  /** A part of what they registered with: enough to recognize a friend by. */
  name: ['name', text],
  joinedAt: ['created_at', time],
})

export const invitedPage = noun({ invited: ['data', listOf(invited)], total: ['total', whole()] })
