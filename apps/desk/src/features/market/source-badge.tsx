import type { InstrumentRow } from '@fairlot/contract/desk'
import { Badge } from '@fairlot/ui/badge.tsx'

/** Where prices come from; simulated ones are marked wherever they are shown. */
export const SourceBadge = ({ kind }: { kind: InstrumentRow['source'] }) => {
  if (kind === null) return <Badge>no source</Badge>
  return <Badge tone={kind === 'simulated' ? 'brass' : 'plain'}>{kind}</Badge>
}
