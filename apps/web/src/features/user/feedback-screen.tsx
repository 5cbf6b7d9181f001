import { Card } from '@fairlot/ui/card.tsx'
import { ListLink } from '@fairlot/ui/list-link.tsx'
import { Headset, Mail } from 'lucide-react'
import { useTranslations } from 'use-intl'

/** Where somebody is heard: there is no form of its own for it. */
export function FeedbackScreen() {
  const t = useTranslations('feedback')
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-3 px-4 pb-6">
      <p className="text-note text-second">{t('text')}</p>
      <Card>
        <div className="-my-3 divide-y divide-line">
          <ListLink icon={Headset} to="/mine/chat" title={t('toChat')} />
          <ListLink icon={Mail} to="/mine/email" title={t('toEmail')} />
        </div>
      </Card>
    </div>
  )
}
