import type { OperatorRole } from '@fairlot/contract/desk'
import { type DeskAct, mayDo } from '@fairlot/contract/desk'
import { type ComponentType, lazy } from 'react'
import { WaitingCount } from '../features/waiting/waiting-count.tsx'

const WaitingSection = lazy(async () => ({
  default: (await import('./waiting-section.tsx')).WaitingSection,
}))
const PeopleScreen = lazy(async () => ({
  default: (await import('../features/people/people-screen.tsx')).PeopleScreen,
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

const ContentScreen = lazy(async () => ({
  default: (await import('../features/content/content-screen.tsx')).ContentScreen,
}))
const ReportsScreen = lazy(async () => ({
  default: (await import('../features/reports/reports-screen.tsx')).ReportsScreen,
}))
const ActsScreen = lazy(async () => ({
  default: (await import('../features/acts/acts-screen.tsx')).ActsScreen,
}))
const SettingsScreen = lazy(async () => ({
  default: (await import('../features/settings/settings-screen.tsx')).SettingsScreen,
}))

/** An entry of the rail and the screen behind it. */
export type Section = {
  /** Below `/`; what comes behind it in the address is the screen's own affair. */
  readonly path: string
  readonly title: string
  /** Lines of the table of permissions: whoever may do one of them sees the entry. */
  readonly acts: readonly DeskAct[]
  readonly Screen: ComponentType
  /** How many wait there, beside the title. */
  readonly Count?: ComponentType
}

/** The rail from top to bottom. */
const SECTIONS: readonly Section[] = [
  { path: 'waiting', title: 'Waiting', acts: ['viewWaiting'], Screen: WaitingSection, Count: WaitingCount },
  { path: 'people', title: 'People', acts: ['viewPeople'], Screen: PeopleScreen },
  { path: 'money', title: 'Money', acts: ['viewPaymentSetup'], Screen: MoneyScreen },
  { path: 'market', title: 'Market', acts: ['viewMarket'], Screen: MarketScreen },
  { path: 'risk', title: 'Risk', acts: ['viewRisk'], Screen: RiskScreen },
  { path: 'content', title: 'Content', acts: ['viewContent'], Screen: ContentScreen },
  { path: 'reports', title: 'Reports', acts: ['viewReports'], Screen: ReportsScreen },
  { path: 'acts', title: 'Acts', acts: ['viewActs'], Screen: ActsScreen },
  { path: 'settings', title: 'Settings', acts: ['viewSettings', 'viewOperators'], Screen: SettingsScreen },
]

/** What of the rail a role sees. */
export const sectionsFor = (role: OperatorRole): readonly Section[] =>
  SECTIONS.filter(({ acts }) => acts.some((act) => mayDo(role, act)))
