import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { acceptedTags, type BasicInfo, type Category, type InstrumentListing } from '@fairlot/contract'
import { StaticLocation } from '@fairlot/ui/navigation/router.tsx'
import { FirstScreen, FirstTradeScreen } from './app/first-screen.tsx'
import { chooseLanguage, tagOf } from './i18n/language.ts'
import { LocaleProvider } from './i18n/locale-provider.tsx'
import { loadMessages, textLanguage } from './i18n/message-catalogue.ts'
import { firstOf } from './live/market/instruments.ts'
import { receiveListing } from './live/market/quotes.ts'
import { queryClient } from './live/requests/query-client.ts'

/** What a browser requests: the `lang` query and the Accept-Language header. Known before any script runs. */
export type LanguageRequest = { readonly langQuery: string | null; readonly acceptLanguage: string }

/** The language of a first page, as the app chooses it on a device without a saved choice. */
export const firstLanguage = ({ langQuery, acceptLanguage }: LanguageRequest): string =>
  chooseLanguage({
    linked: langQuery,
    chosen: null,
    browser: acceptedTags(acceptLanguage),
  })

export type FirstPage = {
  readonly markup: string
  readonly tag: string
  /** The code of the instrument that the trade screen shows. */
  readonly instrument: string | null
}

/** The server's data for the first screens. */
export type InitialPageData = {
  readonly instruments: readonly InstrumentListing[]
  readonly categories: readonly Category[]
  readonly basicInfo: BasicInfo
}

/** Renders the home and trade screens on the server: the same components as the app's, with current prices. */
export async function renderFirstPage(
  language: ReturnType<typeof chooseLanguage>,
  { instruments, categories, basicInfo }: InitialPageData,
): Promise<FirstPage> {
  const [first, trading] = await Promise.all([
    loadMessages(language, 'first'),
    loadMessages(language, 'trading'),
  ])
  const texts = { language, messages: { ...first, ...trading } }
  for (const listing of instruments) receiveListing(listing, Date.now())
  queryClient.setQueryData(['instruments'], instruments)
  queryClient.setQueryData(['categories'], categories)
  queryClient.setQueryData(['basicInfo'], basicInfo)
  const pageAt = (pathname: string, screen: ReactNode): string =>
    renderToString(
      <QueryClientProvider client={queryClient}>
        <LocaleProvider language={language} first={texts} isMoneyHidden={false}>
          <StaticLocation pathname={pathname}>{screen}</StaticLocation>
        </LocaleProvider>
      </QueryClientProvider>,
    )
  const markup = pageAt('/', <FirstScreen />) + pageAt('/trade', <FirstTradeScreen />)
  queryClient.clear()
  return {
    markup,
    tag: tagOf(textLanguage(language)),
    instrument: firstOf(instruments, null)?.code ?? null,
  }
}
