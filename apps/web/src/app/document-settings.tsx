import { useEffect } from 'react'
import { isRedUp } from '../i18n/language.ts'
import { useLocale } from '../i18n/locale-provider.tsx'
import { usePreferences } from '../live/device/preferences.ts'
import { useIsDirectory } from '../live/basic-info.ts'
import { useWebFont } from '@fairlot/ui/use-web-font.ts'
import { useLocation } from '@fairlot/ui/router.tsx'
import { useTranslations } from 'use-intl'
import { routeOf } from './routes.ts'

/** Writes the chosen theme and the colour of a rise onto the document, where the tokens read them, and brings the font. */
export function Appearance() {
  useWebFont()
  const { theme, rise } = usePreferences()
  const { language } = useLocale()
  const isRed = rise === 'red' || (rise === 'language' && isRedUp(language))
  useEffect(() => {
    const { dataset } = document.documentElement
    if (theme === 'system') delete dataset['theme']
    else dataset['theme'] = theme
    if (isRed) dataset['rise'] = 'red'
    else delete dataset['rise']
  }, [theme, isRed])
  return null
}

/** Names the tab of the browser after the screen, on a phone and in the workspace. */
export function DocumentTitle() {
  const t = useTranslations()
  const name = routeOf(useLocation().pathname)?.name
  const isDirectory = useIsDirectory()
  const shown = name === 'product' && isDirectory ? 'companies' : name
  const title = `${shown ? t(`screens.${shown}`) : t('app.notFound')} · ${t('app.name')}`
  useEffect(() => {
    document.title = title
  }, [title])
  return null
}
