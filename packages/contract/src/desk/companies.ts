import type { Inside } from '../codec.ts'
import { id, listOf, maybe, text, time, whole, withDefault } from '../field.ts'
import { typed } from '../typed-field.ts'
import { version } from './content.ts'
import { defineDeskEndpoint } from './desk-endpoint.ts'
import { deskPage, reason, record, yesNo } from './record.ts'

const form = {
  ...{ name: typed, subject: typed, logo: text, url: typed, registeredAddress: typed },
  ...{ location: typed, email: typed, isOn: yesNo },
  /** Where its visitors are sent once it is switched off; empty for nowhere. */
  lossUrl: typed,
}
const company = record({ id, version, changedAt: time, ...form })
/** A company of the directory in main mode. It is switched off, never deleted. */
export type Company = Inside<typeof company>

export const listCompanies = defineDeskEndpoint({
  name: 'listCompanies',
  method: 'GET',
  path: '/desk/api/content/companies',
  act: 'viewContent',
  request: record({ search: withDefault(text, ''), page: deskPage }),
  response: record({ companies: listOf(company), total: whole() }),
  summary: 'The companies of the directory, those switched off too',
})

export const saveCompany = defineDeskEndpoint({
  name: 'saveCompany',
  method: 'POST',
  path: '/desk/api/content/companies/save',
  act: 'editContent',
  request: record({ id: maybe(id), version, ...form, reason }),
  response: record({ id, version }),
  summary: 'Writes a company, or switches it off or on again',
})
