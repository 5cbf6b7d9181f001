import type { Queries } from '../platform/database/open.ts'
import {
  COMPANY_ROWS,
  type CompanyStatus,
  findCompanies,
  getCompanyStatus,
  listDirectory,
  type ListedCompany,
} from '@fairlot/contract'
import type { CompanyTable } from '../platform/database/content-schema.ts'
import type { Api } from '../platform/http/api.ts'

/** The key that names are searched by: lower case, with full-width letters as normal ones. */
export const keyOf = (name: string): string => name.normalize('NFKC').trim().toLowerCase()

/** Characters with a special meaning to the database. */
const SPECIAL_CHARACTERS = /[%_\\\0]/g

/** Companies whose name contains a text; all of them for an empty one. */
export function matchingCompanies(queries: Queries, search: string) {
  const rows = queries.selectFrom('company')
  const text = keyOf(search).replace(SPECIAL_CHARACTERS, '')
  return text === '' ? rows : rows.where('name_key', 'like', `%${text}%`)
}

/**
 * Whether visitors of a company may be sent to an address: https without credentials, at a host that an administrator
 * has listed. Checked when it is saved and each time it is returned, since hosts may have been removed from the list.
 */
export const isAllowedTarget = (address: string, hosts: readonly string[]): boolean => {
  const url = URL.parse(address)
  return (
    url?.protocol === 'https:' && url.username === '' && url.password === '' && hosts.includes(url.hostname)
  )
}

const OPEN: CompanyStatus = { mustLeave: false, standing: 'open', redirectUrl: '' }

/**
 * The public directory of active companies, and the status of the one that a visitor chose. A broker's own deployment
 * has no directory, whatever its table contains. `live.lossHosts`: the hosts where visitors may be sent now.
 * `live.lossUrl`: where all visitors of the directory are sent while it is closed; empty while it is open.
 */
export function registerDirectory(
  api: Api,
  queries: Queries,
  appMode: 'broker' | 'main',
  live: { readonly lossHosts: readonly string[]; readonly lossUrl: string },
): void {
  const isMain = appMode === 'main'
  const read = async (search: string): Promise<readonly ListedCompany[]> => {
    if (!isMain) return []
    const rows = await matchingCompanies(queries, search)
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
    if (!isMain) return OPEN
    if (companyId === null) return live.lossUrl === '' ? OPEN : closed(live.lossUrl, live.lossHosts)
    const company = await queries
      .selectFrom('company')
      .select(['is_on', 'loss_url'])
      .where('id', '=', BigInt(companyId))
      .executeTakeFirst()
    if (!company) return { ...OPEN, standing: 'unknown' }
    if (company.is_on === 1n) return OPEN
    return closed(company.loss_url, live.lossHosts)
  })
}

/** Visitors leave only for an allowed address: without one, clients that leave would reload their page endlessly. */
function closed(lossUrl: string, lossHosts: readonly string[]): CompanyStatus {
  const mustLeave = isAllowedTarget(lossUrl, lossHosts)
  return { mustLeave, standing: 'closed', redirectUrl: mustLeave ? lossUrl : '' }
}

const shown = (row: CompanyTable): ListedCompany => ({
  id: Number(row.id),
  name: row.name,
  subject: row.subject,
  logo: row.logo,
  url: row.url,
  registeredAddress: row.registered_address,
  location: row.location,
  email: row.email,
})
