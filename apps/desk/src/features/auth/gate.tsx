import { Badge } from '@fairlot/ui/badge.tsx'
import { BrandMark } from '@fairlot/ui/brand-mark.tsx'
import type { ReactNode } from 'react'

type GateProps = { title: string; text?: ReactNode; children: ReactNode }

/** The frame of what stands before the desk: log-in, invitation, second factor. */
export const Gate = ({ title, text, children }: GateProps) => (
  <main className="flex min-h-dvh flex-col items-center justify-center p-4">
    <div className="flex w-full max-w-96 flex-col gap-5 rounded-sheet bg-surface p-6">
      <div className="flex items-center gap-2.5">
        <BrandMark size={22} />
        <span className="text-title font-bold">Fairlot</span>
        <Badge tone="brass">desk</Badge>
      </div>
      <div className="flex flex-col gap-1">
        <h1 className="text-figure font-bold">{title}</h1>
        {text && <p className="text-note text-second">{text}</p>}
      </div>
      {children}
    </div>
  </main>
)
