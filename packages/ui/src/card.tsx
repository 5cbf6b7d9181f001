import type { ReactNode } from 'react'

/** A surface lifted from the page by its tone. */
export const Card = ({ children }: { children: ReactNode }) => (
  <section className="rounded-card bg-surface p-4">{children}</section>
)
