import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from '../graphics/icon.tsx'
import { withNames } from '../figures/names.tsx'
import { classNames } from '../theme/class-names.ts'

type EmptyStateProps = {
  icon: LucideIcon
  title: string
  text?: ReactNode
  action?: ReactNode
  /** Fills a box of a given size, such as that of a chart: in a low one, title and button stand side by side. */
  isInBox?: boolean
}

/** Says what will appear here, with at most one button. Also shown when loading has failed. */
export function EmptyState({ icon, title, text, action, isInBox = false }: EmptyStateProps) {
  const shown = (
    <div
      className={classNames(
        'flex flex-col items-center gap-2 px-6 py-12 text-center',
        isInBox && 'min-h-full justify-center low-box:flex-row low-box:gap-4 low-box:py-0 low-box:text-start',
      )}
    >
      <span className="mb-2 grid size-12 place-items-center rounded-full bg-surface text-second low-box:hidden">
        <Icon of={icon} />
      </span>
      <p className="text-body font-bold">{withNames(title)}</p>
      {text && <p className="max-w-72 text-note text-second low-box:hidden">{withNames(text)}</p>}
      {action && <div className="mt-3 low-box:mt-0">{action}</div>}
    </div>
  )
  return isInBox ? <div className="size-full overflow-auto [container-type:size]">{shown}</div> : shown
}
