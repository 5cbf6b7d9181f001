import { API_VERSION, getBasicInfo, type BasicInfo } from '@fairlot/contract'
import { useQuery } from '@tanstack/react-query'
import { useAppVersion } from './device/app-version.ts'
import { currentLanguage } from './device/language.ts'
import { answerOfPage, languageOfPage, PAGE_REQUESTED_AT } from './requests/page-data.ts'
import { useMarketState } from './market/market-state.ts'
import { request } from './requests/request.ts'

/** The response embedded in the page, if it is in the current language. */
const infoOfPage = (): BasicInfo | undefined =>
  languageOfPage() === currentLanguage() ? answerOfPage('basicInfo', getBasicInfo.response) : undefined

/** A page that stayed open while the server was replaced may be too old for it. */
async function fetchInfo(signal: AbortSignal): Promise<BasicInfo> {
  const info = await request(getBasicInfo, null, { signal, isSilent: true })
  useAppVersion.setState({ isOutdated: info.apiVersion > API_VERSION })
  return info
}

/** Configuration of this deployment, with the state of its request; polled by a screen that shows changes at once. */
export const useBasicInfoAnswer = (polling: { staleTime?: number; refetchInterval?: number } = {}) =>
  useQuery({
    queryKey: ['basicInfo'],
    queryFn: ({ signal }) => fetchInfo(signal),
    initialData: infoOfPage,
    initialDataUpdatedAt: PAGE_REQUESTED_AT,
    ...polling,
  })

/** Configuration of this deployment; undefined before the first response. */
export const useBasicInfo = (): BasicInfo | undefined => useBasicInfoAnswer().data

/** True when the deployment is a directory of companies, and the product screen searches those. */
export const useIsDirectory = (): boolean => useBasicInfo()?.appMode === 'main'

/** Trading mode of the whole market and, unless it is normal, its reason. */
export type Trading = { readonly mode: BasicInfo['tradingMode']; readonly reason: string }

/**
 * Trading mode of the whole market. `reduceOnly`: no new positions. `halted`: no fills; pending orders can be cancelled and stops
 * moved.
 */
export function useTrading(): Trading {
  const pushed = useMarketState()
  const answered = useBasicInfo()
  if (pushed) return { mode: pushed.mode, reason: pushed.reason }
  return { mode: answered?.tradingMode ?? 'normal', reason: answered?.tradingReason ?? '' }
}

/** Reason why the whole market is halted; null while it is not. */
export function useMarketHalt(): string | null {
  const { mode, reason } = useTrading()
  return mode === 'halted' ? reason : null
}
