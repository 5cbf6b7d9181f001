import type { ReactNode } from 'react'

/** A rounded surface on the page. */
export const Card = ({ children }: { children: ReactNode }) => (
  <section className="rounded-card bg-surface p-4">{children}</section>
)
