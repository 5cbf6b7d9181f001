import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Building2, ChevronRight, SearchX } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { COMPANY_ROWS, findCompanies, listDirectory, type ListedCompany } from '@fairlot/contract'
import { Badge } from '@fairlot/ui/feedback/badge.tsx'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { EmptyState } from '@fairlot/ui/feedback/empty-state.tsx'
import { type Fact, FactList } from '@fairlot/ui/figures/fact-list.tsx'
import { Icon } from '@fairlot/ui/graphics/icon.tsx'
import { SearchField } from '@fairlot/ui/forms/search-field.tsx'
import { Sheet } from '@fairlot/ui/overlays/sheet.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { textButtonClass } from '@fairlot/ui/controls/text-button.tsx'
import { showToast } from '@fairlot/ui/feedback/toast.ts'
import { asName, Name } from '@fairlot/ui/figures/names.tsx'
import { rememberCompany, useCompanyId } from '../../live/device/company.ts'
import { request } from '../../live/requests/request.ts'
import { FailedState } from '../../ui/failed-state.tsx'

/** The company directory: search by name, with the details of a company in a sheet. */
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
        <SearchField label={t('label')} value={name} onSearch={setName} />
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

/** The companies whose names contain this text, or all; the previous result stays until the next one is loaded. */
const useCompanies = (name: string) =>
  useQuery<readonly ListedCompany[]>({
    queryKey: ['company', 'list', name],
    queryFn: ({ signal }) =>
      name === ''
        ? request(listDirectory, null, { signal, isSilent: true })
        : request(findCompanies, { name }, { signal, isSilent: true }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

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
        title={t('noneFound', { text: asName(name) })}
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

type CompanyRowProps = { company: ListedCompany; isChosen: boolean; onOpen: () => void }

/** One company of the list; tapping it opens its details. */
function CompanyRow({ company: { name, subject, location, logo }, isChosen, onOpen }: CompanyRowProps) {
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
              <bdi translate="no">{name}</bdi>
            </span>
            {isChosen && <Badge tone="brass">{t('chosen')}</Badge>}
          </span>
          <span className="flex flex-wrap gap-x-2 text-note break-words text-second">
            {subject !== '' && <bdi className="min-w-0">{subject}</bdi>}
            {location !== '' && <Name className="min-w-0">{location}</Name>}
          </span>
        </span>
        <span className="text-third rtl:-scale-x-100">
          <Icon of={ChevronRight} size={16} />
        </span>
      </button>
    </li>
  )
}

type CompanySheetProps = {
  company: ListedCompany
  isOpen: boolean
  isChosen: boolean
  onClose: () => void
}

/** The details of a company, and the button that chooses it. */
function CompanySheet({ company, isOpen, isChosen, onClose }: CompanySheetProps) {
  const t = useTranslations()
  const { id, name, subject, logo } = company
  const choose = () => {
    rememberCompany(isChosen ? null : id)
    showToast({ text: isChosen ? t('company.isLeft') : t('company.isChosen', { name: asName(name) }) })
    onClose()
  }
  return (
    <Sheet isOpen={isOpen} onClose={onClose} title={asName(name)} isTitleHidden closeLabel={t('app.close')}>
      <div className="flex flex-col gap-4 pt-4">
        <div className="flex items-center gap-3">
          <CompanyLogo logo={logo} />
          <div className="min-w-0 flex-1 break-words">
            <p className="text-note text-second">{t('company.mainCompany')}</p>
            <p aria-hidden className="text-title font-bold">
              <bdi translate="no">{name}</bdi>
            </p>
            {subject !== '' && (
              <p className="text-note text-second">
                <bdi>{subject}</bdi>
              </p>
            )}
          </div>
        </div>
        <FactList facts={useFacts(company)} />
        <div className="flex flex-col gap-2">
          <Button isWide tone={isChosen ? 'outline' : 'ink'} onClick={choose}>
            {t(isChosen ? 'company.leave' : 'company.choose')}
          </Button>
          <p className="text-center text-note text-second">{t('company.keeps')}</p>
        </div>
      </div>
    </Sheet>
  )
}

/** The company's contact details; empty ones are left out. */
function useFacts({ email, url, location, registeredAddress }: ListedCompany): readonly Fact[] {
  const t = useTranslations('company')
  const facts: readonly (readonly [label: string, text: string, value: ReactNode])[] = [
    [t('email'), email, <ExternalLink key="email" to={`mailto:${email}`} text={email} />],
    [t('website'), url, <ExternalLink key="url" to={url} text={url.replace(/^https?:\/\/|\/$/g, '')} />],
    [t('office'), location, <Name key="office">{location}</Name>],
    [t('registered'), registeredAddress, <Name key="registered">{registeredAddress}</Name>],
  ]
  return facts.flatMap(([label, text, value]) => (text === '' ? [] : [{ label, value }]))
}

/** A link out of the app, without a referrer. */
const ExternalLink = ({ to, text }: { to: string; text: string }) => (
  <a
    href={to}
    target="_blank"
    rel="noreferrer"
    dir="ltr"
    translate="no"
    className={`${textButtonClass} break-all`}
  >
    {text}
  </a>
)

/** A company's logo, or a building icon where it has none or it cannot be loaded. */
const CompanyLogo = ({ logo }: { logo: string }) => (
  <span className="relative grid size-11 shrink-0 place-items-center overflow-hidden rounded-field bg-raised text-third ring-1 ring-line ring-inset">
    <Icon of={Building2} />
    {logo !== '' && (
      <img
        src={logo}
        alt=""
        loading="lazy"
        className="absolute inset-0 size-full bg-surface object-contain"
        onError={({ currentTarget }) => (currentTarget.hidden = true)}
      />
    )}
  </span>
)
