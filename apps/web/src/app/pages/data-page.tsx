import { navigate } from '@fairlot/ui/router.tsx'
import { useTranslations } from 'use-intl'
import { OwnDataScreen } from '../../features/auth/own-data/own-data-screen.tsx'
import { BackHeader } from '../back-header.tsx'
import { pathOf } from '../routes.ts'

export function DataPage() {
  const t = useTranslations('screens')
  return (
    <>
      <BackHeader title={t('data')} />
      <OwnDataScreen onClosed={() => navigate(pathOf('home'), { replace: true })} />
    </>
  )
}
