import type { ReactNode } from 'react'

/** Buttons side by side in equal parts; stacked where large text leaves no room. */
export const ButtonRow = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap gap-2 *:grow *:basis-[7rem]">{children}</div>
)
