import { Hammer } from 'lucide-react'
import { Link } from '@fairlot/ui/router.tsx'
import { useTranslations } from 'use-intl'
import { buttonClass } from '@fairlot/ui/button.tsx'
import { EmptyState } from '@fairlot/ui/empty-state.tsx'
import { BackHeader } from './back-header.tsx'
import type { RouteName } from './routes.ts'

/** A screen of the table that comes with an issue of its own: says so, and leads on. */
export function BuildingScreen({ name }: { name: RouteName }) {
  const t = useTranslations()
  const screen = t(`screens.${name}`)
  return (
    <>
      <BackHeader title={screen} />
      <EmptyState
        icon={Hammer}
        title={t('app.building', { screen })}
        text={t('app.buildingText')}
        action={
          <Link to="/" className={buttonClass('outline')}>
            {t('app.toMarkets')}
          </Link>
        }
      />
    </>
  )
}

/** A path that is in no table. */
export function NotFoundScreen() {
  const t = useTranslations('app')
  return (
    <>
      <BackHeader title={t('notFound')} />
      <EmptyState
        icon={Hammer}
        title={t('notFound')}
        text={t('notFoundText')}
        action={
          <Link to="/" className={buttonClass('outline')}>
            {t('toMarkets')}
          </Link>
        }
      />
    </>
  )
}
