import type { LucideIcon } from 'lucide-react'

/** A line icon. Decorative: the text beside it, or the button's label, says the same. */
export const Icon = ({ of: Drawing, size = 20 }: { of: LucideIcon; size?: number }) => (
  <Drawing aria-hidden size={size} strokeWidth={1.75} className="shrink-0" />
)
