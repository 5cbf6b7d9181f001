import { useTranslations } from 'use-intl'
import { TextButton } from '@fairlot/ui/controls/text-button.tsx'
import { useAppVersion } from '../live/device/app-version.ts'

/** In place of a part of a sheet that could not be loaded: the banner of the same words is behind the sheet. */
export function PartMissing() {
  const t = useTranslations('app')
  const reload = useAppVersion((state) => state.reload)
  return (
    <p className="flex flex-wrap items-center justify-center gap-x-3 py-6 text-note text-second">
      <span>{t('partMissing')}</span>
      <TextButton onClick={reload}>{t('reload')}</TextButton>
    </p>
  )
}
