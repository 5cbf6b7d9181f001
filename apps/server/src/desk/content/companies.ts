import {
  companiesFile,
  DESK_PAGE_ROWS,
  listCompanies,
  saveCompany,
  type Company,
} from '@fairlot/contract/desk'
import type { Transaction } from 'kysely'
import { fittingCompanies, keyOf } from '../../company/company-search.ts'
import type { Queries } from '../../database/open.ts'
import type { CompanyTable } from '../../database/content-schema.ts'
import type { Tables } from '../../database/schema.ts'
import { isRefusal, refuse, type Refusal } from '../../http/refusal.ts'
import type { DeskServices } from '../desk-services.ts'
import { nextId } from '../next-id.ts'
import { refusalOfCompany, trimmed, type CompanyForm } from './company-form.ts'

/** The directory of companies in main mode. */
export function registerCompanies({ api, queries, acts, hub, deployment, now }: DeskServices): void {
  const readPage = async ({ search, page }: Asked, limit = DESK_PAGE_ROWS) => {
    const fitting = fittingCompanies(queries, search)
    const { total } = await fitting
      .select((select) => select.fn.countAll().as('total'))
      .executeTakeFirstOrThrow()
    const rows = await fitting
      .selectAll()
      .orderBy('name_key')
      .orderBy('id')
      .limit(limit)
      .offset((page - 1) * limit)
      .execute()
    return { companies: rows.map(shown), total: Number(total) }
  }
  api.list(listCompanies, ({ input }, limit) => readPage(input, limit), {
    ...{ file: companiesFile, rowsOf: ({ companies }) => companies },
  })

  api.operator(saveCompany, async ({ operator, input: { id, version, reason, ...given } }) => {
    const form = trimmed(given)
    const refusal = refusalOfCompany(form, deployment.settings.loss_hosts)
    if (refusal) return refusal
    const before = id === null ? null : await find(queries, id)
    const saved = await acts.perform(
      {
        ...{ operator, act: 'editContent', subject: `company:${id ?? 'new'}`, reason },
        ...{ before: before && shown(before), after: form },
      },
      (within) =>
        id === null ? insert(within, form, now()) : renew(within, { ...form, id, version }, now()),
    )
    if (!isRefusal(saved)) hub.changed('content')
    return saved
  })
}

type Asked = { readonly search: string; readonly page: number }
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
  ...{ name: form.name, name_key: keyOf(form.name), subject: form.subject, logo: form.logo, url: form.url },
  ...{ registered_address: form.registeredAddress, location: form.location, email: form.email },
  ...{ loss_url: form.lossUrl, is_on: form.isOn ? 1n : 0n, changed_at: BigInt(at) },
})

const shown = (row: CompanyTable): Company => ({
  ...{ id: Number(row.id), version: Number(row.version), changedAt: Number(row.changed_at) },
  ...{ name: row.name, subject: row.subject, logo: row.logo, url: row.url, location: row.location },
  ...{ registeredAddress: row.registered_address, email: row.email, lossUrl: row.loss_url },
  isOn: row.is_on === 1n,
})
