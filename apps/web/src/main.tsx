import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { watchMissingParts } from '@fairlot/ui/feedback/missing-part.ts'
import './app/app.css'
import { App } from './app/app.tsx'
import { loadFirstScreen } from './app/screens.tsx'
import { prepareFormats } from './i18n/locale-provider.tsx'
import { loadMessages } from './i18n/message-catalogue.ts'
import { loadAccount } from './live/account/load.ts'
import { currentLanguage, rememberLanguageOfLink } from './live/device/language.ts'
import { readFirstList } from './live/market/instruments.ts'
import { holdQuotes } from './live/market/quotes.ts'
import { loadUser } from './live/session/user.ts'
import { startLiveData } from './live/start.ts'

/** Lets the browser paint and handle taps between two pieces of work. */
const yieldToBrowser = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

async function start(root: HTMLElement) {
  watchMissingParts()
  rememberLanguageOfLink()
  const language = currentLanguage()
  // Account messages cannot be handled before the account's code is loaded.
  const parts = Promise.all([loadMessages(language, 'first'), loadAccount(), loadUser(), loadFirstScreen()])
  await yieldToBrowser()
  await prepareFormats(language, yieldToBrowser)
  await yieldToBrowser()
  readFirstList()
  await yieldToBrowser()
  const showQuotes = holdQuotes()
  startLiveData()
  const [messages] = await parts
  await yieldToBrowser()
  // Renders in pieces between frames and taps; the server's first screen stays until all of it is ready.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <App firstTexts={{ language, messages }} onShown={showQuotes} />
      </StrictMode>,
    ),
  )
}

/** Without any texts there is only this one. */
const NOT_LOADED = 'The app could not be loaded. Check your connection, then reload this page.'

const root = document.getElementById('root')
if (root)
  start(root).catch((error: unknown) => {
    root.textContent = NOT_LOADED
    throw error
  })
