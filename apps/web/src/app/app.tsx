import { QueryClientProvider } from '@tanstack/react-query'
import { HashRouter } from '@fairlot/ui/router.tsx'
import { lazy, Suspense } from 'react'
import { useTranslations } from 'use-intl'
import { LocaleProvider } from '../i18n/locale-provider.tsx'
import type { Texts } from '../i18n/locale-provider.tsx'
import { useIsLoggedIn } from '../live/auth/token.ts'
import { useCompanyId } from '../live/device/company.ts'
import { useLanguage } from '../live/device/language.ts'
import { usePreferences } from '../live/device/preferences.ts'
import { queryClient } from '../live/requests/query-client.ts'
import { useWaiting } from '../live/requests/request.ts'
import { ProgressLine } from '@fairlot/ui/progress-line.tsx'
import { Toaster } from '@fairlot/ui/toaster.tsx'
import { Appearance } from './document-settings.tsx'
import { Navigation } from './navigation.tsx'
import { RequestMessages } from './request-messages.tsx'
import { Shell } from './shell.tsx'

// Few visitors need them.
const CompanyCheck = lazy(async () => ({
  default: (await import('../features/company/company-check.tsx')).CompanyCheck,
}))
const EndNotices = lazy(async () => ({
  default: (await import('../features/trading/account/end-notices.tsx')).EndNotices,
}))

/** The whole app. `firstTexts` are loaded before the first paint, so that no screen shows without words. */
export function App({ firstTexts }: { firstTexts: Texts }) {
  const { isBalanceHidden } = usePreferences()
  return (
    <QueryClientProvider client={queryClient}>
      <LocaleProvider language={useLanguage()} first={firstTexts} isMoneyHidden={isBalanceHidden}>
        <Appearance />
        <HashRouter>
          <RequestMessages />
          <Unseen />
          <Navigation />
          <Shell />
        </HashRouter>
        <Messages />
      </LocaleProvider>
    </QueryClientProvider>
  )
}

/** What watches without being seen. */
function Unseen() {
  const isLoggedIn = useIsLoggedIn()
  const companyId = useCompanyId()
  return (
    <Suspense>
      {isLoggedIn && <EndNotices />}
      {companyId !== null && <CompanyCheck companyId={companyId} />}
    </Suspense>
  )
}

function Messages() {
  const t = useTranslations('app')
  const isWaiting = useWaiting(({ count }) => count > 0)
  return (
    <>
      <ProgressLine label={t('loading')} isActive={isWaiting} />
      <Toaster closeLabel={t('close')} />
    </>
  )
}
