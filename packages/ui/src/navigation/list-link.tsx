import { ChevronRight } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from './router.tsx'
import { Icon } from '../graphics/icon.tsx'
import { withNames } from '../figures/names.tsx'

type ListLinkProps = { icon: LucideIcon; to: string; title: string; note?: ReactNode; value?: ReactNode }

/** A row that links to another screen, with an optional current value. */
export const ListLink = ({ icon, to, title, note, value }: ListLinkProps) => (
  <Link to={to} className="flex min-h-14 flex-wrap items-center gap-x-3 py-2">
    <span className="text-second">
      <Icon of={icon} />
    </span>
    <span className="flex-[1_1_7rem]">
      <span className="block">{withNames(title)}</span>
      {note && <span className="block text-note text-second">{withNames(note)}</span>}
    </span>
    {value && <span className="text-note text-second">{withNames(value)}</span>}
    <span className="text-third rtl:-scale-x-100">
      <Icon of={ChevronRight} size={16} />
    </span>
  </Link>
)
