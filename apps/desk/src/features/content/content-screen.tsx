import { lazy } from 'react'
import { SectionPages, type SectionPage } from '../../ui/section-pages.tsx'

const NewsScreen = lazy(async () => ({ default: (await import('./news-screen.tsx')).NewsScreen }))
const FeedsScreen = lazy(async () => ({ default: (await import('./feeds-screen.tsx')).FeedsScreen }))
const LegalScreen = lazy(async () => ({ default: (await import('./legal-screen.tsx')).LegalScreen }))
const CompaniesScreen = lazy(async () => ({
  default: (await import('./companies-screen.tsx')).CompaniesScreen,
}))
const MessagesScreen = lazy(async () => ({ default: (await import('./messages-screen.tsx')).MessagesScreen }))

const CONTENT_PAGES: readonly SectionPage[] = [
  { path: 'news', title: 'News', act: 'viewContent', Screen: NewsScreen },
  { path: 'feeds', title: 'Feeds', act: 'viewContent', Screen: FeedsScreen },
  { path: 'legal', title: 'Legal texts', act: 'viewContent', Screen: LegalScreen },
  { path: 'companies', title: 'Companies', act: 'viewContent', Screen: CompaniesScreen },
  { path: 'messages', title: 'Messages', act: 'viewMessages', Screen: MessagesScreen },
]

/** What readers are told: news and the feeds that bring some, legal texts, companies, and the messages that went out. */
export const ContentScreen = () => <SectionPages section="content" pages={CONTENT_PAGES} />
