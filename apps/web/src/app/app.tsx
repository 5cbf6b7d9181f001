import { QueryClientProvider } from '@tanstack/react-query'
import { HashRouter } from 'react-router'
import { useTranslations } from 'use-intl'
import { SpeechProvider } from '../i18n/provider.tsx'
import type { Texts } from '../i18n/provider.tsx'
import { EndNotices } from '../features/trading/account/end-notices.tsx'
import { useLanguage } from '../live/language.ts'
import { queryClient } from '../live/query-client.ts'
import { useWaiting } from '../live/request.ts'
import { ProgressLine } from '../ui/progress-line.tsx'
import { Toaster } from '../ui/toaster.tsx'
import { Appearance } from './appearance.tsx'
import { Navigation } from './navigation.tsx'
import { RequestMessages } from './request-messages.tsx'
import { Shell } from './shell.tsx'

/** The whole app. `firstTexts` are loaded before the first paint, so that no screen shows without words. */
export function App({ firstTexts }: { firstTexts: Texts }) {
  return (
    <QueryClientProvider client={queryClient}>
      <SpeechProvider language={useLanguage()} first={firstTexts}>
        <Appearance />
        <HashRouter>
          <RequestMessages />
          <EndNotices />
          <Navigation />
          <Shell />
        </HashRouter>
        <Messages />
      </SpeechProvider>
    </QueryClientProvider>
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
