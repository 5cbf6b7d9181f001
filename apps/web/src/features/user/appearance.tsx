import { useTranslations } from 'use-intl'
import { setPreferences, usePreferences } from '../../live/device/preferences.ts'
import { Card } from '@fairlot/ui/card.tsx'
import { Segmented } from '@fairlot/ui/segmented.tsx'

/** How the app looks on this device. */
export function Appearance() {
  const t = useTranslations('user')
  const { theme, rise } = usePreferences()
  return (
    <Card>
      <h2 className="mb-2 text-note text-second">{t('theme')}</h2>
      <Segmented
        label={t('theme')}
        value={theme}
        onChange={(next) => setPreferences({ theme: next })}
        options={[
          { value: 'system', label: t('themeSystem') },
          { value: 'light', label: t('themeLight') },
          { value: 'dark', label: t('themeDark') },
        ]}
      />
      <h2 className="mt-4 mb-2 text-note text-second">{t('rise')}</h2>
      <Segmented
        label={t('rise')}
        value={rise}
        onChange={(next) => setPreferences({ rise: next })}
        options={[
          { value: 'language', label: t('riseLanguage') },
          { value: 'green', label: t('riseGreen') },
          { value: 'red', label: t('riseRed') },
        ]}
      />
    </Card>
  )
}
