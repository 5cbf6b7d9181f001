import type { ReactNode } from 'react'
import { withNames } from './names.tsx'
import { translateOf } from './verbatim.ts'

export type Definition = { term: string; value: ReactNode }

/** Terms and values, as on a receipt, with a dashed line between rows. */
export const DefinitionList = ({ rows }: { rows: readonly Definition[] }) => (
  <dl className="divide-y divide-dashed divide-line text-note">
    {rows.map((row) => (
      <div key={row.term} className="flex items-baseline justify-between gap-4 py-1.5">
        <dt className="text-second">{withNames(row.term)}</dt>
        <dd translate={translateOf(row.value)} className="text-end font-medium">
          {withNames(row.value)}
        </dd>
      </div>
    ))}
  </dl>
)
