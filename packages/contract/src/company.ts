import { ACCESS } from './access.ts'
import type { Inside } from './codec.ts'
import { defineEndpoint } from './endpoint.ts'
import { nothing } from './field.ts'
import { companies, companyChoice, companySearch, companyStatus } from './wire/company.ts'

/** A company as readers of the directory see it. */
export type ListedCompany = Inside<typeof companies>[number]
export type CompanyStatus = Inside<typeof companyStatus>

/** Companies that come with one answer; a search leads to the others. */
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
    'Whether the company that a reader has chosen still takes part; a status other than 0 sends them to loss_url',
})
