import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from '../graphics/icon.tsx'
import { withNames } from '../figures/names.tsx'

/** A line across the top for a lasting state, such as offline or stale prices. */
export const Banner = ({ icon, children }: { icon: LucideIcon; children: ReactNode }) => (
  <div
    role="status"
    className="flex items-center justify-center gap-2 bg-brass-tint px-4 py-2 text-note text-ink"
  >
    <Icon of={icon} size={16} />
    <span>{withNames(children)}</span>
  </div>
)
