import type { Infer } from '../protocol/codec.ts'
import { id, listOf, omittable, text, time, int, withDefault } from '../protocol/field.ts'
import { nameText, searchText, userText } from '../protocol/user-text.ts'
import { version } from './content.ts'
import { defineDeskEndpoint } from './desk-endpoint.ts'
import { deskPage, reason, record, yesNo } from './record.ts'

const form = {
  name: userText,
  subject: userText,
  logo: text,
  url: userText,
  registeredAddress: userText,
  location: userText,
  email: userText,
  isOn: yesNo,
  /** Where its visitors are redirected once it is switched off; empty for nowhere. */
  redirectUrl: ['lossUrl', userText],
} as const
const company = record({ id, version, changedAt: time, ...form })
/** A company of the directory in main mode. It is switched off, never deleted. */
export type Company = Infer<typeof company>

export const listCompanies = defineDeskEndpoint({
  name: 'listCompanies',
  method: 'GET',
  path: '/desk/api/content/companies',
  permission: 'viewContent',
  request: record({ search: withDefault(searchText, ''), page: deskPage }),
  response: record({ companies: listOf(company), total: int() }),
  summary: 'The companies of the directory, those switched off too',
})

export const saveCompany = defineDeskEndpoint({
  name: 'saveCompany',
  method: 'POST',
  path: '/desk/api/content/companies/save',
  permission: 'editContent',
  request: record({ id: omittable(id), version, ...form, name: nameText, reason }),
  response: record({ id, version }),
  summary: 'Writes a company, or switches it off or on again',
})
