import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from './router.tsx'
import { classNames } from '../theme/class-names.ts'
import { Icon } from '../graphics/icon.tsx'
import { TOAST_OBSTACLE } from '../layout/toast-obstacle.ts'

/** The navigation bar at the bottom of the screen, above the phone's gesture area. */
export const TabBar = ({ label, children }: { label: string; children: ReactNode }) => (
  <nav
    {...TOAST_OBSTACLE}
    aria-label={label}
    className="grid auto-cols-[minmax(min-content,1fr)] grid-flow-col border-t border-line bg-surface px-1 pb-[env(safe-area-inset-bottom)]"
  >
    {children}
  </nav>
)

type TabBarItemProps = { icon: LucideIcon; label: string; to: string; isCurrent: boolean }

export const TabBarItem = ({ icon, label, to, isCurrent }: TabBarItemProps) => (
  <Link
    to={to}
    aria-current={isCurrent ? 'page' : undefined}
    className={classNames(
      'flex min-h-14 min-w-0 flex-col items-center justify-center gap-1 py-1.5 transition-colors',
      isCurrent ? 'text-ink' : 'text-third',
    )}
  >
    <Icon of={icon} size={20} />
    <span
      className={classNames(
        'max-w-full truncate text-[min(0.75rem,13.5px,3.3vw)] leading-4',
        isCurrent ? 'font-bold' : 'font-medium',
      )}
    >
      {label}
    </span>
  </Link>
)
