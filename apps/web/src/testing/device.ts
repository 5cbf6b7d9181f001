import { chooseChart } from '../features/market/chart/chart-choice.tsx'
import { forgetDemo } from '../live/session/user.ts'
import { forgetTour } from '../live/device/tour.ts'
import { setToken } from '../live/device/token.ts'
import { rememberCompany } from '../live/device/company.ts'
import { setLanguage } from '../live/device/language.ts'
import { setPreferences } from '../live/device/preferences.ts'
import { forgetNewsSeenHere } from '../live/news.ts'
import { selectInstrument } from '../live/market/selected-instrument.ts'
import { setMarketState } from '../live/market/market-state.ts'
import { queryClient } from '../live/requests/query-client.ts'
import { useWaitingToasts } from '@fairlot/ui/feedback/toast.ts'

/** Resets the device to a first visit, and forgets all pushed state. */
export function forgetDevice(): void {
  setToken(null)
  setPreferences({ theme: 'system', rise: 'language', isBalanceHidden: false })
  setLanguage('en')
  selectInstrument('EURUSD')
  chooseChart({ period: '5min', indicators: [] })
  setMarketState({ type: 'marketState', mode: 'normal', reason: '', halts: [], changedTerms: [] })
  useWaitingToasts.setState({ messages: [] })
  queryClient.clear()
  rememberCompany(null)
  forgetNewsSeenHere()
  forgetTour()
  for (const store of [localStorage, sessionStorage])
    for (const key of Object.keys(store)) if (key.startsWith('fairlot.')) store.removeItem(key)
  forgetDemo()
  document.documentElement.dir = 'ltr'
}
