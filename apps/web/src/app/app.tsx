import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, useEffect, useEffectEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import { ProgressLine } from '@fairlot/ui/feedback/progress-line.tsx'
import { HashRouter, navigate, useLocation } from '@fairlot/ui/navigation/router.tsx'
import { showToast } from '@fairlot/ui/feedback/toast.ts'
import { Toaster } from '@fairlot/ui/feedback/toaster.tsx'
import { useMediaQuery, WIDE } from '@fairlot/ui/hooks/use-media-query.ts'
import { useWebFont } from '@fairlot/ui/theme/use-web-font.ts'
import { isRedUp } from '../i18n/language.ts'
import { LocaleProvider, type Texts, useLocale } from '../i18n/locale-provider.tsx'
import { useHasSessionEnded, useIsLoggedIn } from '../live/device/token.ts'
import { forgetUser } from '../live/session/user.ts'
import { useIsDirectory } from '../live/basic-info.ts'
import { useCompanyId } from '../live/device/company.ts'
import { useIsTaiwan, useLanguage } from '../live/device/language.ts'
import { usePreferences } from '../live/device/preferences.ts'
import { writeStored } from '../live/device/storage.ts'
import { failureText, listenToRequests, useWaiting } from '../live/requests/request.ts'
import { queryClient } from '../live/requests/query-client.ts'
import { SmallPart } from '@fairlot/ui/feedback/boundary.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { useIsCopying } from './footer-tabs.tsx'
import { Navigation } from './navigation.tsx'
import { isEntry, pathWithFrom, routeOf } from './routes.ts'
import { Shell } from './shell.tsx'

// Loaded lazily, since few visitors need them.
const CompanyCheck = lazy(async () => ({
  default: (await import('../features/company/company-check.tsx')).CompanyCheck,
}))
const EndNotices = lazy(async () => ({
  default: (await import('../features/trading/account/end-notices.tsx')).EndNotices,
}))

type AppProps = {
  /** Loaded before the first render, so that no screen shows without text. */
  firstTexts: Texts
  /** Called once the first screen is shown. */
  onShown?: () => void
}

/** The whole app. */
export function App({ firstTexts, onShown }: AppProps) {
  const { isBalanceHidden } = usePreferences()
  useEffect(() => onShown?.(), [onShown])
  return (
    <QueryClientProvider client={queryClient}>
      <LocaleProvider language={useLanguage()} first={firstTexts} isMoneyHidden={isBalanceHidden}>
        <Appearance />
        <ErrorBoundary>
          <HashRouter>
            <DocumentTitle />
            <WebFont />
            <RequestMessages />
            <BackgroundTasks />
            <Navigation />
            <Shell />
          </HashRouter>
        </ErrorBoundary>
        <StatusMessages />
      </LocaleProvider>
    </QueryClientProvider>
  )
}

/** Components without a screen that react to account events. */
function BackgroundTasks() {
  const isLoggedIn = useIsLoggedIn()
  const companyId = useCompanyId()
  const isDirectory = useIsDirectory()
  return (
    <>
      <SmallPart>{isLoggedIn && <EndNotices />}</SmallPart>
      <SmallPart>{(companyId !== null || isDirectory) && <CompanyCheck companyId={companyId} />}</SmallPart>
    </>
  )
}

function StatusMessages() {
  const t = useTranslations('app')
  const isWaiting = useWaiting(({ count }) => count > 0)
  return (
    <>
      <ProgressLine label={t('loading')} isActive={isWaiting} />
      <Toaster closeLabel={t('close')} />
    </>
  )
}

/** Shows the outcome of requests: a toast, or the log-in screen when the session has ended. */
function RequestMessages() {
  const t = useTranslations('app')
  const { pathname, search } = useLocation()
  useEffect(
    () =>
      listenToRequests({
        onFailure: (failure) => {
          const text = failureText(failure, t)
          if (text !== null) showToast({ text, tone: 'problem' })
        },
        onConfirmation: (text) => showToast({ text }),
        onSessionGone: (isInitial) => {
          forgetUser(isInitial)
          // The log-in and registration forms stay, with what was typed.
          if (isInitial || isEntry(pathname)) return
          navigate(pathWithFrom('login', pathname + search), { replace: true })
        },
      }),
    [t, pathname, search],
  )
  useSessionEndMessage()
  return null
}

/** Says that the session has ended where the screen does not: on one that visitors may see too. */
function useSessionEndMessage(): void {
  const t = useTranslations('app')
  const hasEnded = useHasSessionEnded()
  const route = routeOf(useLocation().pathname)
  const report = useEffectEvent(() => {
    if (route?.access === 'visitor' && !isEntry(route.path)) showToast({ text: t('sessionEnded') })
  })
  useEffect(() => {
    if (hasEnded) report()
  }, [hasEnded])
}

/**
 * Shows the web font from the next visit, or from the first change of the screen: changing the font of a screen that is shown would
 * block a slow phone. A wide window is no phone.
 */
function WebFont() {
  const { pathname } = useLocation()
  const [first] = useState(pathname)
  const isWide = useMediaQuery(WIDE)
  useWebFont({ isDue: isWide || pathname !== first, onLoaded: rememberFont })
  return null
}

/** The next visit shows the font with its first paint: see page/before-paint.js. */
const rememberFont = () => writeStored('font', 'loaded')

/** Sets the theme and the colour of rising prices on the document for the style sheet. */
function Appearance() {
  const { theme, rise } = usePreferences()
  const { language } = useLocale()
  const isTaiwan = useIsTaiwan()
  const isRed = rise === 'red' || (rise === 'language' && isRedUp(language, isTaiwan))
  useEffect(() => {
    const { dataset } = document.documentElement
    if (theme === 'system') delete dataset['theme']
    else dataset['theme'] = theme
    if (isRed) dataset['rise'] = 'red'
    else delete dataset['rise']
  }, [theme, isRed])
  return null
}

/** Sets the browser tab's title to the current screen. */
function DocumentTitle() {
  const t = useTranslations()
  const name = routeOf(useLocation().pathname)?.name
  const isDirectory = useIsDirectory()
  const isCopying = useIsCopying()
  const shown = name === 'product' && isDirectory ? 'companies' : isCopying ? 'copies' : name
  const title = `${shown ? t(`screens.${shown}`) : t('app.notFound')} · ${t('app.name')}`
  useEffect(() => {
    document.title = title
  }, [title])
  return null
}
