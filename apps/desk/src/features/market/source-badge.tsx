import type { InstrumentRow } from '@fairlot/contract/desk'
import { Badge } from '@fairlot/ui/feedback/badge.tsx'

/** The kind of a price source; simulated prices are marked everywhere. */
export const SourceBadge = ({ kind }: { kind: InstrumentRow['source'] }) => {
  if (kind === null) return <Badge>no source</Badge>
  return <Badge tone={kind === 'simulated' ? 'brass' : 'plain'}>{kind}</Badge>
}
