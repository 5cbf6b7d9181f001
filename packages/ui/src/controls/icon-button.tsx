import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { classNames } from '../theme/class-names.ts'
import { Icon } from '../graphics/icon.tsx'

type IconButtonProps = Omit<ComponentProps<'button'>, 'className' | 'children' | 'aria-label'> & {
  icon: LucideIcon
  /** What it does, for screen readers. */
  label: string
  tone?: 'quiet' | 'surface'
}

/** A 44 px target around a line icon. */
export const IconButton = ({ icon, label, tone = 'quiet', ...rest }: IconButtonProps) => (
  <button type="button" {...rest} aria-label={label} title={label} className={iconButtonClass(tone)}>
    <Icon of={icon} />
  </button>
)

/** The classes of an icon button, for a link that looks like one. */
export const iconButtonClass = (tone: 'quiet' | 'surface' = 'quiet'): string =>
  classNames(
    'inline-grid size-11 shrink-0 place-items-center rounded-full text-ink transition-[scale] active:scale-95 disabled:opacity-45',
    tone === 'surface' && 'bg-surface',
  )
