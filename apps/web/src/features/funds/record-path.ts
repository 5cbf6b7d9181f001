import type { LedgerRecord } from '@fairlot/contract'

/** Where a booking leads: to its order with the receipts, its case, or to who corrected it; null for what was for nothing else. */
export function recordPath({ kind, orderId, caseId }: LedgerRecord): string | null {
  if (orderId !== null) return `?order=${orderId}`
  if (kind === 'adjustment') return '/mine/activity'
  if (caseId === null) return null
  return kind === 'deposit' ? `?deposit=${caseId}` : `/mine/withdraw?id=${caseId}`
}
