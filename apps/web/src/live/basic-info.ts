import { getBasicInfo, type BasicInfo } from '@fairlot/contract'
import { useQuery } from '@tanstack/react-query'
import { useMarketState } from './market/market-state.ts'
import { request } from './requests/request.ts'

/** How this deployment is set up, for a screen that cannot go on without it. */
export const useBasicInfoAnswer = () =>
  useQuery({
    queryKey: ['basicInfo'],
    queryFn: ({ signal }) => request(getBasicInfo, null, { signal, isSilent: true }),
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
