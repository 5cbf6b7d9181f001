import type { ComponentType } from 'react'
import { useTranslations } from 'use-intl'
import type { RouteName } from './routes.ts'

/** A screen that needs nothing but its head. */
export const under = (Head: ComponentType<{ title: string }>, name: RouteName, Screen: ComponentType) =>
  function Page() {
    const t = useTranslations('screens')
    return (
      <>
        <Head title={t(name)} />
        <Screen />
      </>
    )
  }
