import { useTranslations } from 'use-intl'
import { Segmented } from '@fairlot/ui/controls/segmented.tsx'
import { navigate, useSearchParams } from '@fairlot/ui/navigation/router.tsx'
import { AlertsScreen } from '../../features/trading/alerts/alerts-screen.tsx'
import { NoticesScreen } from '../../features/user/notices-screen.tsx'
import { BackHeader } from '../back-header.tsx'

/** What is behind the bell: the notices, and the alerts that lead to some of them. */
export function NoticesPage() {
  const t = useTranslations()
  const [query] = useSearchParams()
  const tab = query.get('tab') === 'alerts' ? 'alerts' : 'notices'
  return (
    <>
      <BackHeader title={t('screens.notices')} />
      <div className="mx-auto w-full max-w-2xl px-4 pb-3">
        <Segmented
          label={t('screens.notices')}
          track="surface"
          value={tab}
          options={[
            { value: 'notices', label: t('alert.tabNotices') },
            { value: 'alerts', label: t('alert.tabAlerts') },
          ]}
          onChange={(next) =>
            navigate(next === 'alerts' ? '/mine/notices?tab=alerts' : '/mine/notices', { replace: true })
          }
        />
      </div>
      {tab === 'alerts' ? <AlertsScreen /> : <NoticesScreen />}
    </>
  )
}
