import type { ContentRow } from '@fairlot/contract/desk'
import { Badge, type BadgeTone } from '@fairlot/ui/badge.tsx'
import { STATUS_NAMES } from './content-words.ts'

const TONES: Record<ContentRow['status'], BadgeTone> = {
  draft: 'plain',
  scheduled: 'brass',
  published: 'up',
  withdrawn: 'down',
}

/** Whether readers see an item. */
export const StatusBadge = ({ status }: { status: ContentRow['status'] }) => (
  <Badge tone={TONES[status]}>{STATUS_NAMES[status]}</Badge>
)
