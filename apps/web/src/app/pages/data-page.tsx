import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { OwnDataScreen } from '../../features/auth/own-data/own-data-screen.tsx'
import { BackHeader } from '../back-header.tsx'
import { pathOf } from '../routes.ts'

export function DataPage() {
  const t = useTranslations('screens')
  const navigate = useNavigate()
  return (
    <>
      <BackHeader title={t('data')} />
      <OwnDataScreen onClosed={() => void navigate(pathOf('home'), { replace: true })} />
    </>
  )
}
