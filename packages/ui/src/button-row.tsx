import type { ReactNode } from 'react'

/** Buttons side by side in equal parts; where large text leaves no room they stand one above the other. */
export const ButtonRow = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap gap-2 *:grow *:basis-[7rem]">{children}</div>
)
