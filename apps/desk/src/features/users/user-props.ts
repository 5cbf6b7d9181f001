import type { UserProfile } from '@fairlot/contract/desk'
import type { PageProps } from '../../ui/page.tsx'

/** The page around a tab: user number, tabs, state and menu. */
export type UserPageProps = Omit<PageProps<string>, 'children'>

/** What each tab receives. */
export type TabProps = { profile: UserProfile; page: UserPageProps }

/** What each dialog of the menu receives. */
export type UserDialogProps = { profile: UserProfile; onClose: () => void }
