import {
  companiesFile,
  type Company,
  DESK_PAGE_ROWS,
  listCompanies,
  saveCompany,
} from '@fairlot/contract/desk'
import type { Transaction } from 'kysely'
import type { DeskServices } from '../../desk/desk-services.ts'
import type { CompanyTable } from '../../platform/database/content-schema.ts'
import { nextId } from '../../platform/database/next-id.ts'
import type { Queries } from '../../platform/database/open.ts'
import type { Tables } from '../../platform/database/schema.ts'
import { isRefusal, type Refusal, refuse } from '../../platform/refusal.ts'
import { matchingCompanies, keyOf, isAllowedTarget } from '../companies.ts'

/** The calls that maintain the directory of companies. */
export function registerCompanies({ api, queries, auditLog, hub, deployment, now }: DeskServices): void {
  const readPage = async ({ search, page }: CompanyQuery, limit = DESK_PAGE_ROWS) => {
    const matching = matchingCompanies(queries, search)
    const { total } = await matching
      .select((select) => select.fn.countAll().as('total'))
      .executeTakeFirstOrThrow()
    const rows = await matching
      .selectAll()
      .orderBy('name_key')
      .orderBy('id')
      .limit(limit)
      .offset((page - 1) * limit)
      .execute()
    return { companies: rows.map(shown), total: Number(total) }
  }
  api.list(listCompanies, ({ input }, limit) => readPage(input, limit), {
    file: companiesFile,
    rowsOf: ({ companies }) => companies.map(withWireName),
  })

  api.operator(saveCompany, async ({ operator, input: { id, version, reason, ...given } }) => {
    const form = trimmed(given)
    const refusal = refusalOfCompany(form, deployment.settings.loss_hosts)
    if (refusal) return refusal
    const before = id === null ? null : await find(queries, id)
    const saved = await auditLog.perform(
      {
        operator,
        act: 'editContent',
        subject: `company:${id ?? 'new'}`,
        reason,
        before: before && withWireName(shown(before)),
        after: withWireName(form),
      },
      (within) =>
        id === null ? insert(within, form, now()) : renew(within, { ...form, id, version }, now()),
    )
    if (!isRefusal(saved)) hub.changed('content')
    return saved
  })
}

type CompanyQuery = { readonly search: string; readonly page: number }
type Saved = { readonly id: number; readonly version: number }

const find = async (queries: Queries, id: number): Promise<CompanyTable | null> =>
  (await queries.selectFrom('company').selectAll().where('id', '=', BigInt(id)).executeTakeFirst()) ?? null

async function insert(within: Transaction<Tables>, form: CompanyForm, at: number): Promise<Saved> {
  const id = await nextId(within, 'company')
  await within
    .insertInto('company')
    .values({ ...rowOf(form, at), id, version: 1n })
    .execute()
  return { id: Number(id), version: 1 }
}

async function renew(
  within: Transaction<Tables>,
  { id, version, ...form }: CompanyForm & Saved,
  at: number,
): Promise<Saved | Refusal> {
  const { numUpdatedRows } = await within
    .updateTable('company')
    .set({ ...rowOf(form, at), version: BigInt(version + 1) })
    .where('id', '=', BigInt(id))
    .where('version', '=', BigInt(version))
    .executeTakeFirst()
  if (numUpdatedRows === 1n) return { id, version: version + 1 }
  return refuse((await find(within, id)) ? 'formOutdated' : 'contentNotFound')
}

const rowOf = (form: CompanyForm, at: number): Omit<CompanyTable, 'id' | 'version'> => ({
  name: form.name,
  name_key: keyOf(form.name),
  subject: form.subject,
  logo: form.logo,
  url: form.url,
  registered_address: form.registeredAddress,
  location: form.location,
  email: form.email,
  loss_url: form.redirectUrl,
  is_on: form.isOn ? 1n : 0n,
  changed_at: BigInt(at),
})

const shown = (row: CompanyTable): Company => ({
  id: Number(row.id),
  version: Number(row.version),
  changedAt: Number(row.changed_at),
  name: row.name,
  subject: row.subject,
  logo: row.logo,
  url: row.url,
  location: row.location,
  registeredAddress: row.registered_address,
  email: row.email,
  redirectUrl: row.loss_url,
  isOn: row.is_on === 1n,
})

/** A company as files and the audit log have it, which keep the name of the API. */
const withWireName = <C extends CompanyForm>({ redirectUrl, ...rest }: C) => ({
  ...rest,
  lossUrl: redirectUrl,
})

type CompanyForm = Omit<Company, 'id' | 'version' | 'changedAt'>

/** The most characters of a field. */
const LENGTH_MAX = 300
const EMAIL = /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/
/** A picture on this server: one elsewhere would reveal visitors to its host. */
const LOGO = /^\/(?:files|logos)\/[\w.-]{1,80}$/

const trimmed = ({ isOn, ...texts }: CompanyForm): CompanyForm => ({
  ...(Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text.trim()])) as typeof texts),
  isOn,
})

/** The refusal of an invalid company; null if it is valid. `lossHosts`: where visitors may be sent. */
function refusalOfCompany(form: CompanyForm, lossHosts: readonly string[]): Refusal | null {
  const { isOn: _isOn, ...texts } = withWireName(form)
  const tooLong = Object.entries(texts).find(([, text]) => text.length > LENGTH_MAX)
  if (tooLong) return refuse('contentTooLong', { field: tooLong[0], most: LENGTH_MAX })
  if (form.name === '') return refuse('companyInvalid', { field: 'name' })
  if (form.url !== '' && !isWeb(form.url)) return refuse('companyInvalid', { field: 'url' })
  if (form.email !== '' && !EMAIL.test(form.email)) return refuse('companyInvalid', { field: 'email' })
  if (form.logo !== '' && !LOGO.test(form.logo)) return refuse('companyInvalid', { field: 'logo' })
  return texts.lossUrl === '' || isAllowedTarget(texts.lossUrl, lossHosts)
    ? null
    : refuse('lossUrlRefused', { field: 'lossUrl' })
}

const isWeb = (address: string): boolean => /^https?:$/.test(URL.parse(address)?.protocol ?? '')
