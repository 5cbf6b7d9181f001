import { chooseChart } from '../features/market/chart/chart-choice.ts'
import { keepDemo } from '../live/auth/user.ts'
import { setToken } from '../live/auth/token.ts'
import { rememberCompany } from '../live/device/company.ts'
import { setLanguage } from '../live/device/language.ts'
import { setPreferences } from '../live/device/preferences.ts'
import { forgetNewsSeenHere } from '../live/news/unread.ts'
import { selectInstrument } from '../live/market/selected-instrument.ts'
import { takeMarketState } from '../live/market/market-state.ts'
import { queryClient } from '../live/requests/query-client.ts'
import { useWaitingToasts } from '@fairlot/ui/toast.ts'

/** What an app's device begins with: nobody has been here, and nothing was ever pushed. */
export function forgetDevice(): void {
  setToken(null)
  keepDemo(null)
  setPreferences({ theme: 'system', rise: 'language', isBalanceHidden: false })
  setLanguage('en')
  selectInstrument('EURUSD')
  chooseChart({ period: '5min', indicators: [] })
  takeMarketState({ type: 'marketState', mode: 'normal', halts: [], changedTerms: [] })
  useWaitingToasts.setState({ messages: [] })
  queryClient.clear()
  rememberCompany(null)
  forgetNewsSeenHere()
  for (const store of [localStorage, sessionStorage])
    for (const key of Object.keys(store)) if (key.startsWith('fairlot.')) store.removeItem(key)
  document.documentElement.dir = 'ltr'
}
