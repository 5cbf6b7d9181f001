import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { loadMessages } from './i18n/catalogue.ts'
import { currentLanguage, rememberAskedLanguage } from './live/language.ts'
import { openLive } from './live/open.ts'
import './ui/theme.css'

async function start(root: HTMLElement) {
  rememberAskedLanguage()
  openLive()
  const language = currentLanguage()
  const messages = await loadMessages(language)
  createRoot(root).render(
    <StrictMode>
      <App firstTexts={{ language, messages }} />
    </StrictMode>,
  )
}

const root = document.getElementById('root')
if (root) void start(root)
