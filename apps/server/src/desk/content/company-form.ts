import type { Company } from '@fairlot/contract/desk'
import { mayLeadTo } from '../../company/loss-url.ts'
import { refuse, type Refusal } from '../../http/refusal.ts'

export type CompanyForm = Omit<Company, 'id' | 'version' | 'changedAt'>

/** Characters of a field. */
const LENGTH_MOST = 300
const EMAIL = /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/
/** A picture of this server: that of somebody else would tell them who looks. */
const LOGO = /^\/(?:files|logos)\/[\w.-]{1,80}$/

export const trimmed = ({ isOn, ...texts }: CompanyForm): CompanyForm => ({
  ...(Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text.trim()])) as typeof texts),
  isOn,
})

/** Why a company cannot be written like this; null when it can. `lossHosts`: where visitors may be sent. */
export function refusalOfCompany(form: CompanyForm, lossHosts: readonly string[]): Refusal | null {
  const { isOn: _isOn, lossUrl, ...texts } = form
  const tooLong = Object.entries({ ...texts, lossUrl }).find(([, text]) => text.length > LENGTH_MOST)
  if (tooLong) return refuse('contentTooLong', { field: tooLong[0], most: LENGTH_MOST })
  if (form.name === '') return refuse('companyInvalid', { field: 'name' })
  if (form.url !== '' && !isWeb(form.url)) return refuse('companyInvalid', { field: 'url' })
  if (form.email !== '' && !EMAIL.test(form.email)) return refuse('companyInvalid', { field: 'email' })
  if (form.logo !== '' && !LOGO.test(form.logo)) return refuse('companyInvalid', { field: 'logo' })
  return lossUrl === '' || mayLeadTo(lossUrl, lossHosts)
    ? null
    : refuse('lossUrlRefused', { field: 'lossUrl' })
}

const isWeb = (address: string): boolean => /^https?:$/.test(URL.parse(address)?.protocol ?? '')
