import type { ReactNode } from 'react'

/** One thing that an act changes. */
export type Change = { label: string; before: ReactNode; after: ReactNode }

/** What it is, and what it will be. */
export const ChangeList = ({ changes }: { changes: readonly Change[] }) => (
  <dl className="divide-y divide-dashed divide-line rounded-card bg-page px-3.5 text-note">
    {changes.map(({ label, before, after }) => (
      <div key={label} className="flex flex-wrap items-baseline justify-between gap-x-4 py-2">
        <dt className="text-second">{label}</dt>
        <dd className="ms-auto min-w-0 text-end wrap-anywhere">
          <del className="text-second">{before}</del> <span aria-hidden>→</span>{' '}
          <ins className="font-bold no-underline">{after}</ins>
        </dd>
      </div>
    ))}
  </dl>
)
