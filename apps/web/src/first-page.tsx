import type { BasicInfo, Category, InstrumentListing } from '@fairlot/contract'
import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { At } from '@fairlot/ui/router.tsx'
import { FirstScreen, FirstTradeScreen } from './app/first-screen.tsx'
import { loadMessages, textLanguage } from './i18n/message-catalogue.ts'
import { chooseLanguage, tagOf } from './i18n/language.ts'
import { LocaleProvider } from './i18n/locale-provider.tsx'
import { firstOf } from './live/market/instruments.ts'
import { receiveListing } from './live/market/quotes.ts'
import { queryClient } from './live/requests/query-client.ts'

/** What the browser asks for, before any script of ours runs. */
export type Wish = { readonly asked: string | null; readonly acceptLanguage: string }

/** The language of a first page, as the app would choose it where nothing is remembered on the device. */
export const firstLanguage = ({ asked, acceptLanguage }: Wish): string =>
  chooseLanguage({
    asked,
    chosen: null,
    browser: acceptLanguage.split(',').map((part) => part.split(';')[0]?.trim() ?? ''),
  })

export type FirstPage = {
  readonly markup: string
  readonly tag: string
  /** The code of the instrument that the trade screen shows. */
  readonly instrument: string | null
}

/** What the server knows of the first screens. */
export type FirstData = {
  readonly instruments: readonly InstrumentListing[]
  readonly categories: readonly Category[]
  readonly basicInfo: BasicInfo
}

/** The screens of home and of trade as the server sends them: the same components as the app's, with the prices of now. */
export async function renderFirstPage(
  language: ReturnType<typeof chooseLanguage>,
  { instruments, categories, basicInfo }: FirstData,
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
          <At pathname={pathname}>{screen}</At>
        </LocaleProvider>
      </QueryClientProvider>,
    )
  const markup = pageAt('/', <FirstScreen />) + pageAt('/trade', <FirstTradeScreen />)
  queryClient.clear()
  return {
    ...{ markup, tag: tagOf(textLanguage(language)) },
    instrument: firstOf(instruments, null)?.code ?? null,
  }
}
