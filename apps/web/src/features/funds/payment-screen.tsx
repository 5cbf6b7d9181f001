import type { ReactNode } from 'react'

/** The column that all screens about payments share. */
export const PaymentScreen = ({ children }: { children: ReactNode }) => (
  <div className="mx-auto flex max-w-2xl flex-col gap-3 px-4 pb-6">{children}</div>
)
