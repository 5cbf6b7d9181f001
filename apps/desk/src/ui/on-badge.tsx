import { Badge } from '@fairlot/ui/feedback/badge.tsx'

/** Whether something is offered to users. */
export const OnBadge = ({ isOn }: { isOn: boolean }) => (
  <Badge tone={isOn ? 'up' : 'down'}>{isOn ? 'On' : 'Off'}</Badge>
)
