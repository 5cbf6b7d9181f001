import { Landmark } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Card } from '@fairlot/ui/card.tsx'
import { EmptyState } from '@fairlot/ui/empty-state.tsx'

/** Nothing is set up for this way: said in place of a form that could not be sent. */
export function NoChannel() {
  const t = useTranslations('payments')
  return (
    <Card>
      <EmptyState icon={Landmark} title={t('noChannel')} text={t('noChannelText')} />
    </Card>
  )
}
