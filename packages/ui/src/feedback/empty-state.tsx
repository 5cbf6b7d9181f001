import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from '../graphics/icon.tsx'

type EmptyStateProps = { icon: LucideIcon; title: string; text?: ReactNode; action?: ReactNode }

/** Says what will appear here, with at most one button. Also shown when loading has failed. */
export const EmptyState = ({ icon, title, text, action }: EmptyStateProps) => (
  <div className="flex flex-col items-center gap-2 px-6 py-12 text-center">
    <span className="mb-2 grid size-12 place-items-center rounded-full bg-surface text-second">
      <Icon of={icon} />
    </span>
    <p className="text-body font-bold">{title}</p>
    {text && <p className="max-w-72 text-note text-second">{text}</p>}
    {action && <div className="mt-3">{action}</div>}
  </div>
)
