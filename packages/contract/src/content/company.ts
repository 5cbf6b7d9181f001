import { ACCESS } from '../protocol/access.ts'
import type { Infer } from '../protocol/codec.ts'
import { defineEndpoint } from '../protocol/endpoint.ts'
import { nothing } from '../protocol/field.ts'
import { companies, companyChoice, companySearch, companyStatus } from './company.wire.ts'

/** A company in the directory. */
export type ListedCompany = Infer<typeof companies>[number]
export type CompanyStatus = Infer<typeof companyStatus>

/** Companies in one answer; the others are found by search. */
export const COMPANY_ROWS = 100

export const listDirectory = defineEndpoint({
  name: 'listDirectory',
  method: 'GET',
  path: '/api/company/getCompany',
  access: ACCESS.information,
  request: nothing,
  response: companies,
  summary: 'The companies of the directory in main mode, the first hundred by name; none in broker mode',
})

export const findCompanies = defineEndpoint({
  name: 'findCompanies',
  method: 'GET',
  path: '/api/company/search',
  access: ACCESS.information,
  request: companySearch,
  response: companies,
  summary: 'The companies of the directory with this in their name, the first hundred by name',
})

export const getCompanyStatus = defineEndpoint({
  name: 'getCompanyStatus',
  method: 'GET',
  path: '/api/company/getCompanyStatus',
  access: ACCESS.information,
  request: companyChoice,
  response: companyStatus,
  summary:
    'Whether the chosen company, or without an id the whole directory, is open; a status other than 0 sends readers to loss_url',
})
