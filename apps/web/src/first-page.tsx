import type { Category, InstrumentListing } from '@fairlot/contract'
import { QueryClientProvider } from '@tanstack/react-query'
import { renderToString } from 'react-dom/server'
import { At } from '@fairlot/ui/router.tsx'
import { FirstScreen } from './app/first-screen.tsx'
import { loadMessages, textLanguage } from './i18n/message-catalogue.ts'
import { chooseLanguage, tagOf } from './i18n/language.ts'
import { LocaleProvider } from './i18n/locale-provider.tsx'
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

export type FirstPage = { readonly markup: string; readonly tag: string }

/** The home screen as the server sends it: the same components as the app's, with the prices of now. */
export async function renderFirstPage(
  language: ReturnType<typeof chooseLanguage>,
  instruments: readonly InstrumentListing[],
  categories: readonly Category[],
): Promise<FirstPage> {
  const messages = await loadMessages(language, 'first')
  for (const listing of instruments) receiveListing(listing, Date.now())
  queryClient.setQueryData(['instruments'], instruments)
  queryClient.setQueryData(['categories'], categories)
  const markup = renderToString(
    <QueryClientProvider client={queryClient}>
      <LocaleProvider language={language} first={{ language, messages }} isMoneyHidden={false}>
        <At pathname="/">
          <FirstScreen />
        </At>
      </LocaleProvider>
    </QueryClientProvider>,
  )
  queryClient.clear()
  return { markup, tag: tagOf(textLanguage(language)) }
}
