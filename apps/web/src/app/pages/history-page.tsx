import { useTranslations } from 'use-intl'
import { FundsScreen } from '../../features/funds/funds-screen.tsx'
import { useIsLoggedIn } from '../../live/token.ts'
import { BackHeader } from '../back-header.tsx'
import { LoginFirst } from '../login-first.tsx'

export function HistoryPage() {
  const t = useTranslations('screens')
  return (
    <>
      <BackHeader title={t('history')} />
      {useIsLoggedIn() ? <FundsScreen /> : <LoginFirst name="history" />}
    </>
  )
}
