import {
  COMPANY_ROWS,
  findCompanies,
  getCompanyStatus,
  listDirectory,
  type CompanyStatus,
  type ListedCompany,
} from '@fairlot/contract'
import type { CompanyTable } from '../database/content-schema.ts'
import type { Queries } from '../database/open.ts'
import type { Api } from '../http/api.ts'
import { fittingCompanies } from './company-search.ts'
import { mayLeadTo } from './loss-url.ts'

const OPEN: CompanyStatus = { mustLeave: false, standing: 'open', lossUrl: '' }

/**
 * The directory of companies for its readers: those that are switched on, and what became of the one they chose. A broker's own
 * deployment has none, whatever its table holds. `live.lossHosts`: where readers may be sent, as it is set now.
 */
export function registerDirectory(
  api: Api,
  queries: Queries,
  appMode: 'broker' | 'main',
  live: { readonly lossHosts: readonly string[] },
): void {
  const isMain = appMode === 'main'
  const read = async (search: string): Promise<readonly ListedCompany[]> => {
    if (!isMain) return []
    const rows = await fittingCompanies(queries, search)
      .selectAll()
      .where('is_on', '=', 1n)
      .orderBy('name_key')
      .orderBy('id')
      .limit(COMPANY_ROWS)
      .execute()
    return rows.map(shown)
  }
  api.visitor(listDirectory, () => read(''))
  api.visitor(findCompanies, ({ input: { name } }) => read(name))

  api.visitor(getCompanyStatus, async ({ input: { companyId } }) => {
    if (!isMain || companyId === null) return OPEN
    const company = await queries
      .selectFrom('company')
      .select(['is_on', 'loss_url'])
      .where('id', '=', BigInt(companyId))
      .executeTakeFirst()
    if (!company) return { ...OPEN, standing: 'unknown' }
    if (company.is_on === 1n) return OPEN
    // A status that leads nowhere would have clients load their page again without end.
    const mustLeave = mayLeadTo(company.loss_url, live.lossHosts)
    return { mustLeave, standing: 'closed', lossUrl: mustLeave ? company.loss_url : '' }
  })
}

const shown = (row: CompanyTable): ListedCompany => ({
  ...{ id: Number(row.id), name: row.name, subject: row.subject, logo: row.logo, url: row.url },
  ...{ registeredAddress: row.registered_address, location: row.location, email: row.email },
})
