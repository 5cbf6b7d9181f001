import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { loadMessages } from './i18n/message-catalogue.ts'
import { currentLanguage, rememberAskedLanguage } from './live/device/language.ts'
import { loadAccount } from './live/account/load.ts'
import { startLiveData } from './live/start.ts'
import './app/app.css'

async function start(root: HTMLElement) {
  rememberAskedLanguage()
  startLiveData()
  const language = currentLanguage()
  // Messages of an account are not heard before its code is there.
  const [messages] = await Promise.all([loadMessages(language, 'first'), loadAccount()])
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
