import { useTranslations } from 'use-intl'
import { DemoButton } from '../../features/auth/demo-button.tsx'
import { ChatScreen } from '../../features/support/chat-screen.tsx'
import { BackHeader } from '../back-header.tsx'

/** Support; a visitor may open a demo account here. */
export function ChatPage() {
  const t = useTranslations('screens')
  return (
    <div className="flex min-h-full flex-col">
      <BackHeader title={t('chat')} />
      <ChatScreen demo={<DemoButton tone="outline" />} />
    </div>
  )
}
