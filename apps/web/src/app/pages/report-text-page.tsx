import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { navigate } from '@fairlot/ui/navigation/router.tsx'
import { DemoButton } from '../../features/auth/demo-button.tsx'
import { ReportTextScreen } from '../../features/support/report-text-screen.tsx'
import { BackHeader } from '../back-header.tsx'
import { lastScreen } from '../last-screen.ts'
import { pathOf } from '../routes.ts'

/** Reports a text of the screen that was shown before; a visitor may open a demo account here. */
export function ReportTextPage() {
  const t = useTranslations('screens')
  const [screen] = useState(lastScreen)
  return (
    <>
      <BackHeader title={t('reportText')} />
      <ReportTextScreen
        screen={{ path: pathOf(screen), name: t(screen) }}
        demo={<DemoButton tone="outline" />}
        onSent={() => navigate(pathOf(screen), { replace: true })}
      />
    </>
  )
}
