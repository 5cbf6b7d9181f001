import { lazy } from 'react'
import { SectionPages, type SectionPage } from '../../ui/page.tsx'

const OperatorsScreen = lazy(async () => ({
  default: (await import('./operators-screen.tsx')).OperatorsScreen,
}))
const PlatformSettingsScreen = lazy(async () => ({
  default: (await import('./platform-settings-screen.tsx')).PlatformSettingsScreen,
}))

const SETTINGS_PAGES: readonly SectionPage[] = [
  { path: 'operators', title: 'Operators', permission: 'viewOperators', Screen: OperatorsScreen },
  { path: 'house', title: 'Settings', permission: 'viewSettings', Screen: PlatformSettingsScreen },
]

/** Everything under Settings. */
export const SettingsScreen = () => <SectionPages section="settings" pages={SETTINGS_PAGES} />
