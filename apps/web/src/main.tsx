import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { loadFirstScreen } from './app/screens.tsx'
import { loadMessages } from './i18n/message-catalogue.ts'
import { loadAccount } from './live/account/load.ts'
import { currentLanguage, rememberAskedLanguage } from './live/device/language.ts'
import { readFirstList } from './live/market/instruments.ts'
import { startLiveData } from './live/start.ts'
import './app/app.css'

/** Lets the browser paint, and hear taps, between two pieces of work. */
const breathe = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

async function start(root: HTMLElement) {
  rememberAskedLanguage()
  const language = currentLanguage()
  // Messages of an account are not heard before its code is there.
  const parts = Promise.all([loadMessages(language, 'first'), loadAccount(), loadFirstScreen()])
  await breathe()
  readFirstList()
  await breathe()
  startLiveData()
  const [messages] = await parts
  await breathe()
  // In pieces that let frames and taps through: the first screen stands until all of it is ready.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <App firstTexts={{ language, messages }} />
      </StrictMode>,
    ),
  )
}

const root = document.getElementById('root')
if (root) void start(root)
