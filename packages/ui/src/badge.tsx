import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

export type BadgeTone = 'brass' | 'up' | 'down' | 'plain'

const tones: Record<BadgeTone, string> = {
  brass: 'bg-brass-tint text-brass',
  up: 'bg-up-tint text-up',
  down: 'bg-down-tint text-down',
  plain: 'bg-raised text-second ring-1 ring-line ring-inset',
}

/** A few words on a tint. Brass marks what is proven or measured. */
export const Badge = ({ tone = 'plain', children }: { tone?: BadgeTone; children: ReactNode }) => (
  <span className={classNames('inline-block rounded-chip px-2 py-0.5 text-tiny font-medium', tones[tone])}>
    {children}
  </span>
)
