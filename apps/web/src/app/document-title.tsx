import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { useTranslations } from 'use-intl'
import { routeOf } from './routes.ts'

/** Names the tab of the browser after the screen, on a phone and in the workspace. */
export function DocumentTitle() {
  const t = useTranslations()
  const name = routeOf(useLocation().pathname)?.name
  const title = `${name ? t(`screens.${name}`) : t('app.notFound')} · ${t('app.name')}`
  useEffect(() => {
    document.title = title
  }, [title])
  return null
}
