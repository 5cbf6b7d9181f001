import type { ListedCompany } from '@fairlot/contract'
import { Badge } from '@fairlot/ui/badge.tsx'
import { Icon } from '@fairlot/ui/icon.tsx'
import { ChevronRight } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { CompanyLogo } from './company-logo.tsx'

type CompanyRowProps = { company: ListedCompany; isChosen: boolean; onOpen: () => void }

/** One company of the list; tapping it opens what is known of it. */
export function CompanyRow({
  company: { name, subject, location, logo },
  isChosen,
  onOpen,
}: CompanyRowProps) {
  const t = useTranslations('company')
  return (
    <li>
      <button
        type="button"
        onClick={onOpen}
        className="flex min-h-16 w-full items-center gap-3 py-2.5 text-start active:bg-raised"
      >
        <CompanyLogo logo={logo} />
        <span className="flex min-w-0 flex-1 flex-col">
          <span className="flex flex-wrap items-baseline gap-x-2">
            <span className="min-w-0 font-bold break-words">
              <bdi>{name}</bdi>
            </span>
            {isChosen && <Badge tone="brass">{t('chosen')}</Badge>}
          </span>
          <span className="flex flex-wrap gap-x-2 text-note break-words text-second">
            {subject !== '' && <bdi className="min-w-0">{subject}</bdi>}
            {location !== '' && <bdi className="min-w-0">{location}</bdi>}
          </span>
        </span>
        <span className="text-third rtl:-scale-x-100">
          <Icon of={ChevronRight} size={16} />
        </span>
      </button>
    </li>
  )
}
