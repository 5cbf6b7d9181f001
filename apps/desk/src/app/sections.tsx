import type { OperatorRole } from '@fairlot/contract/desk'
import { type DeskPermission, mayDo } from '@fairlot/contract/desk'
import { type ComponentType, lazy } from 'react'
import { WaitingCount } from '../features/waiting/waiting-count.tsx'

const WaitingSection = lazy(async () => ({
  default: (await import('./waiting-section.tsx')).WaitingSection,
}))
const UsersScreen = lazy(async () => ({
  default: (await import('../features/users/users-screen.tsx')).UsersScreen,
}))
const MoneyScreen = lazy(async () => ({
  default: (await import('../features/money/money-screen.tsx')).MoneyScreen,
}))
const MarketScreen = lazy(async () => ({
  default: (await import('../features/market/market-screen.tsx')).MarketScreen,
}))
const RiskScreen = lazy(async () => ({
  default: (await import('../features/risk/risk-screen.tsx')).RiskScreen,
}))
const CopyingScreen = lazy(async () => ({
  default: (await import('../features/copying/copying-screen.tsx')).CopyingScreen,
}))
const ContentScreen = lazy(async () => ({
  default: (await import('../features/content/content-screen.tsx')).ContentScreen,
}))
const ReportsScreen = lazy(async () => ({
  default: (await import('../features/reports/reports-screen.tsx')).ReportsScreen,
}))
const AuditLogScreen = lazy(async () => ({
  default: (await import('../features/audit-log/audit-log-screen.tsx')).AuditLogScreen,
}))
const SettingsScreen = lazy(async () => ({
  default: (await import('../features/settings/settings-screen.tsx')).SettingsScreen,
}))

/** An entry of the side bar and its screen. */
export type Section = {
  /** Below `/`; the screen handles the rest of the address. */
  readonly path: string
  readonly title: string
  /** Permissions: a role with one of them sees the section. */
  readonly permissions: readonly DeskPermission[]
  readonly Screen: ComponentType
  /** The number of open cases beside the title. */
  readonly Count?: ComponentType
}

const SECTIONS: readonly Section[] = [
  {
    path: 'waiting',
    title: 'Waiting',
    permissions: ['viewWaiting'],
    Screen: WaitingSection,
    Count: WaitingCount,
  },
  { path: 'people', title: 'Users', permissions: ['viewPeople'], Screen: UsersScreen },
  { path: 'money', title: 'Money', permissions: ['viewPaymentSetup'], Screen: MoneyScreen },
  { path: 'market', title: 'Market', permissions: ['viewMarket'], Screen: MarketScreen },
  { path: 'risk', title: 'Risk', permissions: ['viewRisk'], Screen: RiskScreen },
  { path: 'copying', title: 'Copying', permissions: ['viewStrategies'], Screen: CopyingScreen },
  { path: 'content', title: 'Content', permissions: ['viewContent'], Screen: ContentScreen },
  { path: 'reports', title: 'Reports', permissions: ['viewReports'], Screen: ReportsScreen },
  { path: 'acts', title: 'Audit log', permissions: ['viewActs'], Screen: AuditLogScreen },
  {
    path: 'settings',
    title: 'Settings',
    permissions: ['viewSettings', 'viewOperators'],
    Screen: SettingsScreen,
  },
]

/** The sections that a role sees. */
export const sectionsFor = (role: OperatorRole): readonly Section[] =>
  SECTIONS.filter(({ permissions }) => permissions.some((each) => mayDo(role, each)))
