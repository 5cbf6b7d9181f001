import { COMPANY_ROWS, type ListedCompany } from '@fairlot/contract'
import { Button } from '@fairlot/ui/button.tsx'
import { EmptyState } from '@fairlot/ui/empty-state.tsx'
import { SearchField } from '@fairlot/ui/search-field.tsx'
import { Skeleton } from '@fairlot/ui/skeleton.tsx'
import { Building2, SearchX } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useCompanyId } from '../../live/device/company.ts'
import { CompanyRow } from './company-row.tsx'
import { CompanySheet } from './company-sheet.tsx'
import { useCompanies } from './queries.ts'
import { FailedState } from '../../ui/failed-state.tsx'

/** The directory: search by name, and what is known of a company in a sheet. */
export function CompaniesScreen() {
  const t = useTranslations('company')
  const [name, setName] = useState('')
  const [opened, setOpened] = useState<ListedCompany | null>(null)
  const [isOpen, setIsOpen] = useState(false)
  const chosen = useCompanyId()
  const open = (company: ListedCompany) => {
    setOpened(company)
    setIsOpen(true)
  }
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-2 px-4 pt-1 pb-6">
      <div role="search" className="grid">
        <SearchField label={t('label')} value={name} onSearch={(text) => setName(text.trim())} />
      </div>
      <CompanyList name={name} chosen={chosen} onOpen={open} onShowAll={() => setName('')} />
      {opened && (
        <CompanySheet
          company={opened}
          isOpen={isOpen}
          isChosen={opened.id === chosen}
          onClose={() => setIsOpen(false)}
        />
      )}
    </div>
  )
}

type CompanyListProps = {
  name: string
  chosen: number | null
  onOpen: (company: ListedCompany) => void
  onShowAll: () => void
}

function CompanyList({ name, chosen, onOpen, onShowAll }: CompanyListProps) {
  const t = useTranslations('company')
  const { data, error, refetch } = useCompanies(name)
  if (!data) return error ? <Failed error={error} onRetry={() => void refetch()} /> : <Loading />
  if (data.length === 0 && name === '')
    return <EmptyState icon={Building2} title={t('none')} text={t('noneText')} />
  if (data.length === 0)
    return (
      <EmptyState
        icon={SearchX}
        title={t('noneFound', { text: name })}
        text={t('noneFoundText')}
        action={
          <Button tone="outline" onClick={onShowAll}>
            {t('showAll')}
          </Button>
        }
      />
    )
  return (
    <>
      <ul aria-label={t('list')} className="divide-y divide-line">
        {data.map((company) => (
          <CompanyRow
            key={company.id}
            company={company}
            isChosen={company.id === chosen}
            onOpen={() => onOpen(company)}
          />
        ))}
      </ul>
      {data.length === COMPANY_ROWS && (
        <p className="text-center text-note text-second">{t('more', { count: COMPANY_ROWS })}</p>
      )}
    </>
  )
}

function Failed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const t = useTranslations()
  const text = t('company.failedText')
  return <FailedState title={t('company.failed')} text={text} error={error} onRetry={onRetry} />
}

const Loading = () => (
  <div className="divide-y divide-line">
    {[0, 1, 2, 3, 4].map((row) => (
      <div key={row} className="flex min-h-16 items-center gap-3 py-2.5">
        <Skeleton shape="size-11 shrink-0" />
        <span className="flex grow flex-col gap-2">
          <Skeleton shape="h-3.5 w-2/3" />
          <Skeleton shape="h-2.5 w-2/5" />
        </span>
      </div>
    ))}
  </div>
)
