import { showToast } from '@fairlot/ui/toast.ts'
import { useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { rememberCompany } from '../../live/device/company.ts'
import { useCompanyStatus } from './queries.ts'

/** Asks whether the company that was chosen here still takes part, and goes where its readers are sent. Mounted once. */
export function CompanyCheck({ companyId }: { companyId: number }) {
  const t = useTranslations('app')
  const { data } = useCompanyStatus(companyId)
  useEffect(() => {
    if (!data) return
    if (data.mustLeave && isSafe(data.lossUrl)) location.replace(data.lossUrl)
    else if (data.standing === 'open') rememberCompany(companyId)
    else {
      rememberCompany(null)
      showToast({ text: t('companyGone'), stays: true })
    }
  }, [data, companyId, t])
  return null
}

/** The server lists the hosts; a script would run as ours, so no other scheme is followed whoever sends it. */
const isSafe = (address: string): boolean => address.startsWith('https://')
