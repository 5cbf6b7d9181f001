import { ExternalLink } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { buttonClass } from '@fairlot/ui/button.tsx'
import { Card } from '@fairlot/ui/card.tsx'
import { Icon } from '@fairlot/ui/icon.tsx'
import { useBasicInfo } from '../../../live/basic-info.ts'
import { NoChannel } from './no-channel.tsx'

/** Cards are paid with at a provider's own page: no number of one is ever typed here. */
export function CardCharge() {
  const t = useTranslations('payments')
  const link = useBasicInfo()?.cardLink ?? ''
  if (link === '') return <NoChannel />
  return (
    <Card>
      <div className="flex flex-col gap-3">
        <p className="text-body text-second">{t('cardText')}</p>
        <a
          href={link}
          target="_blank"
          rel="noopener noreferrer"
          className={buttonClass('ink', undefined, true)}
        >
          <Icon of={ExternalLink} />
          {t('cardOpen')}
        </a>
      </div>
    </Card>
  )
}
