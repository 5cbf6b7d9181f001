import type { ReactNode } from 'react'
import { classNames } from '../theme/class-names.ts'
import { withNames } from '../figures/names.tsx'

export type BadgeTone = 'brass' | 'up' | 'down' | 'plain'

const tones: Record<BadgeTone, string> = {
  brass: 'bg-brass-tint text-brass',
  up: 'bg-up-tint text-up',
  down: 'bg-down-tint text-down',
  plain: 'bg-raised text-second ring-1 ring-line ring-inset',
}

/** A short label on a tinted background. Brass is for figures that are verified or measured. */
export const Badge = ({ tone = 'plain', children }: { tone?: BadgeTone; children: ReactNode }) => (
  <span className={classNames('inline-block rounded-chip px-2 py-0.5 text-tiny font-medium', tones[tone])}>
    {withNames(children)}
  </span>
)
