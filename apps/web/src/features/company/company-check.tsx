import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { getCompanyStatus } from '@fairlot/contract'
import { showToast } from '@fairlot/ui/feedback/toast.ts'
import { rememberCompany } from '../../live/device/company.ts'
import { request } from '../../live/requests/request.ts'

/** Then the answer is not worth a connection any more; the app never waits for it. */
const GIVE_UP_MS = 15_000

/**
 * Checks that the company chosen on this device, or without one (null) the directory itself, is open. Otherwise it sends the visitor
 * to the address that the server names, or says so where there is none. Mounted once.
 */
export function CompanyCheck({ companyId }: { companyId: number | null }) {
  const t = useTranslations('app')
  const { data } = useQuery({
    queryKey: ['company', 'status', companyId],
    queryFn: ({ signal }) =>
      request(
        getCompanyStatus,
        { companyId },
        { signal: AbortSignal.any([signal, AbortSignal.timeout(GIVE_UP_MS)]), isSilent: true },
      ),
    staleTime: 0,
  })
  useEffect(() => {
    if (!data) return
    if (data.mustLeave && isSafe(data.redirectUrl)) location.replace(data.redirectUrl)
    else if (!data.mustLeave && data.standing === 'open') {
      if (companyId !== null) rememberCompany(companyId)
    } else {
      rememberCompany(null)
      showToast({ text: t(companyId === null ? 'directoryClosed' : 'companyGone'), isPersistent: true })
    }
  }, [data, companyId, t])
  return null
}

/** The server restricts the hosts; here only https is followed, since a `javascript:` address would run in our page. */
const isSafe = (address: string): boolean => address.startsWith('https://')
