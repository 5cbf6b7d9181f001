import { getBasicInfo, type BasicInfo } from '@fairlot/contract'
import { useQuery } from '@tanstack/react-query'
import { currentLanguage } from './device/language.ts'
import { answerOfPage, languageOfPage, PAGE_ASKED_AT } from './first-data.ts'
import { useMarketState } from './market/market-state.ts'
import { request } from './requests/request.ts'

/** What came with the page, in its language. */
const infoOfPage = (): BasicInfo | undefined =>
  languageOfPage() === currentLanguage() ? answerOfPage('basicInfo', getBasicInfo.response) : undefined

/** How this deployment is set up, for a screen that cannot go on without it. */
export const useBasicInfoAnswer = () =>
  useQuery({
    queryKey: ['basicInfo'],
    queryFn: ({ signal }) => request(getBasicInfo, null, { signal, isSilent: true }),
    initialData: infoOfPage,
    initialDataUpdatedAt: PAGE_ASKED_AT,
  })

/** How this deployment is set up; undefined before the first answer. */
export const useBasicInfo = (): BasicInfo | undefined => useBasicInfoAnswer().data

/** True where the deployment is a directory of companies, and the product screen finds those. */
export const useIsDirectory = (): boolean => useBasicInfo()?.appMode === 'main'

/** True while an operator has paused trading: nothing opens or closes, pending orders can be cancelled, stops moved. */
export function useIsCancelOnly(): boolean {
  const pushed = useMarketState()?.mode
  const answered = useBasicInfo()?.tradingMode
  return (pushed ?? answered) === 'cancelOnly'
}
