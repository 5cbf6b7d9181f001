import { lazy } from 'react'
import { SectionPages, type SectionPage } from '../../ui/page.tsx'

const NewsScreen = lazy(async () => ({ default: (await import('./news-screen.tsx')).NewsScreen }))
const NewsFeedsScreen = lazy(async () => ({
  default: (await import('./news-feeds-screen.tsx')).NewsFeedsScreen,
}))
const LegalScreen = lazy(async () => ({ default: (await import('./legal-screen.tsx')).LegalScreen }))
const CompaniesScreen = lazy(async () => ({
  default: (await import('./companies-screen.tsx')).CompaniesScreen,
}))
const MessagesScreen = lazy(async () => ({ default: (await import('./messages-screen.tsx')).MessagesScreen }))

const CONTENT_PAGES: readonly SectionPage[] = [
  { path: 'news', title: 'News', permission: 'viewContent', Screen: NewsScreen },
  { path: 'feeds', title: 'Feeds', permission: 'viewContent', Screen: NewsFeedsScreen },
  { path: 'legal', title: 'Legal texts', permission: 'viewContent', Screen: LegalScreen },
  { path: 'companies', title: 'Companies', permission: 'viewContent', Screen: CompaniesScreen },
  { path: 'messages', title: 'Messages', permission: 'viewMessages', Screen: MessagesScreen },
]

/** Everything under Content. */
export const ContentScreen = () => <SectionPages section="content" pages={CONTENT_PAGES} />
