import { Bell } from 'lucide-react'
import type { ReactNode } from 'react'
import { iconButtonClass } from '@fairlot/ui/controls/icon-button.tsx'
import { Icon } from '@fairlot/ui/graphics/icon.tsx'
import { Link } from '@fairlot/ui/navigation/router.tsx'

/** A bell that links to news or notices, marked while some are unread. */
export function BellIconLink({ to, label, hasUnread }: { to: string; label: string; hasUnread: boolean }) {
  return (
    <RoundLink to={to} label={label}>
      <span className="relative">
        <Icon of={Bell} size={18} />
        {hasUnread && (
          <span className="absolute -end-0.5 -top-0.5 size-2 rounded-full bg-brass ring-2 ring-surface" />
        )}
      </span>
    </RoundLink>
  )
}

type RoundLinkProps = { to: string; label: string; isInk?: boolean; children: ReactNode }

/** A round icon link: 44 px to touch, 32 px visible. */
export const RoundLink = ({ to, label, isInk = false, children }: RoundLinkProps) => (
  <Link to={to} aria-label={label} className={iconButtonClass()}>
    <span
      className={`grid size-8 place-items-center rounded-full ${isInk ? 'bg-ink text-on-ink' : 'bg-surface text-second desktop:bg-page'}`}
    >
      {children}
    </span>
  </Link>
)
