import { findCompanies, getCompanyStatus, listDirectory, type ListedCompany } from '@fairlot/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { request } from '../../live/requests/request.ts'

/** The companies with these words in their name, all without a word; those found before stay until the next are here. */
export const useCompanies = (name: string) =>
  useQuery<readonly ListedCompany[]>({
    queryKey: ['company', 'list', name],
    queryFn: ({ signal }) =>
      name === ''
        ? request(listDirectory, null, { signal, isSilent: true })
        : request(findCompanies, { name }, { signal, isSilent: true }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** Whether a company still takes part. */
export const useCompanyStatus = (companyId: number) =>
  useQuery({
    queryKey: ['company', 'status', companyId],
    queryFn: ({ signal }) => request(getCompanyStatus, { companyId }, { signal, isSilent: true }),
    staleTime: 0,
  })
