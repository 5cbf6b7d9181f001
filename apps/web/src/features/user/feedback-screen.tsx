import { Headset, Mail, SpellCheck } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Card } from '@fairlot/ui/layout/card.tsx'
import { ListLink } from '@fairlot/ui/navigation/list-link.tsx'

/** Leads to chat and e-mail; there is no separate feedback form. */
export function FeedbackScreen() {
  const t = useTranslations('feedback')
  const screens = useTranslations('screens')
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-3 px-4 pb-6">
      <p className="text-note text-second">{t('text')}</p>
      <Card>
        <div className="-my-3 divide-y divide-line">
          <ListLink icon={Headset} to="/mine/chat" title={t('toChat')} />
          <ListLink icon={Mail} to="/mine/email" title={t('toEmail')} />
          <ListLink icon={SpellCheck} to="/mine/text" title={screens('reportText')} />
        </div>
      </Card>
    </div>
  )
}
