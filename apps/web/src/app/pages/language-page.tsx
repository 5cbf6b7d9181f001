import { useTranslations } from 'use-intl'
import { LanguageScreen } from '../../features/settings/language-screen.tsx'
import { BackHeader } from '../back-header.tsx'

export function LanguagePage() {
  const t = useTranslations('screens')
  return (
    <>
      <BackHeader title={t('language')} />
      <LanguageScreen />
    </>
  )
}
