import type { ListedCompany } from '@fairlot/contract'
import { Button } from '@fairlot/ui/button.tsx'
import { FactList, type Fact } from '@fairlot/ui/fact-list.tsx'
import { Sheet } from '@fairlot/ui/sheet.tsx'
import { textButtonClass } from '@fairlot/ui/text-button.tsx'
import { showToast } from '@fairlot/ui/toast.ts'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { rememberCompany } from '../../live/device/company.ts'
import { CompanyLogo } from './company-logo.tsx'

type CompanySheetProps = {
  company: ListedCompany
  isOpen: boolean
  isChosen: boolean
  onClose: () => void
}

/** What is known of a company, and the choice of it. */
export function CompanySheet({ company, isOpen, isChosen, onClose }: CompanySheetProps) {
  const t = useTranslations()
  const { id, name, subject, logo } = company
  const choose = () => {
    rememberCompany(isChosen ? null : id)
    showToast({ text: isChosen ? t('company.isLeft') : t('company.isChosen', { name }) })
    onClose()
  }
  return (
    <Sheet isOpen={isOpen} onClose={onClose} title={name} isTitleHidden closeLabel={t('app.close')}>
      <div className="flex flex-col gap-4 pt-4">
        <div className="flex items-center gap-3">
          <CompanyLogo logo={logo} />
          <div className="min-w-0 flex-1 break-words">
            <p className="text-note text-second">{t('company.mainCompany')}</p>
            <p aria-hidden className="text-title font-bold">
              <bdi>{name}</bdi>
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

/** What is known; what nobody has written is left out. */
function useFacts({ email, url, location, registeredAddress }: ListedCompany): readonly Fact[] {
  const t = useTranslations('company')
  const facts: readonly (readonly [label: string, text: string, value: ReactNode])[] = [
    [t('email'), email, <Away key="email" to={`mailto:${email}`} text={email} />],
    [t('website'), url, <Away key="url" to={url} text={url.replace(/^https?:\/\/|\/$/g, '')} />],
    [t('office'), location, <bdi key="office">{location}</bdi>],
    [t('registered'), registeredAddress, <bdi key="registered">{registeredAddress}</bdi>],
  ]
  return facts.flatMap(([label, text, value]) => (text === '' ? [] : [{ label, value }]))
}

/** Leads out of the app; where it leads learns nothing of where one came from. */
const Away = ({ to, text }: { to: string; text: string }) => (
  <a href={to} target="_blank" rel="noreferrer" dir="ltr" className={`${textButtonClass} break-all`}>
    {text}
  </a>
)
