import type { PersonProfile } from '@fairlot/contract/desk'
import type { PageProps } from '../../ui/page.tsx'

/** The page around a tab: whose it is, the tabs, the state and the menu. */
export type PersonFrame = Omit<PageProps<string>, 'children'>

/** What a tab is given. */
export type TabProps = { person: PersonProfile; frame: PersonFrame }

/** What a dialog of the menu is given. */
export type PersonDialogProps = { person: PersonProfile; onClose: () => void }
