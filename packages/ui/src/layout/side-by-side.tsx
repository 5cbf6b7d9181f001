import type { ReactNode } from 'react'

type SideBySideProps = {
  /** Short content, such as figures and a search field. */
  first: ReactNode
  /** A list with its filters. */
  children: ReactNode
}

/** A list below its header; beside it on a phone held sideways, which is too low for both. */
export const SideBySide = ({ first, children }: SideBySideProps) => (
  <div className="mx-auto flex max-w-2xl flex-col gap-2 px-4 pb-4 landscape-phone:max-w-none landscape-phone:flex-row landscape-phone:gap-5">
    <div className="flex min-w-0 flex-col gap-2 landscape-phone:flex-2">{first}</div>
    <div className="flex min-w-0 flex-col gap-2 landscape-phone:flex-3">{children}</div>
  </div>
)
