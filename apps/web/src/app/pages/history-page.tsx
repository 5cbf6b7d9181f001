import { useTranslations } from 'use-intl'
import { FundsScreen } from '../../features/funds/funds-screen.tsx'
import { BackHeader } from '../back-header.tsx'

export function HistoryPage() {
  const t = useTranslations('screens')
  return (
    <>
      <BackHeader title={t('history')} />
      <FundsScreen />
    </>
  )
}
