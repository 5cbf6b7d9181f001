import { lazy } from 'react'
import { SectionPages, type SectionPage } from '../../ui/section-pages.tsx'

const OperatorsScreen = lazy(async () => ({
  default: (await import('./operators-screen.tsx')).OperatorsScreen,
}))
const HouseSettingsScreen = lazy(async () => ({
  default: (await import('./house-settings-screen.tsx')).HouseSettingsScreen,
}))

const SETTINGS_PAGES: readonly SectionPage[] = [
  { path: 'operators', title: 'Operators', act: 'viewOperators', Screen: OperatorsScreen },
  { path: 'house', title: 'Settings', act: 'viewSettings', Screen: HouseSettingsScreen },
]

/** Everything under Settings. */
export const SettingsScreen = () => <SectionPages section="settings" pages={SETTINGS_PAGES} />
