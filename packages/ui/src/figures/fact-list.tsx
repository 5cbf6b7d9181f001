import type { ReactNode } from 'react'
import { classNames } from '../theme/class-names.ts'
import { withNames } from './names.tsx'
import { translateOf } from './verbatim.ts'

export type Fact = {
  label: string
  value: ReactNode
  /** The colour of the value. */
  tone?: 'up' | 'down' | 'brass'
}

const tones = { up: 'text-up', down: 'text-down', brass: 'text-brass' }

/** Labels and values with dashed lines between. A long value wraps below its label. */
export const FactList = ({ facts }: { facts: readonly Fact[] }) => (
  <dl className="divide-y divide-dashed divide-line border-b border-dashed border-line text-note">
    {facts.map(({ label, value, tone }) => (
      <div key={label} className="flex flex-wrap items-baseline justify-between gap-x-4 py-2">
        <dt className="text-second">{withNames(label)}</dt>
        <dd
          translate={translateOf(value)}
          className={classNames('ms-auto min-w-0 text-end font-bold break-words', tone && tones[tone])}
        >
          {withNames(value)}
        </dd>
      </div>
    ))}
  </dl>
)
