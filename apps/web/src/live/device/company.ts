import { create } from 'zustand'

const NAME = 'company_id'
/** Three years in seconds. Browsers that limit the age of cookies shorten it, so every visit writes it again. */
const AGE_S = 3 * 365 * 24 * 60 * 60

/** The company's number in the text of `document.cookie`; null when there is none. */
export function companyIdIn(cookies: string): number | null {
  const [, digits] = /(?:^|;\s*)company_id=(\d{1,15})(?:;|$)/.exec(cookies) ?? []
  return digits === undefined ? null : Number(digits) || null
}

/** The cookie that remembers a company; null forgets it. */
export const companyCookie = (companyId: number | null, isSecure: boolean): string =>
  `${NAME}=${companyId ?? ''}; path=/; max-age=${companyId === null ? 0 : AGE_S}; samesite=lax${isSecure ? '; secure' : ''}`

const stored = typeof document === 'undefined' ? null : companyIdIn(document.cookie)

const useStore = create<{ companyId: number | null }>(() => ({ companyId: stored }))

/** The company of the directory chosen on this device; null for none. */
export const useCompanyId = (): number | null => useStore((state) => state.companyId)

/** Remembers a company on this device for three years; null forgets it. */
export function rememberCompany(companyId: number | null): void {
  document.cookie = companyCookie(companyId, location.protocol === 'https:')
  useStore.setState({ companyId })
}
