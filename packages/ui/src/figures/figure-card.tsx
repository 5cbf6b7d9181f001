import type { ReactNode } from 'react'
import { classNames } from '../theme/class-names.ts'
import { withNames } from './names.tsx'

type FigureCardProps = {
  label: string
  value: ReactNode
  tone?: 'up' | 'down' | undefined
  /** A line of text or a small chart below. */
  children?: ReactNode
}

/** One figure with its label. */
export const FigureCard = ({ label, value, tone, children }: FigureCardProps) => (
  <section aria-label={label} className="min-w-0 rounded-card bg-surface px-3.5 py-3">
    <h2 className="text-tiny text-second">{label}</h2>
    <p className={classNames('font-bold', tone === 'up' && 'text-up', tone === 'down' && 'text-down')}>
      {withNames(value)}
    </p>
    {children && <div className="mt-0.5 text-note text-second">{withNames(children)}</div>}
  </section>
)

/** Figures side by side; two in a row on a phone. */
export const FigureRow = ({ children }: { children: ReactNode }) => (
  <div className="grid grid-cols-2 gap-3 desktop:grid-cols-4">{children}</div>
)
